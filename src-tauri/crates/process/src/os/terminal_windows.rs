//! The terminal of this process on Windows: a console that sends keys in the form of a Unix terminal.

use super::{
    handle::{Event, checked, wait_any},
    signals,
};
use crate::{handled_signal::HandledSignal, size::Size};
use std::{
    io::{self, IsTerminal, Read},
    os::windows::io::{AsRawHandle, IntoRawHandle},
    sync::Arc,
};
use windows_sys::Win32::{
    Foundation::{HANDLE, INVALID_HANDLE_VALUE},
    System::Console::{
        CONSOLE_SCREEN_BUFFER_INFO, DISABLE_NEWLINE_AUTO_RETURN, ENABLE_PROCESSED_OUTPUT,
        ENABLE_VIRTUAL_TERMINAL_INPUT, ENABLE_VIRTUAL_TERMINAL_PROCESSING, ENABLE_WINDOW_INPUT, GetConsoleCP,
        GetConsoleMode, GetConsoleOutputCP, GetConsoleScreenBufferInfo, GetStdHandle, INPUT_RECORD,
        KEY_EVENT, ReadConsoleInputW, STD_ERROR_HANDLE, STD_INPUT_HANDLE, STD_OUTPUT_HANDLE, SetConsoleCP,
        SetConsoleMode, SetConsoleOutputCP, SetStdHandle, WINDOW_BUFFER_SIZE_EVENT,
    },
};

const UTF_8: u32 = 65001;

/// The maximum number of events per read.
const EVENTS: usize = 128;

/// Raw mode while this value exists. Dropping it restores the previous mode, even during a panic.
pub(crate) struct RawMode {
    input: u32,
    output: Option<u32>,
    pages: (u32, u32),
}

fn stdin() -> HANDLE {
    io::stdin().as_raw_handle() as HANDLE
}

fn stdout() -> HANDLE {
    io::stdout().as_raw_handle() as HANDLE
}

fn mode_of(console: HANDLE) -> io::Result<u32> {
    let mut mode = 0;
    // SAFETY: the mode is written only on success. If the handle is not a console, the call returns an error.
    checked(unsafe { GetConsoleMode(console, &raw mut mode) })?;
    Ok(mode)
}

fn set_mode(console: HANDLE, mode: u32) -> io::Result<()> {
    // SAFETY: no pointers are passed.
    checked(unsafe { SetConsoleMode(console, mode) })
}

/// Uses the console for each missing standard stream. A parent that starts this process in a pseudo-console
/// may pass no handles.
fn adopt_console() -> io::Result<()> {
    let streams =
        [(STD_INPUT_HANDLE, "CONIN$"), (STD_OUTPUT_HANDLE, "CONOUT$"), (STD_ERROR_HANDLE, "CONOUT$")];
    for (stream, name) in streams {
        // SAFETY: no pointers are passed.
        let handle = unsafe { GetStdHandle(stream) };
        if handle.is_null() || handle == INVALID_HANDLE_VALUE {
            let console = std::fs::File::options().read(true).write(true).open(name)?;
            // SAFETY: the handle is open. It is never closed, because it is the standard stream from now on.
            checked(unsafe { SetStdHandle(stream, console.into_raw_handle() as HANDLE) })?;
        }
    }
    Ok(())
}

impl RawMode {
    pub(crate) fn enter() -> io::Result<RawMode> {
        // Ignore an error: without a console, the streams stay unchanged, and the check below fails.
        let _ = adopt_console();
        if !io::stdin().is_terminal() {
            return Err(io::Error::new(io::ErrorKind::Unsupported, "standard input is not a terminal"));
        }
        // SAFETY: no pointers are passed.
        let pages = unsafe { (GetConsoleCP(), GetConsoleOutputCP()) };
        let before = RawMode { input: mode_of(stdin())?, output: mode_of(stdout()).ok(), pages };
        set_mode(stdin(), ENABLE_VIRTUAL_TERMINAL_INPUT | ENABLE_WINDOW_INPUT)?;
        if before.output.is_some() {
            let escapes = ENABLE_PROCESSED_OUTPUT | ENABLE_VIRTUAL_TERMINAL_PROCESSING;
            set_mode(stdout(), escapes | DISABLE_NEWLINE_AUTO_RETURN)?;
        }
        // SAFETY: no pointers are passed.
        unsafe {
            SetConsoleCP(UTF_8);
            SetConsoleOutputCP(UTF_8);
        }
        Ok(before)
    }
}

