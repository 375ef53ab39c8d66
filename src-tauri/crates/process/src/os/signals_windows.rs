//! Maps the console events of Windows to signals, and passes signals to their watchers.

use super::handle::checked;
use crate::handled_signal::HandledSignal;
use std::{
    io,
    sync::{
        Mutex, MutexGuard, PoisonError,
        mpsc::{Sender, channel},
    },
    thread,
    time::Duration,
};
use windows_sys::Win32::System::Console::{
    CTRL_BREAK_EVENT, CTRL_C_EVENT, CTRL_CLOSE_EVENT, CTRL_LOGOFF_EVENT, CTRL_SHUTDOWN_EVENT,
    SetConsoleCtrlHandler,
};

/// How long the handler blocks on a close, logoff or shutdown. Windows terminates the process when the
/// handler returns, or at the latest after a few seconds.
const FINAL: Duration = Duration::from_secs(60);

type Watcher = (Vec<HandledSignal>, Sender<HandledSignal>);

static WATCHERS: Mutex<Vec<Watcher>> = Mutex::new(Vec::new());

fn watchers() -> MutexGuard<'static, Vec<Watcher>> {
    // Each change is one call, so a poisoned lock is still usable.
    WATCHERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Calls `act` on a separate thread for each of the wanted signals, until `act` returns false.
pub(crate) fn watch_signals(
    wanted: &[HandledSignal],
    mut act: Box<dyn FnMut(HandledSignal) -> bool + Send>,
) -> io::Result<()> {
    let (sender, signals) = channel();
    watchers().push((wanted.to_vec(), sender));
    // SAFETY: the handler is a function of this program and can run on any thread. Registering it again is
    // harmless.
    checked(unsafe { SetConsoleCtrlHandler(Some(on_event), 1) })?;
    thread::Builder::new().name("signals".into()).spawn(move || {
        while let Ok(signal) = signals.recv() {
            if !act(signal) {
                break;
            }
        }
    })?;
    Ok(())
}

/// Passes a signal to its watchers. Returns whether at least one watcher received it.
pub(super) fn publish(signal: HandledSignal) -> bool {
    let mut watched = false;
    watchers().retain(|(wanted, sender)| {
        let open = !wanted.contains(&signal) || sender.send(signal).is_ok();
        watched |= open && wanted.contains(&signal);
        open
    });
    watched
}

unsafe extern "system" fn on_event(event: u32) -> i32 {
    let (signal, is_final) = match event {
        CTRL_C_EVENT => (HandledSignal::Interrupt, false),
        CTRL_BREAK_EVENT => (HandledSignal::Terminate, false),
        CTRL_CLOSE_EVENT => (HandledSignal::HangUp, true),
        CTRL_LOGOFF_EVENT | CTRL_SHUTDOWN_EVENT => (HandledSignal::Terminate, true),
        _ => return 0,
    };
    let watched = publish(signal);
    if watched && is_final {
        thread::sleep(FINAL);
    }
    i32::from(watched)
}
