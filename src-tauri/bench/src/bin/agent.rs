//! A terminal program that answers at once: it echoes keys, and answers a request for a flood with the
//! requested bytes (see `bc_bench::output`). It takes the place of claude where only the transport is
//! measured.

use bc_bench::output::Flood;
use std::io::{Read, Write};

/// The maximum number of bytes per write.
const CHUNK: usize = 64 << 10;

fn main() -> std::io::Result<()> {
    let _raw = bc_process::terminal::raw()?;
    let (mut stdin, mut stdout) = (std::io::stdin(), std::io::stdout().lock());
    stdout.write_all(b"ready\r\n")?;
    stdout.flush()?;
    let mut typed = vec![0; 4096];
    loop {
        let n = stdin.read(&mut typed)?;
        if n == 0 {
            return Ok(());
        }
        match Flood::parse_request(&typed[..n]) {
            Some(flood) => print(&flood, &mut stdout)?,
            None => stdout.write_all(&typed[..n])?,
        }
        stdout.flush()?;
    }
}

fn print(flood: &Flood, stdout: &mut impl Write) -> std::io::Result<()> {
    let mut offset = 0;
    while offset < flood.length() {
        let piece = flood.at(offset, CHUNK);
        stdout.write_all(piece)?;
        offset += piece.len() as u64;
    }
    Ok(())
}
