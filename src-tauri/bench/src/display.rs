//! A screen that nobody looks at, and the moment at which something is on it.
//!
//! Xvfb keeps its picture in a file, so looking at it costs the programs that draw nothing. What a program
//! shows in the end is learned in a first run; in the others the moment is noted at which the screen first
//! shows that. Both programs of a comparison are watched in the same way.

use crate::error::BenchError;
use std::{
    fs::File,
    io::{BufRead, BufReader},
    os::unix::fs::FileExt,
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};
use tempfile::TempDir;

const WIDTH: usize = 1280;
const HEIGHT: usize = 800;
/// Every so manieth line of the screen is looked at.
const EVERY: usize = 24;
/// Between two looks. Twice that is the error of a measurement.
const LOOK: Duration = Duration::from_millis(2);
/// A screen that has not changed for so long shows what it will show.
const AT_REST: Duration = Duration::from_secs(3);
/// Beyond this nothing will come.
const PATIENCE: Duration = Duration::from_secs(60);

/// The screen.
pub(crate) struct Display {
    server: Child,
    picture: File,
    /// Where the pixels begin, and the bytes of a line.
    start: u64,
    line: usize,
    /// For `DISPLAY`.
    pub(crate) name: String,
    folder: TempDir,
}

/// Some lines of the screen.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Picture(Vec<u32>);

impl Picture {
    /// The pixels that say something: all but those of the background, or all where there is nothing else.
    fn ink(&self) -> Vec<usize> {
        let mut colours = std::collections::HashMap::new();
        self.0.iter().for_each(|pixel| *colours.entry(*pixel).or_insert(0usize) += 1);
        let background = colours.iter().max_by_key(|(_, count)| **count).map(|(colour, _)| *colour);
        let ink: Vec<usize> = (0..self.0.len()).filter(|&at| Some(self.0[at]) != background).collect();
        if ink.len() > 200 { ink } else { (0..self.0.len()).collect() }
    }
}

/// What a program shows in the end.
pub(crate) struct Shown {
    picture: Picture,
    ink: Vec<usize>,
}

impl Shown {
    /// Whether a picture shows it: a blinking cursor or a clock may differ.
    fn is(&self, picture: &Picture) -> bool {
        let same = self.ink.iter().filter(|&&at| self.picture.0[at] == picture.0[at]).count();
        same * 100 >= self.ink.len() * 97
    }

    /// Whether there is anything on it at all.
    pub(crate) fn is_blank(&self) -> bool {
        self.picture.0.iter().all(|pixel| *pixel & 0x00ff_ffff == 0)
    }
}

impl Display {
    /// Starts Xvfb on a display of its own.
    pub(crate) fn start() -> Result<Display, BenchError> {
        let folder = tempfile::tempdir().map_err(BenchError::io("a folder for the screen"))?;
        // A server that all windows come and go on; the product's programs are started elsewhere.
        #[allow(clippy::disallowed_methods, reason = "a part of the system, not of the product")]
        let mut command = Command::new("Xvfb");
        command.args([
            "-displayfd",
            "1",
            "-screen",
            "0",
            &format!("{WIDTH}x{HEIGHT}x24"),
            "-nolisten",
            "tcp",
            "-noreset",
        ]);
        command.arg("-fbdir").arg(folder.path()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut server = command.spawn().map_err(|_| BenchError::Missing {
            what: "Xvfb".to_owned(),
            hint: "windows are measured on it: install Debian's package xvfb",
        })?;
        let mut number = String::new();
        let stdout = server.stdout.take().expect("it was piped");
        BufReader::new(stdout).read_line(&mut number).map_err(BenchError::io("Xvfb's display"))?;
        let picture = folder.path().join("Xvfb_screen0");
        let picture = File::open(&picture).map_err(BenchError::io("Xvfb's picture"))?;
        let (start, line) = layout(&picture).map_err(BenchError::io("Xvfb's picture"))?;
        Ok(Display { server, picture, start, line, name: format!(":{}", number.trim()), folder })
    }

    /// What is on it now.
    pub(crate) fn look(&self) -> Result<Picture, BenchError> {
        let mut pixels = Vec::with_capacity(WIDTH * (HEIGHT / EVERY + 1));
        let mut line = vec![0; WIDTH * 4];
        for y in (EVERY / 2..HEIGHT).step_by(EVERY) {
            let at = self.start + (y * self.line) as u64;
            self.picture.read_exact_at(&mut line, at).map_err(BenchError::io("Xvfb's picture"))?;
            let pixel = |four: &[u8]| u32::from_le_bytes(four.try_into().expect("four bytes"));
            pixels.extend(line.chunks_exact(4).map(pixel));
        }
        Ok(Picture(pixels))
    }

    /// Waits until what is on it rests and the program does, and takes that for what the program shows.
    pub(crate) fn learn(&self, works: impl Fn() -> bool) -> Result<Shown, BenchError> {
        let begun = Instant::now();
        let (mut last, mut since) = (self.look()?, Instant::now());
        loop {
            thread::sleep(LOOK * 25);
            let now = self.look()?;
            if now != last || works() {
                (last, since) = (now, Instant::now());
            }
            let shown = Shown { ink: last.ink(), picture: last.clone() };
            if since.elapsed() >= AT_REST && !shown.is_blank() {
                return Ok(shown);
            }
            if begun.elapsed() > PATIENCE {
                return Err(BenchError::TimedOut { what: "a screen at rest".to_owned(), after: PATIENCE });
            }
        }
    }

    /// Waits until it shows that; how long after `begun` that was.
    pub(crate) fn wait_for(&self, shown: &Shown, begun: Instant) -> Result<Duration, BenchError> {
        loop {
            if shown.is(&self.look()?) {
                return Ok(begun.elapsed());
            }
            if begun.elapsed() > PATIENCE {
                return Err(BenchError::TimedOut {
                    what: "the window's picture".to_owned(),
                    after: PATIENCE,
                });
            }
            thread::sleep(LOOK);
        }
    }

    /// Waits until nothing is on it.
    pub(crate) fn wait_blank(&self) -> Result<(), BenchError> {
        let begun = Instant::now();
        let blank = |picture: Picture| Shown { ink: Vec::new(), picture }.is_blank();
        while !blank(self.look()?) {
            if begun.elapsed() > PATIENCE {
                return Err(BenchError::TimedOut { what: "an empty screen".to_owned(), after: PATIENCE });
            }
            thread::sleep(LOOK);
        }
        Ok(())
    }

    /// Keeps the whole picture for a person to look at, where `BC_BENCH_PICTURES` names a folder.
    pub(crate) fn keep(&self, name: &str) -> Result<(), BenchError> {
        let Some(folder) = std::env::var_os("BC_BENCH_PICTURES") else { return Ok(()) };
        let (from, to) = (self.folder.path().join("Xvfb_screen0"), Path::new(&folder).join(name));
        std::fs::copy(from, &to).map(drop).map_err(BenchError::io(format!("{}", to.display())))
    }
}

/// The header of the file is that of a window dump: numbers of four bytes, the highest first.
fn layout(picture: &File) -> std::io::Result<(u64, usize)> {
    let mut header = [0; 100];
    picture.read_exact_at(&mut header, 0)?;
    let number = |n: usize| u32::from_be_bytes(header[n * 4..][..4].try_into().expect("four bytes"));
    let (size, bits, line, colours) = (number(0), number(11), number(12), number(19));
    if bits != 32 {
        return Err(std::io::Error::other(format!("{bits} bits a pixel")));
    }
    Ok((u64::from(size) + u64::from(colours) * 12, line as usize))
}

impl Drop for Display {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}
