//! Agents with a runner: a wrapper script on this machine, and an ssh server that the test starts on the
//! loopback interface.

#![cfg(target_os = "linux")]
#![allow(clippy::disallowed_methods, reason = "the tests act as the user and the server's administrator")]

use crate::{
    claude::with_claude,
    console::{Console, need_sim},
    slow_link::slowed,
};
use serde_json::{Value, json};
use std::{
    fs,
    net::{Shutdown, TcpListener, TcpStream},
    os::fd::OwnedFd,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

const TIMEOUT: Duration = Duration::from_secs(60);

pub(crate) const SSHD: &str = "/usr/sbin/sshd";

/// An ssh server with its own keys and settings. Each connection has its own process and can be cut.
///
/// The test listens and passes each connection to a new sshd, as `inetd` does. It therefore does not have to
/// guess a free port.
pub(crate) struct SshServer {
    open: Arc<AtomicBool>,
    slow: Arc<AtomicBool>,
    port: u16,
    folder: PathBuf,
    connections: Arc<Mutex<Vec<TcpStream>>>,
}

impl SshServer {
    /// If ssh or sshd is not installed, prints a warning and returns `None`.
    pub(crate) fn start(console: &Console, test: &str) -> Option<SshServer> {
        let folder = SshServer::prepare(console, test)?;
        Some(SshServer::listen(folder))
    }

    /// Writes the keys and the settings of a server, and returns their folder.
    pub(crate) fn prepare(console: &Console, test: &str) -> Option<PathBuf> {
        let sshd = Path::new(SSHD);
        let installed = sshd.is_file() && Command::new("ssh").arg("-V").output().is_ok();
        if !installed {
            assert!(
                std::env::var_os("BC_TEST_DEMAND").is_none_or(|v| v != "1"),
                "{test}: ssh or sshd is not installed"
            );
            eprintln!("SKIPPED {test}: ssh or sshd is not installed (Debian's openssh-server)");
            return None;
        }
        // If sshd runs as root, it requires this folder, which the system service normally creates.
        let _ = fs::create_dir_all("/run/sshd");
        let folder = console.sandbox.project().parent().unwrap().join("far");
        fs::create_dir_all(&folder).unwrap();
        for key in ["host", "mine"] {
            let done = Command::new("ssh-keygen")
                .args(["-q", "-t", "ed25519", "-N", "", "-f"])
                .arg(folder.join(key))
                .output()
                .unwrap();
            assert!(done.status.success(), "{done:?}");
        }
        fs::copy(folder.join("mine.pub"), folder.join("allowed")).unwrap();
        let config = format!(
            "HostKey {0}/host\nAuthorizedKeysFile {0}/allowed\nPidFile none\n\
             StrictModes no\nUsePAM no\nPasswordAuthentication no\nPermitRootLogin yes\nStreamLocalBindUnlink yes\n\
             SetEnv {1}\n",
            folder.display(),
            // Remote commands get the sandbox's environment, which includes claude's API key.
            console
                .sandbox
                .env()
                .iter()
                .map(|(name, value)| format!("\"{}={}\"", name.display(), value.display()))
                .collect::<Vec<_>>()
                .join(" ")
        );
        fs::write(folder.join("config"), config).unwrap();
        Some(folder)
    }

    fn listen(folder: PathBuf) -> SshServer {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let (open, slow) = (Arc::new(AtomicBool::new(true)), Arc::default());
        let far = SshServer { open, slow, port, folder, connections: Arc::default() };
        let (open, slow) = (Arc::clone(&far.open), Arc::clone(&far.slow));
        let (connections, folder) = (Arc::clone(&far.connections), far.folder.clone());
        thread::spawn(move || {
            // `drop` makes a final connection to end this loop.
            for near in listener.incoming().flatten().take_while(|_| open.load(Ordering::SeqCst)) {
                connections.lock().unwrap().push(near.try_clone().unwrap());
                let log = fs::OpenOptions::new().create(true).append(true).open(folder.join("log")).unwrap();
                let near = OwnedFd::from(near);
                let near = if slow.load(Ordering::SeqCst) { slowed(near) } else { near };
                let (input, output) = (near.try_clone().unwrap(), near);
                let mut server = Command::new(SSHD)
                    .args(["-i", "-e", "-f"])
                    .arg(folder.join("config"))
                    .stdin(Stdio::from(input))
                    .stdout(Stdio::from(output))
                    .stderr(log)
                    .spawn()
                    .unwrap();
                thread::spawn(move || server.wait());
            }
        });
        far
    }

    /// The ssh command with the options that reach the server.
    fn options(&self) -> Vec<String> {
        let key = self.folder.join("mine").display().to_string();
        let port = self.port.to_string();
        ["ssh", "-F", "none", "-q", "-p", &port, "-i", &key]
            .into_iter()
            .chain([
                "-o",
                "StrictHostKeyChecking=no",
                "-o",
                "UserKnownHostsFile=/dev/null",
                "-o",
                "BatchMode=yes",
            ])
            .map(str::to_owned)
            .collect()
    }

    /// Adds the server as a runner with this name.
    fn set(&self, console: &Console, name: &str) {
        let user = text_of("id", &["-un"]);
        let arguments =
            ["-tt", "-R", "{remote_socket}:{socket}", &format!("{user}@127.0.0.1"), "--", "{line}"];
        let line: Vec<String> = self.options().into_iter().chain(arguments.map(str::to_owned)).collect();
        console.ok(&["fleet", "settings", &format!("runners.{name}"), &json!(line).to_string()]);
        let probe: Vec<String> =
            self.options().into_iter().chain([format!("{user}@127.0.0.1"), "true".to_owned()]).collect();
        console.ok(&["fleet", "settings", &format!("runners.{name}.probe"), &json!(probe).to_string()]);
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// The folder with the keys: `host` is the server's key, and `mine` is the user's key.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Whether no connection has been made.
    pub(crate) fn is_unused(&self) -> bool {
        self.connections.lock().unwrap().is_empty()
    }

    /// From now on, new connections are slow, with simulated losses.
    pub(crate) fn slow_down(&self) {
        self.slow.store(true, Ordering::SeqCst);
    }

    pub(crate) fn cut(&self) {
        for wire in self.connections.lock().unwrap().drain(..) {
            let _ = wire.shutdown(Shutdown::Both);
        }
    }
}

impl Drop for SshServer {
    fn drop(&mut self) {
        self.open.store(false, Ordering::SeqCst);
        let _ = TcpStream::connect(("127.0.0.1", self.port));
        self.cut();
    }
}

fn text_of(program: &str, args: &[&str]) -> String {
    String::from_utf8(Command::new(program).args(args).output().unwrap().stdout).unwrap().trim().to_owned()
}

/// The parts that a probe reports as present.
fn present_parts(probe: &Value) -> Vec<String> {
    let parts = probe["parts"].as_array().unwrap().iter();
    parts.filter(|part| part["there"] == true).map(|part| part["what"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn an_ssh_agent_has_terminal_hooks_and_transcript_and_survives_a_disconnect() {
    const TEST: &str = "an_ssh_agent_has_terminal_hooks_and_transcript_and_survives_a_disconnect";
    if need_sim(TEST).is_none() {
        return;
    }
    let console = Console::new();
    let Some(far) = SshServer::start(&console, TEST) else { return };
    far.set(&console, "far");
    console.sandbox.write("it's here", "1\n");
    let line = [
        "--simulated",
        "--mode",
        "bypassPermissions",
        "--runner",
        "far",
        "--prompt",
        "say [[say:it's \"$HOME\"; from afar]]",
    ];
    let id = console.start(&line);
    console.wait_message("an answer", &id, |m| m["content"] == "it's \"$HOME\"; from afar");
    console.wait_idle(&id);
    assert_eq!(console.show(&id)["runner"], "far");
    assert!(!far.connections.lock().unwrap().is_empty(), "the session did not use the ssh server");
    console.ok(&["session", "send", &id, "and now [[bash:pwd > where]] [[hang]]"]);
    let file = console.sandbox.project().join("where");
    console.wait_message("the tool's end", &id, |m| m["tool_calls"][0]["output"].is_string());
    assert_eq!(fs::read_to_string(&file).unwrap().trim(), console.sandbox.project().to_str().unwrap());
    let before = console.messages(&id);
    far.cut();
    let shown = console.wait("the pause", &id, |shown| shown["status"] == "paused");
    assert_eq!(shown["pause_reason"], "interrupted", "{shown}");
    let after = console.messages(&id);
    assert!(after.starts_with(&before), "recorded messages are lost: {after:?}");
    console.ok(&["session", "resume", &id, "--prompt", "again [[say:back]]"]);
    console.wait_message("an answer after the cut", &id, |m| m["content"] == "back");
    console.wait_idle(&id);
    console.ok(&["session", "pause", &id]);
    assert_eq!(console.show(&id)["pause_reason"], "user");
}

#[test]
fn the_real_claude_works_over_ssh() {
    const TEST: &str = "the_real_claude_works_over_ssh";
    let Some((console, api)) = with_claude(Console::new(), TEST) else { return };
    let Some(far) = SshServer::start(&console, TEST) else { return };
    far.set(&console, "far");
    let parts = present_parts(&console.json(&["fleet", "runner", "far"]));
    assert_eq!(parts, ["terminal", "folder", "program", "hooks", "transcript"]);
    let id = console.start(&["--runner", "far", "--prompt", "first [[bash:echo made > made]]"]);
    let asks = console.wait("a request", &id, |shown| !shown["live"]["permissions"][0]["id"].is_null());
    let request = asks["live"]["permissions"][0]["id"].as_str().unwrap().to_owned();
    console.ok(&["session", "permission", &id, &request, "--allow"]);
    console.wait_idle(&id);
    assert_eq!(console.sandbox.read("made"), "made\n");
    console.ok(&["session", "send", &id, "second [[say:heard]]"]);
    api.wait_for("second", TIMEOUT);
    console.wait_message("an answer", &id, |m| m["content"] == "heard");
    far.cut();
    let shown = console.wait("the pause", &id, |shown| shown["status"] == "paused");
    assert_eq!(shown["pause_reason"], "interrupted", "{shown}");
    console.ok(&["session", "resume", &id, "--prompt", "third [[say:back again]]"]);
    console.wait_message("an answer after the cut", &id, |m| m["content"] == "back again");
    console.ok(&["session", "end", &id]);
}

#[test]
fn a_probe_lists_available_and_missing_capabilities() {
    const TEST: &str = "a_probe_lists_available_and_missing_capabilities";
    let console = Console::new();
    fs::create_dir_all(console.sandbox.claude_dir()).unwrap();
    let local = console.json(&["fleet", "runner", "local"]);
    assert!(present_parts(&local).starts_with(&["terminal".into(), "folder".into()]), "{local}");
    assert!(present_parts(&local).contains(&"hooks".to_owned()), "{local}");
    assert!(present_parts(&local).contains(&"private_prompts".to_owned()), "{local}");
    console.fails(&["fleet", "runner", "nowhere"], "usage", 2);
    console.fails(&["session", "start", "--simulated", "--runner", "nowhere"], "usage", 2);
    let Some(far) = SshServer::start(&console, TEST) else { return };
    far.set(&console, "far");
    console.ok(&["fleet", "settings", "runners.far.program", "/no/such/claude"]);
    let probe = console.json(&["fleet", "runner", "far"]);
    assert_eq!((&probe["probe"], &probe["reached"]), (&json!(true), &json!(true)), "{probe}");
    let parts = present_parts(&probe);
    assert!(["terminal", "folder", "hooks"].iter().all(|part| parts.iter().any(|p| p == part)), "{probe}");
    assert!(!parts.iter().any(|part| part == "program" || part == "private_prompts"), "{probe}");
    console.ok(&["fleet", "settings", "runners.far.console", "/no/such/console"]);
    assert!(!present_parts(&console.json(&["fleet", "runner", "far"])).contains(&"hooks".to_owned()));
    drop(far);
    let gone = console.json(&["fleet", "runner", "far"]);
    assert_eq!((&gone["probe"], &gone["reached"]), (&json!(false), &json!(false)), "{gone}");
    assert!(console.ok(&["fleet", "runner", "far"]).contains("no command ran"));
}

#[test]
fn a_local_runner_wraps_the_program() {
    if need_sim("a_local_runner_wraps_the_program").is_none() {
        return;
    }
    let console = Console::new();
    let wrapper = console.sandbox.script("wrapper", "echo \"$@\" > \"$WRAPPED\"; shift; exec \"$@\"");
    let log = console.sandbox.project().parent().unwrap().join("wrapped");
    let line = ["env".to_owned(), format!("WRAPPED={}", log.display()), wrapper.display().to_string()];
    let line: Vec<String> =
        line.into_iter().chain(["{session}", "{program}", "{args}"].map(str::to_owned)).collect();
    console.ok(&["fleet", "settings", "runners.wrap", &json!(line).to_string()]);
    let id = console.start(&["--simulated", "--runner", "wrap", "--prompt", "x [[say:wrapped]]"]);
    console.wait_message("an answer", &id, |m| m["content"] == "wrapped");
    assert!(fs::read_to_string(&log).unwrap().starts_with(&id));
}
