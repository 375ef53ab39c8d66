//! The baseline programs. Each does only the minimum of a task:
//! - `read FILE`: starts, reads a file and prints it;
//! - `append FILE LINE`: starts and appends a line that is on disk when the program ends;
//! - `typed FILE FILE`: starts, reads beads and memories and parses each line into a struct;
//! - `socket`: a WebSocket server that echoes keys and answers a request for a flood from memory. It prints
//!   its port. It sends a flood in frames like the real server's, but only about [`AHEAD`] bytes beyond the
//!   acknowledged offset, because the UI's terminal emulator drops excess data;
//! - `relay PROGRAM`: a WebSocket server that runs the program in a PTY for each client and relays input and
//!   output. Like a session host, it leads its own process session.

use bc_bench::output::Flood;
use bc_process::{
    pty::{self, PtyCommand, PtyReader},
    size::Size,
};
use serde::Deserialize;
use std::{
    collections::BTreeMap,
    fs::OpenOptions,
    io::{self, Read, Write},
    net::{TcpListener, TcpStream},
    path::PathBuf,
    process::ExitCode,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread,
};
use tungstenite::{
    Message, WebSocket,
    handshake::server::{Request, Response},
    http::HeaderValue,
    protocol::Role,
};

/// The maximum payload of a frame, in bytes.
const CHUNK: usize = 64 << 10;

const SUBPROTOCOL: &str = "sec-websocket-protocol";

/// `socket` sends the next frame of a flood only if at most this number of bytes is unacknowledged.
const AHEAD: u64 = 16 << 20;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["read", file] => std::fs::read(file).and_then(|bytes| io::stdout().write_all(&bytes)),
        ["append", file, line] => append(file, line),
        ["typed", beads, memories] => typed(beads, memories),
        ["socket"] => listen(converse),
        ["relay", program] => lead_process_session().and_then(|()| {
            let program = PathBuf::from(program);
            listen(move |stream| relay(stream, program.clone()))
        }),
        _ => Err(io::Error::other(
            "usage: bc-bench-bare read FILE | append FILE LINE | typed FILE FILE | socket | relay PROGRAM",
        )),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bc-bench-bare: {error}");
            ExitCode::FAILURE
        }
    }
}

#[allow(clippy::disallowed_methods, reason = "the simplest way, with which ours is compared")]
fn append(file: &str, line: &str) -> io::Result<()> {
    let mut open = OpenOptions::new().create(true).append(true).open(file)?;
    open.write_all(format!("{line}\n").as_bytes())?;
    open.sync_data()?;
    println!("appended");
    Ok(())
}

/// A line of beads or memories, for `typed`.
#[derive(Deserialize)]
#[allow(dead_code, reason = "it is parsed and not used")]
struct Row {
    id: String,
    title: String,
    description: String,
    status: String,
    priority: u8,
    issue_type: String,
    created_at: String,
    updated_at: String,
    assignee: Option<String>,
    closed_at: Option<String>,
    labels: Vec<String>,
    #[serde(default)]
    dependencies: Vec<Dependency>,
    #[serde(default)]
    metadata: BTreeMap<String, String>,
}

#[derive(Deserialize)]
#[allow(dead_code, reason = "it is parsed and not used")]
struct Dependency {
    issue_id: String,
    depends_on_id: String,
    r#type: String,
    created_at: String,
    created_by: String,
}

fn typed(beads: &str, memories: &str) -> io::Result<()> {
    for file in [beads, memories] {
        let bytes = std::fs::read(file)?;
        let lines = bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        let rows: Result<Vec<Row>, _> = lines.map(serde_json::from_slice::<Row>).collect();
        println!("{}", rows.map_err(io::Error::other)?.len());
    }
    Ok(())
}

fn listen(converse: impl Fn(TcpStream) -> io::Result<()> + Clone + Send + 'static) -> io::Result<()> {
    let listener = TcpListener::bind(("127.0.0.1", 0))?;
    println!("{}", listener.local_addr()?.port());
    loop {
        let (stream, _) = listener.accept()?;
        let converse = converse.clone();
        thread::spawn(move || {
            if let Err(error) = converse(stream) {
                eprintln!("bc-bench-bare: {error}");
            }
        });
    }
}

fn converse(stream: TcpStream) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let writing = stream.try_clone()?;
    let mut socket = accept(stream)?;
    let mut has_screen = false;
    let mut sent = 0;
    let acknowledged = Arc::new(Acknowledged::default());
    loop {
        let typed = match socket.read() {
            Ok(Message::Binary(typed)) => typed,
            // Like the real server, answers the first resize message with a screen, which is empty here.
            Ok(Message::Text(text)) if text.contains("\"resize\"") && !has_screen => {
                has_screen = true;
                let screen = text.replace("resize", "screen");
                socket.send(Message::text(screen)).map_err(io::Error::other)?;
                socket.send(Message::binary(framed(0, b""))).map_err(io::Error::other)?;
                continue;
            }
            Ok(Message::Text(text)) => {
                if let Ok(Ack { offset }) = serde_json::from_str(&text) {
                    acknowledged.reached(offset);
                }
                continue;
            }
            Ok(_) => continue,
            Err(_) => {
                acknowledged.reached(u64::MAX);
                return Ok(());
            }
        };
        match Flood::parse_request(&typed) {
            None => {
                socket.send(Message::binary(framed(sent, &typed))).map_err(io::Error::other)?;
                sent += typed.len() as u64;
            }
            Some(flood) => {
                let from = sent;
                sent += flood.length();
                let mut writing = writing.try_clone()?;
                let acknowledged = Arc::clone(&acknowledged);
                // The flood is sent on a separate thread, so that this one can read acknowledgements.
                thread::spawn(move || send(&flood, from, &acknowledged, &mut writing));
            }
        }
    }
}

