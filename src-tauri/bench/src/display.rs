//! A virtual screen, and the time until a picture appears on it.
//!
//! Xvfb keeps its picture in a file, so reading the picture does not slow down the programs that draw. A
//! first run finds the program's final picture; later runs measure the time until the screen first shows it.
//! Both programs of a comparison are measured in this way.

use crate::error::BenchError;
use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read, Seek, SeekFrom},
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};
use tempfile::TempDir;

const WIDTH: usize = 1280;
const HEIGHT: usize = 800;
/// The distance between two sampled lines, in lines.
const LINE_STEP: usize = 24;
/// The time between two samples in [`Display::wait_for`], which is about its measurement error.
const SAMPLE_INTERVAL: Duration = Duration::from_millis(2);
/// A screen that has not changed for this time shows the final picture.
const AT_REST: Duration = Duration::from_secs(3);
const TIMEOUT: Duration = Duration::from_secs(60);

/// A virtual screen: an Xvfb process, and the file with its picture.
pub(crate) struct Display {
    server: Child,
    picture: File,
    /// The offset of the pixels in `picture`, in bytes. `line` is the number of bytes per line.
    start: u64,
    line: usize,
    /// The value of `DISPLAY`.
    pub(crate) name: String,
    folder: TempDir,
}

/// The pixels of the sampled lines.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Picture(Vec<u32>);

impl Picture {
    /// The positions of the significant pixels: those that differ from the most frequent colour. If at most
    /// 200 differ, all pixels are significant.
    fn ink(&self) -> Vec<usize> {
        let mut colours = std::collections::HashMap::new();
        self.0.iter().for_each(|pixel| *colours.entry(*pixel).or_insert(0usize) += 1);
        let background = colours.iter().max_by_key(|(_, count)| **count).map(|(colour, _)| *colour);
        let ink: Vec<usize> = (0..self.0.len()).filter(|&at| Some(self.0[at]) != background).collect();
        if ink.len() > 200 { ink } else { (0..self.0.len()).collect() }
    }
}

/// A program's final picture, and the positions of its significant pixels.
pub(crate) struct FinalPicture {
    picture: Picture,
    ink: Vec<usize>,
}

impl FinalPicture {
    /// Whether at least 97 % of the significant pixels are the same in `picture`. The rest may be a blinking
    /// cursor or a clock.
    fn matches(&self, picture: &Picture) -> bool {
        let same = self.ink.iter().filter(|&&at| self.picture.0[at] == picture.0[at]).count();
        same * 100 >= self.ink.len() * 97
    }

    pub(crate) fn is_blank(&self) -> bool {
        self.picture.0.iter().all(|pixel| *pixel & 0x00ff_ffff == 0)
    }
}

