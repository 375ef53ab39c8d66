//! A place for sessions: this machine behind an ssh server on the loopback interface, with its own home folder.

use crate::{environment::free_port, error::BenchError, family, serving::Serving};
use bc_testkit::Sandbox;
use serde_json::{Value, json};
use std::{
    fs,
    net::TcpStream,
    path::{Path, PathBuf},
    process::{Child, Command},
    thread,
    time::{Duration, Instant},
};

const SSHD: &str = "/usr/sbin/sshd";

/// The host's name for ssh, and the place's name for Beads Console.
pub(crate) const PLACE: &str = "far";

/// The time limit for the place's processes and files.
const TIMEOUT: Duration = Duration::from_secs(120);

/// An ssh server with its own keys, and a place that uses it.
pub(crate) struct SshPlace {
    server: Child,
    home: PathBuf,
}

impl SshPlace {
    /// Starts the server and adds the place. `programs` is the folder of the programs on both sides.
    pub(crate) fn start(sandbox: &Sandbox, programs: &Path) -> Result<SshPlace, BenchError> {
        if !Path::new(SSHD).is_file() {
            return Err(BenchError::Missing {
                what: SSHD.to_owned(),
                hint: "install Debian's package openssh-server; the rows of places need it",
            });
        }
        // If sshd runs as root, it requires this folder, which the system service normally creates.
        let _ = fs::create_dir_all("/run/sshd");
        let folder = sandbox.root().join("ssh");
        fs::create_dir_all(&folder).map_err(BenchError::io("a folder for keys"))?;
        for key in ["host", "mine"] {
            let mut keygen = sandbox.command("ssh-keygen");
            checked(keygen.args(["-q", "-t", "ed25519", "-N", "", "-f"]).arg(folder.join(key)))?;
        }
        let port = free_port()?;
        write_settings(sandbox, &folder, port)?;
        let server = sandbox.command(SSHD).args(["-D", "-f"]).arg(folder.join("sshd_config")).spawn();
        let server = server.map_err(|source| BenchError::Start { program: SSHD.into(), source })?;
        let home = sandbox.root().join("home-of-far");
        let place = SshPlace { server, home };
        wait("the ssh server", || TcpStream::connect(("127.0.0.1", port)).is_ok())?;

        let runtime = place.home.join("run");
        fs::create_dir_all(&runtime).map_err(BenchError::io("the place's home folder"))?;
        let program = programs.join("beads-console");
        // The place shares only the kernel and the programs with this machine.
        let far_program = sandbox.script(
            "beads-console-far",
            &format!(
                "export HOME='{0}' XDG_RUNTIME_DIR='{1}' XDG_CONFIG_HOME='{0}/.config' \
                 XDG_STATE_HOME='{0}/.state'\nexec '{2}' \"$@\"",
                place.home.display(),
                runtime.display(),
                program.display()
            ),
        );
        let mut add = sandbox.command(&program);
        checked(add.args(["places", "add", PLACE, PLACE, "--program"]).arg(far_program))?;
        Ok(place)
    }

    /// The session's folder at the place.
    pub(crate) fn record(&self, session: &str) -> Result<PathBuf, BenchError> {
        let projects = fs::read_dir(self.home.join("beads-console")).into_iter().flatten().flatten();
        let mut found = projects.map(|project| project.path().join(".beads/sessions").join(session));
        found
            .find(|path| path.is_dir())
            .ok_or_else(|| BenchError::unexpected_output("the place", "has no such session"))
    }
}

