//! Pseudo-consoles, and a registry of the program that runs in each one.

use super::handle::raw;
use crate::size::Size;
use std::{
    collections::HashMap,
    io,
    os::windows::io::OwnedHandle,
    sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError, Weak},
    thread,
};
use windows_sys::Win32::System::Console::{
    COORD, ClosePseudoConsole, CreatePseudoConsole, HPCON, ResizePseudoConsole,
};

/// A pseudo-console. When it is closed, its programs receive a console event and have a short time to exit.
#[derive(Debug)]
pub(super) struct Console(Mutex<Option<HPCON>>);

/// The terminals of running programs, by the program's pid.
static TERMINALS: LazyLock<Mutex<HashMap<u32, Weak<Console>>>> = LazyLock::new(Mutex::default);

fn terminals() -> MutexGuard<'static, HashMap<u32, Weak<Console>>> {
    // Each change is one call, so a poisoned lock is still usable.
    TERMINALS.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Console {
    /// Creates a console that reads its input from one pipe and writes its output to the other.
    ///
    /// No flags are set: with `PSEUDOCONSOLE_INHERIT_CURSOR`, the console would wait until a terminal reports
    /// the cursor position, and a session may have no terminal.
    pub(super) fn create(size: Size, input: &OwnedHandle, output: &OwnedHandle) -> io::Result<Arc<Console>> {
        let mut console = HPCON::default();
        // SAFETY: both pipes are open; the console duplicates them.
        let result =
            unsafe { CreatePseudoConsole(coordinates(size), raw(input), raw(output), 0, &raw mut console) };
        checked(result)?;
        Ok(Arc::new(Console(Mutex::new(Some(console)))))
    }

    fn lock(&self) -> MutexGuard<'_, Option<HPCON>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Calls `act` with the console. Returns `NotConnected` if the console was closed.
    pub(super) fn with<T>(&self, act: impl FnOnce(HPCON) -> io::Result<T>) -> io::Result<T> {
        let console = self.lock();
        act(console.ok_or_else(|| io::Error::new(io::ErrorKind::NotConnected, "the terminal is closed"))?)
    }

    pub(super) fn resize(&self, size: Size) -> io::Result<()> {
        // SAFETY: the console is open while its lock is held.
        self.with(|console| checked(unsafe { ResizePseudoConsole(console, coordinates(size)) }))
    }

    /// Closes the console once. The call runs on its own thread, because before Windows 11 24H2 it blocks
    /// until all output has been read.
    pub(super) fn close(&self) {
        let Some(console) = self.lock().take() else { return };
        // SAFETY: the console was taken from the lock, so no other code uses it.
        let close = move || unsafe { ClosePseudoConsole(console) };
        if thread::Builder::new().name("close-console".into()).spawn(close).is_err() {
            // If no thread can be started, block this one: a console that stays open would be worse.
            close();
        }
    }
}

impl Drop for Console {
    fn drop(&mut self) {
        self.close();
    }
}

pub(super) fn remember(pid: u32, console: &Arc<Console>) {
    terminals().insert(pid, Arc::downgrade(console));
}

pub(super) fn forget(pid: u32) {
    terminals().remove(&pid);
}

/// Closes the terminal in which this process started the program. Returns false if the program has no such
/// terminal, or if the terminal is already closed.
pub(super) fn close_terminal_of(pid: u32) -> bool {
    let console = terminals().get(&pid).and_then(Weak::upgrade);
    let open = console.filter(|console| console.lock().is_some());
    open.map(|console| console.close()).is_some()
}

fn coordinates(size: Size) -> COORD {
    let side = |cells: u16| i16::try_from(cells).unwrap_or(i16::MAX);
    COORD { X: side(size.cols()), Y: side(size.rows()) }
}

fn checked(result: i32) -> io::Result<()> {
    match result {
        0.. => Ok(()),
        _ => Err(io::Error::from_raw_os_error(result)),
    }
}
