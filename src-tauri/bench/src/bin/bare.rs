//! The plain programs that ours are measured beside: they do only what cannot be left out.
//!
//! - `read FILE`: starts, reads a file and hands it on;
//! - `socket`: a WebSocket server that echoes keys and answers a request for a flood from memory, in the
//!   frames that the real one sends, as fast as the client takes them. It prints its port.

use bc_bench::output::Flood;
use std::{
    io::{self, Write},
    net::{TcpListener, TcpStream},
    process::ExitCode,
    thread,
};
use tungstenite::Message;

/// What the real server puts into one frame.
const CHUNK: usize = 64 << 10;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["read", file] => std::fs::read(file).and_then(|bytes| io::stdout().write_all(&bytes)),
        ["socket"] => listen(),
        _ => Err(io::Error::other("usage: bc-bench-bare read FILE | socket")),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bc-bench-bare: {error}");
            ExitCode::FAILURE
        }
    }
}

fn listen() -> io::Result<()> {
    let listener = TcpListener::bind(("127.0.0.1", 0))?;
    println!("{}", listener.local_addr()?.port());
    loop {
        let (stream, _) = listener.accept()?;
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
    let mut socket = tungstenite::accept(stream).map_err(io::Error::other)?;
    let mut shown = false;
    let mut sent = 0;
    loop {
        let typed = match socket.read() {
            Ok(Message::Binary(typed)) => typed,
            // As a terminal of the real one begins: a screen of the size that was asked for, here an empty one.
            Ok(Message::Text(said)) if said.contains("\"resize\"") && !shown => {
                shown = true;
                let screen = said.replace("resize", "screen");
                socket.send(Message::text(screen)).map_err(io::Error::other)?;
                socket.send(Message::binary(framed(0, b""))).map_err(io::Error::other)?;
                continue;
            }
            Ok(_) => continue,
            Err(_) => return Ok(()),
        };
        match Flood::asked(&typed) {
            None => {
                socket.send(Message::binary(framed(sent, &typed))).map_err(io::Error::other)?;
                sent += typed.len() as u64;
            }
            Some(flood) => {
                let from = sent;
                sent += flood.length();
                let mut writing = writing.try_clone()?;
                // Acknowledgements are read meanwhile, and nothing is made of them.
                thread::spawn(move || send(&flood, from, &mut writing));
            }
        }
    }
}

fn framed(offset: u64, bytes: &[u8]) -> Vec<u8> {
    [&offset.to_le_bytes()[..], bytes].concat()
}

/// Frames written by hand: a server's are not masked, and nothing is copied twice.
fn send(flood: &Flood, from: u64, stream: &mut TcpStream) -> io::Result<()> {
    let mut frame = Vec::with_capacity(CHUNK + 32);
    let mut done = 0;
    while done < flood.length() {
        let length = (flood.length() - done).min(CHUNK as u64);
        frame.clear();
        frame.extend_from_slice(&[0x82, 127]);
        frame.extend_from_slice(&(length + 8).to_be_bytes());
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