impl Drop for SshPlace {
    fn drop(&mut self) {
        // It may have exited already. The processes of its connections end with the sandbox.
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// Starts a session at the place and returns its id.
pub(crate) fn start_session(serving: &mut Serving, project: &str) -> Result<String, BenchError> {
    let params = json!({"simulated": true, "prompt": "", "size": [80, 24], "place": PLACE});
    let started = serving.call("session.start", Some(project), params)?;
    let id = started["session"]["id"].as_str();
    id.map(str::to_owned)
        .ok_or_else(|| BenchError::unexpected_output("session.start", format!("answered {started}")))
}

/// The process id of the session's link on this machine.
pub(crate) fn link(sandbox: &Sandbox, session: &str) -> Result<u32, BenchError> {
    let file = sandbox.project().join(".beads/sessions").join(session).join("host.json");
    let read = fs::read(&file).map_err(BenchError::io("the link's file"))?;
    let info: Value = serde_json::from_slice(&read).unwrap_or_default();
    info["pid"]
        .as_u64()
        .and_then(|pid| u32::try_from(pid).ok())
        .ok_or_else(|| BenchError::unexpected_output("the link's file", format!("contains {info}")))
}

/// Kills a process, and waits until it has exited.
pub(crate) fn kill(pid: u32) -> Result<(), BenchError> {
    family::signal(pid, "KILL");
    let state = || fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    wait("the end of a process", || state().is_empty() || state().contains(") Z "))
}

/// Waits for a condition, which is checked every millisecond.
pub(crate) fn wait(what: &str, done: impl Fn() -> bool) -> Result<(), BenchError> {
    let started = Instant::now();
    while !done() {
        if started.elapsed() > TIMEOUT {
            return Err(BenchError::TimedOut { what: what.to_owned(), after: TIMEOUT });
        }
        thread::sleep(Duration::from_millis(1));
    }
    Ok(())
}

/// Runs a command that must succeed.
pub(crate) fn checked(command: &mut Command) -> Result<(), BenchError> {
    let name = command.get_program().to_string_lossy().into_owned();
    let done = command.output().map_err(BenchError::io(name.clone()))?;
    match done.status.success() {
        true => Ok(()),
        false => Err(BenchError::unexpected_output(
            name,
            format!("failed: {}", String::from_utf8_lossy(&done.stderr).trim()),
        )),
    }
}

/// Writes the settings of the server and of the client, and makes `ssh` in the sandbox use them.
fn write_settings(sandbox: &Sandbox, folder: &Path, port: u16) -> Result<(), BenchError> {
    let shown = folder.display();
    let environment = sandbox.env().iter();
    let environment: Vec<String> =
        environment.map(|(name, value)| format!("\"{}={}\"", name.display(), value.display())).collect();
    let server = format!(
        "ListenAddress 127.0.0.1\nPort {port}\nMaxStartups 300\nHostKey {shown}/host\nAuthorizedKeysFile {shown}/mine.pub\nPidFile none\nStrictModes no\nUsePAM no\n\
         PasswordAuthentication no\nPermitRootLogin yes\nUseDNS no\nSetEnv {}\n",
        environment.join(" ")
    );
    let client = format!(
        "Host {PLACE}\n HostName 127.0.0.1\n Port {port}\n User {}\n IdentitiesOnly yes\n \
         IdentityFile {shown}/mine\n UserKnownHostsFile {shown}/known\n GlobalKnownHostsFile none\n",
        user()
    );
    let key = fs::read_to_string(folder.join("host.pub")).map_err(BenchError::io("the host key"))?;
    for (name, text) in
        [("sshd_config", server), ("ssh_config", client), ("known", format!("[127.0.0.1]:{port} {key}"))]
    {
        write(&folder.join(name), &text)?;
    }
    sandbox.script("ssh", &format!("exec /usr/bin/ssh -F {shown}/ssh_config \"$@\""));
    Ok(())
}

/// The name of the user who runs this process.
#[allow(clippy::disallowed_methods, reason = "a part of the system, not of the product")]
fn user() -> String {
    let out = Command::new("id").arg("-un").output();
    out.map(|out| String::from_utf8_lossy(&out.stdout).trim().to_owned()).unwrap_or_default()
}

// A plain write, because these are files of a sandbox.
#[allow(clippy::disallowed_methods)]
fn write(path: &Path, text: &str) -> Result<(), BenchError> {
    fs::write(path, text).map_err(BenchError::io(path.display().to_string()))
}
