//! `--on HOST`: a project over a loopback ssh server of the test, with its own keys.

#![cfg(target_os = "linux")]
#![allow(clippy::disallowed_methods, reason = "the tests act as the user and the server's administrator")]

use crate::{
    console::{Console, program},
    runners::SshServer,
    serve::{RunningServer, enter, rpc},
};
use bc_testkit::wait_until;
use serde_json::{Value, json};
use std::{
    env::join_paths,
    ffi::OsStr,
    fs,
    io::{BufRead, BufReader, Read},
    net::TcpStream,
    os::unix::fs::{PermissionsExt, symlink},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Duration,
};

const TIMEOUT: Duration = Duration::from_secs(60);

/// A remote machine. The `ssh` program in PATH reaches it under several host names.
pub(crate) struct Machine {
    pub(crate) console: Console,
    pub(crate) far: SshServer,
    pub(crate) bin: PathBuf,
}

impl Machine {
    /// If no ssh server is installed, prints a warning and returns `None`.
    pub(crate) fn start(test: &str) -> Option<Machine> {
        Machine::of(Console::new(), test)
    }

    /// Like [`Machine::start`], with an existing project.
    pub(crate) fn of(mut console: Console, test: &str) -> Option<Machine> {
        let bin = console.sandbox.project().parent().unwrap().join("bin-of-far");
        fs::create_dir_all(&bin).unwrap();
        let path = console.sandbox.env()[OsStr::new("PATH")].clone();
        let path = std::iter::once(bin.clone()).chain(std::env::split_paths(&path));
        console.sandbox.set("PATH", join_paths(path).unwrap());
        symlink(program(), bin.join("beads-console")).unwrap();
        let far = SshServer::start(&console, test)?;
        let machine = Machine { console, far, bin };
        machine.configure();
        Some(machine)
    }

    fn configure(&self) {
        let folder = self.far.folder();
        let user = String::from_utf8(Command::new("id").arg("-un").output().unwrap().stdout).unwrap();
        let known = |key: &str, file: &str| {
            let key = fs::read_to_string(folder.join(key)).unwrap();
            fs::write(folder.join(file), format!("[127.0.0.1]:{} {key}", self.far.port())).unwrap();
        };
        known("host.pub", "known");
        known("mine.pub", "changed");
        let host = |name: &str, port: u16, key: &str, known: &str| {
            format!(
                "Host {name}\n HostName 127.0.0.1\n Port {port}\n User {}\n IdentitiesOnly yes\n IdentityFile {1}/{key}\n \
                 UserKnownHostsFile {1}/{known}\n",
                user.trim(),
                folder.display(),
            )
        };
        let port = self.far.port();
        let config = [
            host("far", port, "mine", "known"),
            host("unknown", port, "mine", "none"),
            host("changed", port, "mine", "changed"),
            host("denied", port, "host", "known"),
            host("nowhere", 1, "mine", "known"),
        ];
        fs::write(folder.join("client"), config.concat() + "Host *\n GlobalKnownHostsFile none\n").unwrap();
        self.script("ssh", &format!("exec /usr/bin/ssh -F {}/client \"$@\"", folder.display()));
    }

    pub(crate) fn script(&self, name: &str, text: &str) {
        let file = self.bin.join(name);
        // The link is removed first, because writing through it would change its target.
        let _ = fs::remove_file(&file);
        fs::write(&file, format!("#!/bin/sh\n{text}\n")).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
    }

    pub(crate) fn project(&self) -> &str {
        self.console.sandbox.project().to_str().unwrap()
    }

    /// Runs a command that must fail. Returns the message and the hint.
    pub(crate) fn fails(&self, line: &[&str], code: &str, exit: i32) -> String {
        self.console.fails(line, code, exit)
    }
}

