//! A program for a terminal that answers at once: keys are echoed, and a request for a flood is answered
//! with that many bytes of known output. It stands in claude's place where the way of the bytes is measured
//! and not claude.

use bc_bench::output::Flood;
use std::io::{Read, Write};

/// How much is printed at a time, as a busy program does.
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
        match Flood::asked(&typed[..n]) {
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