impl Display {
    /// Starts Xvfb on a free display number.
    pub(crate) fn start() -> Result<Display, BenchError> {
        let folder = tempfile::tempdir().map_err(BenchError::io("a folder for the screen"))?;
        // The lint is meant for programs that the product starts; Xvfb is only a measuring tool.
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
            hint: "install Debian's package xvfb; the rows of the window need it",
        })?;
        let mut number = String::new();
        let stdout = server.stdout.take().expect("it was piped");
        BufReader::new(stdout).read_line(&mut number).map_err(BenchError::io("Xvfb's display"))?;
        let picture = folder.path().join("Xvfb_screen0");
        let picture = File::open(&picture).map_err(BenchError::io("Xvfb's picture"))?;
        let (start, line) = layout(&picture).map_err(BenchError::io("Xvfb's picture"))?;
        Ok(Display { server, picture, start, line, name: format!(":{}", number.trim()), folder })
    }

    /// The pixels of the sampled lines, as the screen shows them now.
    pub(crate) fn sample(&self) -> Result<Picture, BenchError> {
        let mut pixels = Vec::with_capacity(WIDTH * (HEIGHT / LINE_STEP + 1));
        let mut line = vec![0; WIDTH * 4];
        for y in (LINE_STEP / 2..HEIGHT).step_by(LINE_STEP) {
            let at = self.start + (y * self.line) as u64;
            read_at(&self.picture, at, &mut line).map_err(BenchError::io("Xvfb's picture"))?;
            let pixel = |four: &[u8]| u32::from_le_bytes(four.try_into().expect("four bytes"));
            pixels.extend(line.chunks_exact(4).map(pixel));
        }
        Ok(Picture(pixels))
    }

    /// Returns the final picture: one that is not blank and was unchanged for [`AT_REST`] while `works` was
    /// false. Fails after [`TIMEOUT`].
    pub(crate) fn learn(&self, works: impl Fn() -> bool) -> Result<FinalPicture, BenchError> {
        let started = Instant::now();
        let (mut last, mut since) = (self.sample()?, Instant::now());
        loop {
            thread::sleep(SAMPLE_INTERVAL * 25);
            let now = self.sample()?;
            if now != last || works() {
                (last, since) = (now, Instant::now());
            }
            let shown = FinalPicture { ink: last.ink(), picture: last.clone() };
            if since.elapsed() >= AT_REST && !shown.is_blank() {
                return Ok(shown);
            }
            if started.elapsed() > TIMEOUT {
                return Err(BenchError::TimedOut { what: "a screen at rest".to_owned(), after: TIMEOUT });
            }
        }
    }

    /// Waits until the screen shows this picture, and returns the time since `started`.
    pub(crate) fn wait_for(&self, shown: &FinalPicture, started: Instant) -> Result<Duration, BenchError> {
        loop {
            if shown.matches(&self.sample()?) {
                return Ok(started.elapsed());
            }
            if started.elapsed() > TIMEOUT {
                return Err(BenchError::TimedOut { what: "the window's picture".to_owned(), after: TIMEOUT });
            }
            thread::sleep(SAMPLE_INTERVAL);
        }
    }

    /// Waits until the screen is black, which shows that the previous program has closed its window.
    pub(crate) fn wait_blank(&self) -> Result<(), BenchError> {
        let started = Instant::now();
        let blank = |picture: Picture| FinalPicture { ink: Vec::new(), picture }.is_blank();
        while !blank(self.sample()?) {
            if started.elapsed() > TIMEOUT {
                return Err(BenchError::TimedOut { what: "an empty screen".to_owned(), after: TIMEOUT });
            }
            thread::sleep(SAMPLE_INTERVAL);
        }
        Ok(())
    }

    /// Saves the screen's picture in the folder that `BC_BENCH_PICTURES` names, if it is set.
    pub(crate) fn save_picture(&self, name: &str) -> Result<(), BenchError> {
        let Some(folder) = std::env::var_os("BC_BENCH_PICTURES") else { return Ok(()) };
        let (from, to) = (self.folder.path().join("Xvfb_screen0"), Path::new(&folder).join(name));
        std::fs::copy(from, &to).map(drop).map_err(BenchError::io(format!("{}", to.display())))
    }
}

fn read_at(mut picture: &File, offset: u64, bytes: &mut [u8]) -> io::Result<()> {
    picture.seek(SeekFrom::Start(offset))?;
    picture.read_exact(bytes)
}

/// The offset of the pixels, and the bytes per line. The file begins with the header of a window dump:
/// big-endian numbers of four bytes.
fn layout(picture: &File) -> io::Result<(u64, usize)> {
    let mut header = [0; 100];
    read_at(picture, 0, &mut header)?;
    let number = |n: usize| u32::from_be_bytes(header[n * 4..][..4].try_into().expect("four bytes"));
    let (size, bits, line, colours) = (number(0), number(11), number(12), number(19));
    if bits != 32 {
        return Err(io::Error::other(format!("{bits} bits per pixel")));
    }
    Ok((u64::from(size) + u64::from(colours) * 12, line as usize))
}

impl Drop for Display {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}
