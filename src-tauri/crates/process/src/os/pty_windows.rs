//! Pseudo-terminals on Windows: a pseudo-console (`ConPTY`) with two pipes.

use super::{
    console::{self, Console},
    handle::{Event, raw, wait_any},
    pipe::{self, Call, Direction, Limits},
    processes::ENDED_BY_US,
    spawn::{self, Given, Spawned, Start},
};
use crate::{pty_command::PtyCommand, size::Size};
use std::{
    io::{self, Write},
    os::windows::io::OwnedHandle,
    ptr,
    sync::Arc,
    time::{Duration, Instant},
};
use windows_sys::Win32::Storage::FileSystem::ReadFile;

/// The maximum size of a read, in bytes.
const READ_MAX: usize = 64 << 10;

/// This process's end of a PTY. Dropping it closes the terminal.
pub(crate) struct PtyTerminal {
    console: Arc<Console>,
    /// Stops the reader and the writer.
    stop: Arc<Event>,
}

/// The program's output. It ends after `TerminalChild::wait` has closed the console, or when `PtyTerminal` is
/// dropped.
pub struct PtyReader {
    pipe: OwnedHandle,
    stop: Arc<Event>,
    /// A started read that has not completed yet. It fills `buffer`.
    started: Option<Call>,
    buffer: Box<[u8]>,
    /// The part of `buffer` that has not been returned to the caller yet.
    filled: std::ops::Range<usize>,
    ended: bool,
}

/// The program's input. Clones share the pipe.
pub struct PtyWriter {
    pipe: Arc<OwnedHandle>,
    stop: Arc<Event>,
}

pub(crate) struct TerminalChild {
    spawned: Spawned,
    console: Arc<Console>,
}

impl PtyTerminal {
    pub(crate) fn open(size: Size) -> Result<(PtyTerminal, PtyReader, PtyWriter), String> {
        open(size).map_err(|error| error.to_string())
    }

    pub(crate) fn spawn(
        &mut self,
        command: &PtyCommand,
        input: Option<Vec<u8>>,
    ) -> Result<TerminalChild, String> {
        if input.is_some() {
            return Err("on Windows, a program cannot have both a terminal and its own standard input".into());
        }
        let start = Start {
            program: &command.program,
            args: &command.args,
            cwd: &command.cwd,
            env: &command.env,
            flags: 0,
        };
        let spawned = self.console.with(|console| spawn::spawn(&start, &Given::Console(console)));
        let spawned = spawned.map_err(|error| error.to_string())?;
        console::remember(spawned.pid, &self.console);
        Ok(TerminalChild { spawned, console: Arc::clone(&self.console) })
    }

    pub(crate) fn resize(&self, size: Size) -> Result<(), String> {
        self.console.resize(size).map_err(|error| error.to_string())
    }
}

impl Drop for PtyTerminal {
    fn drop(&mut self) {
        self.console.close();
        self.stop.set();
    }
}

fn open(size: Size) -> io::Result<(PtyTerminal, PtyReader, PtyWriter)> {
    let (input, of_input) = pipe::pair(Direction::FromServer)?;
    let (output, of_output) = pipe::pair(Direction::ToServer)?;
    let console = Console::create(size, &of_input, &of_output)?;
    let stop = Arc::new(Event::new()?);
    let reader = PtyReader {
        pipe: output,
        stop: Arc::clone(&stop),
        started: None,
        buffer: vec![0; READ_MAX].into(),
        filled: 0..0,
        ended: false,
    };
    let writer = PtyWriter { pipe: Arc::new(input), stop: Arc::clone(&stop) };
    Ok((PtyTerminal { console, stop }, reader, writer))
}

impl TerminalChild {
    pub(crate) fn pid(&self) -> u32 {
        self.spawned.pid
    }

