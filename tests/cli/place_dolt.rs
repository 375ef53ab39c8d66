//! A place whose agents use the Dolt server with the project's beads directly, while this machine is unreachable.

#![cfg(target_os = "linux")]
#![allow(clippy::disallowed_methods, reason = "the tests act as the user and the server's administrator")]

use crate::{
    console::{Console, need_sim},
    places::{Place, TIMEOUT},
};
use bc_testkit::{Sandbox, need_bd, need_dolt, wait_for};
use serde_json::{Value, json};
use std::{
    fs,
    net::{TcpListener, TcpStream},
    path::Path,
    process::{Child, Command, Stdio},
};

/// A Dolt server on the loopback interface. It is killed when the value is dropped.
struct Server {
    child: Child,
    port: u16,
}

impl Server {
    fn start(dolt: &Path, folder: &Path) -> Server {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        Server { child: Server::run(dolt, folder, port), port }
    }

    fn run(dolt: &Path, folder: &Path, port: u16) -> Child {
        fs::create_dir_all(folder).unwrap();
        let mut command = Command::new(dolt);
        command.args(["sql-server", "--host", "127.0.0.1", "--port", &port.to_string()]);
        command.current_dir(folder).env("HOME", folder).stdout(Stdio::null()).stderr(Stdio::null());
        let child = command.spawn().unwrap();
        wait_for("the Dolt server", TIMEOUT, || TcpStream::connect(("127.0.0.1", port)).ok());
        child
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A project whose beads are on the server, and its place `far`, which has bd.
fn place(test: &str, bd: &Path, dolt: &Path, server: &Server) -> Option<Place> {
    let mut sandbox = Sandbox::new();
    sandbox.install("bd", bd);
    // With this program, bd could start a server at the place, which must not happen.
    sandbox.install("dolt", dolt);
    sandbox.set("BD_DISABLE_METRICS", "1");
    let port = server.port.to_string();
    let mut init = sandbox.command(sandbox.bin().join("bd"));
    init.args(["init", "--server", "--external", "--server-host", "127.0.0.1", "--server-port", &port]);
    init.args(["--server-user", "root", "--prefix", "BC", "--skip-hooks", "--skip-agents", "--quiet"]);
    bc_testkit::sandbox::text_of("bd init", &init.output().expect("bd was started"));
    let variables = format!("export PATH='{}':$PATH BD_DISABLE_METRICS=1\n", sandbox.bin().display());
    Place::with_variables(Console::in_sandbox(sandbox), test, &variables)
}

#[test]
#[ignore = "takes long: a Dolt server"]
fn agents_at_a_place_use_the_dolt_server_while_the_users_machine_is_unreachable() {
    const TEST: &str = "agents_at_a_place_use_the_dolt_server_while_the_users_machine_is_unreachable";
    let (Some(bd), Some(dolt), Some(_)) = (need_bd(TEST), need_dolt(TEST), need_sim(TEST)) else { return };
    let data = tempfile::tempdir().unwrap();
    let server = Server::start(&dolt, data.path());
    let Some(place) = place(TEST, &bd, &dolt, &server) else { return };
    let console = place.console();
    let bead = console.bead("Fix the redirect", &[]);
    let later = console.bead("Fix the header", &[]);
    let address = format!("127.0.0.1:{}", server.port);
    console.fails(&["places", "change", "far", "--dolt-server", "127.0.0.1"], "usage", 2);
    let places = console.json(&["places", "change", "far", "--dolt-server", &address]);
    assert_eq!(places["places"][0]["dolt_server"], json!(address));

    let id = console.start(&["--bead", &bead, "--simulated", "--on", "far", "--mode", "bypassPermissions"]);
    console.wait_idle(&id);
    let actor = console.show(&id)["actor"].as_str().expect("the session has an actor").to_owned();
    console.ok(&[
        "session",
        "send",
        &id,
        &format!(
            "[[bash:until test -e go; do sleep 0.1; done; bd show {bead}; bd comment {bead} 'from there'; \
             bd create 'Found there' --json; touch asked]]"
        ),
    ]);
    let ssh = place.machine.bin.join("ssh");
    let working_ssh = fs::read_to_string(&ssh).unwrap();
    place.machine.script("ssh", "echo 'ssh: connect to host far: No route to host' >&2; exit 255");
    place.machine.far.cut();
    console.wait("an unreachable place", &id, |s| s["live"]["unreachable_since"].is_string());
    let worktree = place.worktree(&id);
    fs::write(worktree.join("go"), "").unwrap();
    wait_for("the agent's commands", TIMEOUT, || worktree.join("asked").exists().then_some(()));
    // The beads have changed before this machine can be reached again.
    let shown = console.json(&["bead", "show", &bead]);
    let comment = &shown["bead"]["comments"][0];
    assert_eq!(
        (text_of(comment, "text"), text_of(comment, "author")),
        ("from there", actor.as_str()),
        "{shown}"
    );
    let found = console.json(&["bead", "list"]).to_string();
    assert!(found.contains("Found there"), "{found}");
    assert!(console.show(&id)["live"]["unreachable_since"].is_string());

    fs::write(&ssh, working_ssh).unwrap();
    console.wait_idle(&id);
    console.json(&["session", "end", &id]);

    // A server that cannot be reached from the place is reported, and the session can be started again.
    console.ok(&["places", "change", "far", "--dolt-server", "127.0.0.1:1"]);
    let start =
        ["session", "start", "--bead", &later, "--simulated", "--on", "far", "--mode", "bypassPermissions"];
    let message = console.fails(&start, "host_unreachable", 1);
    assert!(message.contains("bd at the place cannot use the Dolt server at 127.0.0.1:1"), "{message}");
    let beads = place.worktree(&id).ancestors().nth(2).unwrap().join(".beads");
    assert!(
        beads.join("metadata.json").is_file() && !beads.join("dolt-server.pid").exists(),
        "a server was started"
    );

    // Without the setting, the commands go through this machine.
    console.ok(&["places", "change", "far", "--no-dolt-server"]);
    let paused = console.json(&["session", "list", "--status", "paused"]);
    let id = text_of(&paused["sessions"][0], "id").to_owned();
    console.ok(&["session", "resume", &id]);
    console.wait_idle(&id);
    console.ok(&["session", "send", &id, "[[bash:readlink \"$(command -v bd)\"]]"]);
    wait_for("the program that `bd` runs at the place", TIMEOUT, || {
        let recorded = fs::read_to_string(place.copy(&id).join("messages.jsonl")).unwrap();
        recorded.contains(crate::console::program().to_str().unwrap()).then_some(())
    });
    console.wait_idle(&id);
    console.json(&["session", "end", &id]);
}

fn text_of<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_default()
}
