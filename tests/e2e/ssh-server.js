// An ssh server on the loopback interface: another machine, with its own home folder, that the user reaches as `far`.

import { spawn } from "node:child_process";
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { freePort, kill, listens, programOf, programs, run, running } from "./environment.js";

const SSHD = "/usr/sbin/sshd";

/** The reason why no ssh server can run on this machine, or null. */
export const noSsh = () => (existsSync(SSHD) ? null : `${SSHD} does not exist (install Debian's package openssh-server)`);

/** Another machine. Its processes end with the sandbox. */
export class SshServer {
  /** The path of Beads Console on the other machine. */
  program;
  #sandbox;
  #folder;
  #port;
  #server = null;

  static async start(sandbox) {
    const server = new SshServer();
    server.#sandbox = sandbox;
    server.#folder = join(sandbox.base, "ssh");
    server.#port = await freePort();
    // sshd overwrites its environment with its title, so the cleanup cannot find the mark.
    sandbox.atEnd.push(() => server.#server?.kill("SIGKILL"));
    await server.#configure();
    await server.connect();
    return server;
  }

  async #configure() {
    const { base, env } = this.#sandbox;
    const folder = this.#folder;
    mkdirSync(folder);
    // If sshd runs as root, it requires this folder, which the system service normally creates.
    if (process.getuid() === 0) mkdirSync("/run/sshd", { recursive: true });
    for (const key of ["host", "mine"]) await run("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", join(folder, key)]);
    copyFileSync(join(folder, "mine.pub"), join(folder, "allowed"));
    const variables = Object.entries(env).map(([name, value]) => `"${name}=${value}"`);
    const server = [
      "ListenAddress 127.0.0.1", `Port ${this.#port}`, `HostKey ${folder}/host`, `AuthorizedKeysFile ${folder}/allowed`,
      "PidFile none", "StrictModes no", "UsePAM no", "PasswordAuthentication no", "PermitRootLogin yes",
      `SetEnv ${variables.join(" ")}`,
    ];
    const client = [
      "Host far", " HostName 127.0.0.1", ` Port ${this.#port}`, ` User ${userInfo().username}`, " IdentitiesOnly yes",
      ` IdentityFile ${folder}/mine`, ` UserKnownHostsFile ${folder}/known`, " GlobalKnownHostsFile none",
    ];
    writeFileSync(join(folder, "server"), `${server.join("\n")}\n`);
    writeFileSync(join(folder, "client"), `${client.join("\n")}\n`);
    writeFileSync(join(folder, "known"), `[127.0.0.1]:${this.#port} ${readFileSync(join(folder, "host.pub"), "utf8")}`);
    this.#script("ssh", `exec /usr/bin/ssh -F '${folder}/client' "$@"`);
    // The other machine shares only the kernel, the programs and claude's account with this one.
    const home = join(base, "home-of-far");
    mkdirSync(join(home, "run"), { recursive: true, mode: 0o700 });
    const variable = { HOME: home, XDG_RUNTIME_DIR: `${home}/run`, XDG_CONFIG_HOME: `${home}/.config`, XDG_STATE_HOME: `${home}/.state` };
    const exports = Object.entries(variable).map(([name, value]) => `export ${name}='${value}'`);
    this.program = this.#script("beads-console-far", `${exports.join("\n")}\nexec '${join(programs, "beads-console")}' "$@"`);
  }

  #script(name, text) {
    const file = join(this.#sandbox.base, "bin", name);
    writeFileSync(file, `#!/bin/sh\n${text}\n`);
    chmodSync(file, 0o755);
    return file;
  }

  /** Makes the machine reachable. */
  async connect() {
    const options = { env: this.#sandbox.env, stdio: ["ignore", "ignore", "pipe"] };
    this.#server = spawn(SSHD, ["-D", "-e", "-f", join(this.#folder, "server")], options);
    let errors = "";
    this.#server.stderr.on("data", (bytes) => (errors += bytes));
    let ended = null;
    this.#server.once("exit", (code, signal) => (ended = code ?? signal));
    while (!(await listens(this.#port))) {
      if (ended !== null) throw new Error(`sshd ended with ${ended}:\n${errors}`);
    }
  }

  /** Makes the machine unreachable, and cuts its connections. */
  async disconnect() {
    const gone = new Promise((done) => this.#server.once("exit", done));
    this.#server.kill("SIGKILL");
    await gone;
    for (const pid of running(this.#sandbox.base)) if (programOf(pid) === "ssh") kill(pid);
  }
}