    /// Waits for the program to exit. Returns its exit code, or the signal name `Terminated` for the exit code
    /// that this program's termination and Ctrl+C share.
    pub(crate) fn wait(&mut self) -> io::Result<(Option<u32>, Option<String>)> {
        let code = self.spawned.wait();
        console::forget(self.spawned.pid);
        // The output ends only when the console is closed. Closing the console asks its remaining programs to
        // exit.
        self.console.close();
        Ok(match code? {
            ENDED_BY_US => (None, Some("Terminated".to_owned())),
            code => (Some(code), None),
        })
    }
}

impl PtyReader {
    /// Waits until output is available or ends.
    ///
    /// # Errors
    /// `TimedOut` if no output arrived within `within` (`None`: no limit).
    pub fn wait(&mut self, within: Option<Duration>) -> io::Result<()> {
        if self.ended || !self.filled.is_empty() {
            return Ok(());
        }
        let until = within.map(|within| Instant::now() + within);
        let mut call = match self.started.take() {
            Some(call) => call,
            None => match self.start() {
                Ok(call) => call,
                Err(error) if pipe::is_end(&error) => return self.end(),
                Err(error) => return Err(error),
            },
        };
        match wait_any(&[call.event.raw(), self.stop.raw()], until) {
            Ok(Some(0)) => self.finish(call),
            Ok(Some(_)) => {
                call.cancel(raw(&self.pipe));
                let _ = call.finish(raw(&self.pipe));
                self.end()
            }
            Ok(None) => {
                self.started = Some(call);
                Err(io::ErrorKind::TimedOut.into())
            }
            Err(error) => {
                self.started = Some(call);
                Err(error)
            }
        }
    }

    fn start(&mut self) -> io::Result<Call> {
        let mut call = Call::new()?;
        let (pipe, buffer) = (raw(&self.pipe), self.buffer.as_mut_ptr());
        let length = u32::try_from(READ_MAX).expect("64 KiB");
        // SAFETY: the buffer and the call live until the call completes, because `drop` waits for it. A
        // completed call sets its event.
        call.started(|overlapped| unsafe { ReadFile(pipe, buffer, length, ptr::null_mut(), overlapped) })?;
        Ok(call)
    }

    fn finish(&mut self, mut call: Call) -> io::Result<()> {
        match call.finish(raw(&self.pipe)) {
            Ok(0) => Ok(()),
            Ok(read) => {
                self.filled = 0..read;
                Ok(())
            }
            Err(error) if pipe::is_end(&error) => self.end(),
            Err(error) => Err(error),
        }
    }

    fn end(&mut self) -> io::Result<()> {
        self.ended = true;
        Ok(())
    }

    /// Returns bytes that [`PtyReader::wait`] has read, and 0 at the end of the output.
    ///
    /// # Errors
    /// `WouldBlock` if all of them were returned.
    pub fn read_burst(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if self.filled.is_empty() {
            return if self.ended { Ok(0) } else { Err(io::ErrorKind::WouldBlock.into()) };
        }
        let taken = buf.len().min(self.filled.len());
        let start = self.filled.start;
        buf[..taken].copy_from_slice(&self.buffer[start..start + taken]);
        self.filled.start += taken;
        Ok(taken)
    }
}

impl Drop for PtyReader {
    fn drop(&mut self) {
        if let Some(mut call) = self.started.take() {
            call.cancel(raw(&self.pipe));
            let _ = call.finish(raw(&self.pipe));
        }
    }
}

impl PtyWriter {
    /// Returns a second handle, which can write while the first one waits.
    pub fn try_clone(&self) -> io::Result<PtyWriter> {
        Ok(PtyWriter { pipe: Arc::clone(&self.pipe), stop: Arc::clone(&self.stop) })
    }

    /// Always writes 0 bytes, because every write on Windows can block. The caller then writes on a separate
    /// thread.
    pub fn write_now(&self, _buf: &[u8]) -> io::Result<usize> {
        Ok(0)
    }
}

impl Write for PtyWriter {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        pipe::write(&self.pipe, buf, Limits { stop: &self.stop, until: None })
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
