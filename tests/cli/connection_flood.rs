//! Silent and invalid connections to every local socket: those of a session's host, the engine and the
//! server. The connections' memory is freed, and no command is blocked.

#![cfg(target_os = "linux")]

use crate::{
    console::{Console, need_sim},
    serve::{RunningServer, enter},
};
use bc_testkit::wait_until;
use serde_json::Value;
use std::{collections::VecDeque, fs, io::Write, os::unix::net::UnixStream, path::PathBuf, time::Duration};

const TIMEOUT: Duration = Duration::from_secs(120);

/// The allowed memory growth in KiB, which is more than ordinary work causes.
const SLACK: u64 = 48 << 10;

/// The numbers of invalid connections and of silent connections to each socket.
const GARBAGE: usize = 9000;
const IDLE: usize = 512;

/// Invalid messages: an empty one, other protocols, and messages that are shorter than their announced length.
fn garbage() -> Vec<Vec<u8>> {
    let announced = |length: u32, sent: usize| {
        let mut bytes = vec![b'c'];
        bytes.extend_from_slice(&length.to_le_bytes());
        bytes.resize(5 + sent, b' ');
        bytes
    };
    vec![
        Vec::new(),
        b"GET / HTTP/1.1\r\n\r\n".to_vec(),
        vec![0; 4096],
        announced(u32::MAX, 0),
        announced(4 << 20, 16),
        announced(4 << 20, 100 << 10),
        b"c".to_vec(),
        b"{\"id\":".repeat(1000),
        b"link".to_vec(),
    ]
}

fn sockets(console: &Console) -> Vec<PathBuf> {
    let folder = console.sandbox.project().ancestors().find_map(|base| {
        let folder = base.join("run/beads-console");
        folder.is_dir().then_some(folder)
    });
    let entries = fs::read_dir(folder.expect("a runtime folder")).unwrap();
    entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "sock"))
        .collect()
}

/// The resident memory of a process, in KiB.
fn memory(pid: &Value) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

#[test]
fn garbage_and_idle_connections_block_no_command() {
    if need_sim("garbage_and_idle_connections_block_no_command").is_none() {
        return;
    }
    let console = Console::new();
    let server = RunningServer::start(&console);
    let id = console.start(&["--simulated", "--prompt", "hello"]);
    console.wait("an idle agent", &id, |session| session["live"]["activity"] == "idle");
    let host = console.show(&id)["live"]["host_pid"].clone();
    let pids = [&server.line["pid"], &host];
    let before = pids.map(memory);

    let sockets = sockets(&console);
    assert_eq!(sockets.len(), 3, "the host's, the engine's and the server's: {sockets:?}");
    for socket in &sockets {
        let mut recent = VecDeque::new();
        for (n, bytes) in garbage().iter().cycle().take(GARBAGE).enumerate() {
            let mut stream =
                UnixStream::connect(socket).unwrap_or_else(|e| panic!("{n}: {}: {e}", socket.display()));
            stream.set_write_timeout(Some(TIMEOUT)).unwrap();
            // The server side may already have closed the connection.
            let _ = stream.write_all(bytes);
            recent.push_back(stream);
            if recent.len() > 100 {
                recent.pop_front();
            }
        }
    }
    for (pid, before) in pids.iter().zip(before) {
        wait_until("the memory to be freed", TIMEOUT, || memory(pid) < before + SLACK);
    }

    let hello = {
        let text = br#"{"version":1,"role":"control"}"#;
        let mut bytes = vec![b'c'];
        bytes.extend_from_slice(&u32::try_from(text.len()).unwrap().to_le_bytes());
        bytes.extend_from_slice(text);
        bytes
    };
    let mut idle = Vec::new();
    for socket in &sockets {
        for n in 0..IDLE {
            let mut stream = UnixStream::connect(socket).unwrap();
            // Every second connection first sends the greeting that a host expects.
            let _ = stream.write_all(if n % 2 == 0 { &hello } else { b"" });
            idle.push(stream);
        }
    }
    console.ok(&["session", "send", &id, "still here"]);
    console.wait("the answer", &id, |session| {
        session["live"]["activity"] == "idle" && session["message_count"].as_u64() >= Some(4)
    });
    assert!(console.ok(&["session", "transcript", &id]).contains("still here"));
    console.ok(&["bead", "list"]);
    let link: Value = serde_json::from_str(&console.ok(&["serve", "--link"])).unwrap();
    assert!(enter(link["url"].as_str().unwrap()).is_some());
    console.ok(&["session", "pause", &id]);
    drop(idle);
}