#[test]
fn a_project_of_another_machine_is_open_until_the_connection_ends() {
    const TEST: &str = "a_project_of_another_machine_is_open_until_the_connection_ends";
    let Some(machine) = Machine::start(TEST) else { return };
    let console = &machine.console;
    let mut remote = RunningServer::of(console.command(&["--on", "far", machine.project()]));
    assert_eq!(remote.line["on"], "far");
    let page = enter(remote.line["url"].as_str().unwrap()).expect("the link works on this machine");
    let projects = rpc(&page, "app.projects", json!({}));
    assert_eq!(projects["projects"][0]["root"], machine.project());
    assert!(!machine.far.is_unused(), "the connection did not use the ssh server");

    // The killed program cannot stop the remote server, which must exit when the connection is closed.
    remote.child.kill().unwrap();
    remote.child.wait().unwrap();
    wait_until("the end of the remote server", TIMEOUT, || console.run(&["serve", "--link"]).code == Some(3));
    assert!(TcpStream::connect(("127.0.0.1", page.0)).is_err());
}

#[test]
fn a_machine_that_cannot_be_used_is_reported_with_its_cause() {
    const TEST: &str = "a_machine_that_cannot_be_used_is_reported_with_its_cause";
    let Some(machine) = Machine::start(TEST) else { return };
    let message = machine.fails(&["--on", "nowhere"], "machine_unreachable", 1);
    assert!(message.contains("the connection to nowhere failed") && message.contains("refused"), "{message}");
    machine.fails(&["--on", "unknown"], "machine_unreachable", 1);
    machine.fails(&["--on", "changed"], "host_key_changed", 4);
    let message = machine.fails(&["--on", "denied"], "machine_unreachable", 1);
    assert!(message.contains("the login to"), "{message}");
    let message = machine.fails(&["--on", "far", "/no/such/folder"], "project_not_found", 3);
    assert!(message.starts_with("far: "), "{message}");

    // An option of ssh and shell commands are refused as addresses.
    let marker = machine.bin.join("mark");
    for bad in ["-oProxyCommand=touch MARK", "far;touch MARK", "$(touch MARK)"] {
        let host = format!("--on={}", bad.replace("MARK", marker.to_str().unwrap()));
        machine.fails(&[&host], "usage", 2);
    }
    let folder = format!("x'; touch {}; '", marker.display());
    machine.fails(&["--on", "far", &folder], "project_not_found", 3);
    assert!(!Path::new(&marker).exists());

    machine.script(
        "beads-console",
        "case $1 in --version) echo beads-console 0.0.1; exit;; esac\n\
         echo '{\"error\":{\"code\":\"usage\",\"message\":\"unexpected argument --while-stdin found\",\"hint\":null}}' >&2; exit 2",
    );
    let message = machine.fails(&["--on", "far"], "other_version", 4);
    assert!(message.contains("0.0.1"), "{message}");
    machine.script("beads-console", "echo 'oh\u{1b}[2Jno' >&2; exit 9");
    let message = machine.fails(&["--on", "far"], "machine_unreachable", 1);
    assert!(message.contains("exit code 9"), "{message}");
    fs::remove_file(machine.bin.join("beads-console")).unwrap();
    machine.fails(&["--on", "far"], "program_missing", 5);
}

#[test]
fn a_lost_connection_is_restored_and_open_tabs_continue() {
    const TEST: &str = "a_lost_connection_is_restored_and_open_tabs_continue";
    let Some(machine) = Machine::start(TEST) else { return };
    let mut command = machine.console.command(&["--on", "far", machine.project()]);
    command.stderr(Stdio::piped());
    let mut remote = RunningServer::of(command);
    let page = enter(remote.line["url"].as_str().unwrap()).unwrap();
    let mut errors = BufReader::new(remote.child.stderr.take().unwrap());
    let mut next = || {
        let mut line = String::new();
        errors.read_line(&mut line).unwrap();
        line
    };
    machine.far.cut();
    let line = next();
    assert!(line.contains("was lost"), "{line}");
    let line = next();
    assert!(line.contains("Connected to far again"), "{line}");
    let projects: Value = rpc(&page, "app.projects", json!({}));
    assert_eq!(projects["projects"][0]["root"], machine.project());
    remote.child.kill().unwrap();
    let mut rest = String::new();
    errors.read_to_string(&mut rest).unwrap();
    assert!(!rest.contains("lost"), "{rest}");
}