/// Starts a process session, as a session host does. Linux schedules each process session as one group.
fn lead_process_session() -> io::Result<()> {
    #[cfg(unix)]
    rustix::process::setsid()?;
    Ok(())
}

/// Runs the program in a PTY for one client, from its first resize message until the connection ends.
fn relay(stream: TcpStream, program: PathBuf) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let sending = stream.try_clone()?;
    let mut socket = accept(stream)?;
    let mut sending = WebSocket::from_raw_socket(sending, Role::Server, None);
    let mut writer = None;
    let mut running = None;
    while let Ok(message) = socket.read() {
        match (message, &mut writer) {
            (Message::Binary(typed), Some(writer)) => Write::write_all(writer, &typed)?,
            (Message::Text(text), None) if text.contains("\"resize\"") => {
                let screen = text.replace("resize", "screen");
                sending.send(Message::text(screen)).map_err(io::Error::other)?;
                let env = std::env::vars_os().map(|(key, value)| (key, Some(value))).collect();
                let size = Size::new(24, 80);
                let cwd = std::env::current_dir()?;
                let command = PtyCommand { program: program.clone(), args: Vec::new(), cwd, env, size };
                let started = pty::start(&command).map_err(io::Error::other)?;
                let stream = sending.get_ref().try_clone()?;
                thread::spawn(move || {
                    send_output(started.reader, &mut WebSocket::from_raw_socket(stream, Role::Server, None))
                });
                (writer, running) = (Some(started.writer), Some((started.pty, started.child)));
            }
            _ => {}
        }
    }
    drop(running);
    Ok(())
}

/// Accepts a WebSocket, and confirms our subprotocol if the client offers it.
#[allow(clippy::result_large_err, reason = "the library's own type for a refusal")]
fn accept(stream: TcpStream) -> io::Result<WebSocket<TcpStream>> {
    let answer = |request: &Request, mut answer: Response| {
        let offered = request.headers().get(SUBPROTOCOL).and_then(|offered| offered.to_str().ok());
        if offered.is_some_and(|offered| offered.split(',').any(|one| one.trim() == "beads-console")) {
            answer.headers_mut().insert(SUBPROTOCOL, HeaderValue::from_static("beads-console"));
        }
        Ok(answer)
    };
    tungstenite::accept_hdr(stream, answer).map_err(|error| io::Error::other(error.to_string()))
}

fn send_output(mut reader: PtyReader, socket: &mut WebSocket<TcpStream>) {
    let mut chunk = vec![0; CHUNK];
    let mut sent = 0;
    while let Ok(n @ 1..) = reader.read(&mut chunk) {
        if socket.send(Message::binary(framed(sent, &chunk[..n]))).is_err() {
            break;
        }
        sent += n as u64;
    }
}

#[derive(Deserialize)]
struct Ack {
    offset: u64,
}

/// The offset that a client has acknowledged.
#[derive(Default)]
struct Acknowledged {
    offset: Mutex<u64>,
    changed: Condvar,
}

impl Acknowledged {
    fn now(&self) -> MutexGuard<'_, u64> {
        self.offset.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn reached(&self, offset: u64) {
        *self.now() = offset;
        self.changed.notify_all();
    }

    /// Waits until at most [`AHEAD`] of the bytes before offset `sent` are unacknowledged.
    fn wait(&self, sent: u64) {
        let behind = |acknowledged: &mut u64| acknowledged.saturating_add(AHEAD) < sent;
        drop(self.changed.wait_while(self.now(), behind).unwrap_or_else(PoisonError::into_inner));
    }
}

fn framed(offset: u64, bytes: &[u8]) -> Vec<u8> {
    [&offset.to_le_bytes()[..], bytes].concat()
}

/// Sends a flood. Its frames are written directly to the stream, without the library, so that nothing is
/// copied twice.
fn send(flood: &Flood, from: u64, acknowledged: &Acknowledged, stream: &mut TcpStream) -> io::Result<()> {
    let mut frame = Vec::with_capacity(CHUNK + 32);
    let mut done = 0;
    while done < flood.length() {
        let length = (flood.length() - done).min(CHUNK as u64);
        acknowledged.wait(from + done);
        frame.clear();
        // Browsers refuse a length that is written in a longer form than necessary.
        match u16::try_from(length + 8) {
            Ok(short) if short < 126 => frame.extend_from_slice(&[0x82, short as u8]),
            Ok(short) => {
                frame.extend_from_slice(&[0x82, 126]);
                frame.extend_from_slice(&short.to_be_bytes());
            }
            Err(_) => {
                frame.extend_from_slice(&[0x82, 127]);
                frame.extend_from_slice(&(length + 8).to_be_bytes());
            }
        }
        frame.extend_from_slice(&(from + done).to_le_bytes());
        let end = done + length;
        while done < end {
            let piece = flood.at(done, (end - done) as usize);
            frame.extend_from_slice(piece);
            done += piece.len() as u64;
        }
        stream.write_all(&frame)?;
    }
    Ok(())
}