impl Drop for RawMode {
    fn drop(&mut self) {
        // Ignore errors: if the console was closed, nothing can be restored.
        let _ = set_mode(stdin(), self.input);
        if let Some(output) = self.output {
            let _ = set_mode(stdout(), output);
        }
        // SAFETY: no pointers are passed.
        unsafe {
            SetConsoleCP(self.pages.0);
            SetConsoleOutputCP(self.pages.1);
        }
    }
}

/// The size of the visible part of the console.
pub(crate) fn window_size() -> Option<Size> {
    let mut info = CONSOLE_SCREEN_BUFFER_INFO::default();
    // SAFETY: `info` is written only on success. If the handle is not a console, the call returns an error.
    checked(unsafe { GetConsoleScreenBufferInfo(stdout(), &raw mut info) }).ok()?;
    let window = info.srWindow;
    let rows = u16::try_from(i32::from(window.Bottom) - i32::from(window.Top) + 1).ok()?;
    let cols = u16::try_from(i32::from(window.Right) - i32::from(window.Left) + 1).ok()?;
    (rows > 0 && cols > 0).then(|| Size::new(rows, cols))
}

/// Reads standard input until [`StdinKeysStop`] is dropped.
pub struct StdinKeys {
    stop: Arc<Event>,
    /// Bytes read from the console that have not been returned yet.
    read: Vec<u8>,
    /// The first half of a surrogate pair, if the second half has not been read yet.
    high: Option<u16>,
}

/// Stops the reader when it is dropped.
pub struct StdinKeysStop(Arc<Event>);

impl Drop for StdinKeysStop {
    fn drop(&mut self) {
        self.0.set();
    }
}

pub(crate) fn keys() -> io::Result<(StdinKeys, StdinKeysStop)> {
    let stop = Arc::new(Event::new()?);
    Ok((StdinKeys { stop: Arc::clone(&stop), read: Vec::new(), high: None }, StdinKeysStop(stop)))
}

impl Read for StdinKeys {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        while self.read.is_empty() {
            match wait_any(&[self.stop.raw(), stdin()], None)? {
                Some(1) if mode_of(stdin()).is_ok() => self.take_events()?,
                // Standard input is redirected; read it directly.
                Some(1) => return io::stdin().read(buf),
                _ => return Ok(0),
            }
        }
        let taken = buf.len().min(self.read.len());
        buf[..taken].copy_from_slice(&self.read[..taken]);
        self.read.drain(..taken);
        Ok(taken)
    }
}

impl StdinKeys {
    /// Reads the console's events. Keys become bytes; a new console size becomes a signal.
    fn take_events(&mut self) -> io::Result<()> {
        let mut events = [INPUT_RECORD::default(); EVENTS];
        let mut count = 0;
        let length = u32::try_from(EVENTS).expect("128");
        // SAFETY: the array has the given length.
        checked(unsafe { ReadConsoleInputW(stdin(), events.as_mut_ptr(), length, &raw mut count) })?;
        let mut resized = false;
        for event in &events[..(count as usize).min(EVENTS)] {
            match u32::from(event.EventType) {
                KEY_EVENT => {
                    // SAFETY: the event's type selects the valid part of the union.
                    let key = unsafe { event.Event.KeyEvent };
                    // SAFETY: `ReadConsoleInputW` returns characters in UTF-16.
                    let unit = unsafe { key.uChar.UnicodeChar };
                    // A character entered by its code with the Alt key arrives when Alt is released.
                    let entered = key.bKeyDown != 0 || key.wVirtualKeyCode == 0x12;
                    if entered && unit != 0 {
                        (0..key.wRepeatCount.max(1)).for_each(|_| self.push(unit));
                    }
                }
                WINDOW_BUFFER_SIZE_EVENT => resized = true,
                _ => {}
            }
        }
        if resized {
            signals::publish(HandledSignal::Resized);
        }
        Ok(())
    }

    fn push(&mut self, unit: u16) {
        let units: Vec<u16> = self.high.take().into_iter().chain([unit]).collect();
        if (0xD800..0xDC00).contains(&unit) {
            self.high = Some(unit);
            return;
        }
        self.read.extend(String::from_utf16_lossy(&units).into_bytes());
    }
}
