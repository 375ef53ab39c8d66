//! An end that is asked for from outside, by the session manager or by Ctrl+C: in order, so that where the
//! window was is kept. What runs in the sessions does not notice.

use std::io;
use tauri::AppHandle;

/// Ends the program when the first signal comes, and at once when a second one does.
#[cfg(unix)]
pub(crate) fn end_when_told(app: AppHandle) -> io::Result<()> {
    use signal_hook::{
        consts::{SIGHUP, SIGINT, SIGTERM},
        iterator::Signals,
    };
    let mut signals = Signals::new([SIGHUP, SIGINT, SIGTERM])?;
    std::thread::spawn(move || {
        let mut told = signals.forever();
        if told.next().is_some() {
            app.exit(0);
        }
        if let Some(signal) = told.next() {
            std::process::exit(128 + signal);
        }
    });
    Ok(())
}

/// Elsewhere the system closes the window.
#[cfg(not(unix))]
pub(crate) fn end_when_told(_app: AppHandle) -> io::Result<()> {
    Ok(())
}
