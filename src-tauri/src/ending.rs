//! Ends the program on a signal, as when the user logs out or presses Ctrl+C. The window closes normally, so
//! that its position is saved. Claude's sessions continue.

use std::io;
use tauri::AppHandle;

/// Ends the program normally at the first signal, and immediately at the second.
#[cfg(unix)]
pub(crate) fn end_on_signal(app: AppHandle) -> io::Result<()> {
    use signal_hook::{
        consts::{SIGHUP, SIGINT, SIGTERM},
        iterator::Signals,
    };
    let mut signals = Signals::new([SIGHUP, SIGINT, SIGTERM])?;
    std::thread::spawn(move || {
        let mut signals = signals.forever();
        if signals.next().is_some() {
            app.exit(0);
        }
        if let Some(signal) = signals.next() {
            std::process::exit(128 + signal);
        }
    });
    Ok(())
}

/// Does nothing: other systems close the window instead.
#[cfg(not(unix))]
pub(crate) fn end_on_signal(_app: AppHandle) -> io::Result<()> {
    Ok(())
}
