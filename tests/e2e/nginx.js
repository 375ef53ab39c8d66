// Debian's nginx with TLS in front of the server, configured with the example site of the guide.

import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort, listens, run } from "./environment.js";

const NGINX = "/usr/sbin/nginx";
const GUIDE = new URL("../../docs/guide/other-machines.md", import.meta.url);

/** The reason why no reverse proxy can run on this machine, or null. */
export const noNginx = () => (existsSync(NGINX) ? null : `${NGINX} does not exist (install Debian's package nginx-light)`);

/** Starts nginx in front of a port and returns its public origin. The sandbox's cleanup ends nginx. */
export async function startNginx(sandbox, serverPort) {
  const folder = join(sandbox.base, "nginx");
  mkdirSync(folder);
  const port = await freePort();
  // Browsers resolve every name below localhost to this machine.
  const name = "console.localhost";
  const [key, certificate] = [join(folder, "key.pem"), join(folder, "certificate.pem")];
  await run("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", `/CN=${name}`, "-keyout", key, "-out", certificate]);
  const [, guide] = /```nginx\n([^]*?)```/.exec(readFileSync(GUIDE, "utf8"));
  let site = guide;
  for (const [from, to] of [
    ["listen 443 ssl", `listen 127.0.0.1:${port} ssl`],
    ["server_name console.example.org", `server_name ${name}`],
    ["/etc/ssl/console.example.org.pem", certificate],
    ["/etc/ssl/private/console.example.org.key", key],
    ["http://127.0.0.1:4100", `http://127.0.0.1:${serverPort}`],
  ]) {
    if (!site.includes(from)) throw new Error(`the guide's site has no ${from}`);
    site = site.replace(from, to);
  }
  const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((kind) => `${kind}_temp_path ${folder}/${kind};`);
  const config = `daemon off; master_process off; pid ${folder}/pid; error_log stderr;
    events {} http { access_log off; ${paths.join(" ")} ${site} }`;
  writeFileSync(join(folder, "nginx.conf"), config);
  const nginx = spawn(NGINX, ["-p", folder, "-e", "stderr", "-c", join(folder, "nginx.conf")], { env: sandbox.env, stdio: ["ignore", "ignore", "pipe"] });
  let errors = "";
  nginx.stderr.on("data", (bytes) => (errors += bytes));
  let ended = null;
  nginx.once("error", (error) => (ended = error.message)).once("exit", (code, signal) => (ended = code ?? signal));
  while (!(await listens(port))) {
    if (ended !== null) throw new Error(`nginx ended with ${ended}:\n${errors}`);
  }
  return `https://${name}:${port}`;
}
