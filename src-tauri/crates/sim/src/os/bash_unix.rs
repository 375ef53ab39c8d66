//! The Bash tool on Unix. A command line runs in a separate process session, as in claude.

use crate::{command_end::Ended, shared::Shared};
use bc_process::{
    descendants::Signal,
    pty::{self, Exit, PtyCommand, PtyError},
    size::Size,
};
use std::{
    ffi::OsString,
    io::Read,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::{Receiver, sync_channel},
    },
    thread,
    time::Duration,
};

/// The time limit for a command, as in claude.
const LONGEST: Duration = Duration::from_secs(120);

/// The maximum wait for the exit, and then for the rest of the output. If the output stays open longer, a
/// child process that outlived the command holds it.
const DRAIN: Duration = Duration::from_millis(300);

/// Runs a command line until it exits, the user presses Esc, or [`LONGEST`] has passed.
pub(crate) fn bash(line: &str, shared: &Arc<Shared>) -> Result<Ended, PtyError> {
    let started = pty::start(&command(line, &shared.cwd))?;
    let output = collect(started.reader);
    let (sender, exited) = sync_channel::<Option<Exit>>(1);
    let done = Arc::new(AtomicBool::new(false));
    let (child, waker, set_done) = (started.child, Arc::clone(shared), Arc::clone(&done));
    thread::spawn(move || {
        let _ = sender.send(child.wait().ok());
        set_done.store(true, Ordering::SeqCst);
        waker.interrupt.wake();
    });
    let is_done = || done.load(Ordering::SeqCst);
    let interrupted = shared.interrupt.wait(LONGEST, is_done);
    if !is_done() {
        // An error is ignored: a command that does not react loses its terminal below.
        let _ = started.pty.signal(Signal::Term);
    }
    let exit = exited.recv_timeout(DRAIN).ok().flatten();
    let text = output.recv_timeout(DRAIN).ok();
    started.pty.hang_up();
    let text = text.or_else(|| output.recv_timeout(DRAIN).ok()).unwrap_or_default();
    let output = bc_core::text::plain(&String::from_utf8_lossy(&text).replace("\r\n", "\n"));
    Ok(Ended { code: exit.and_then(|exit| exit.code), output, interrupted })
}

fn command(line: &str, cwd: &Path) -> PtyCommand {
    let set = |key: &str, value: &str| (OsString::from(key), Some(OsString::from(value)));
    PtyCommand {
        program: "/bin/sh".into(),
        // The input is empty, because no user can answer a program that reads it.
        args: ["-c", "exec </dev/null; eval \"$1\"", "sh", line].map(OsString::from).into(),
        cwd: cwd.to_owned(),
        env: vec![set("TERM", "dumb"), set("NO_COLOR", "1"), set("PAGER", "cat"), set("GIT_PAGER", "cat")],
        size: Size::default(),
    }
}

fn collect(mut reader: impl Read + Send + 'static) -> Receiver<Vec<u8>> {
    let (sender, receiver) = sync_channel(1);
    thread::spawn(move || {
        const KEPT: usize = 30_000;
        let mut kept = Vec::new();
        let mut chunk = [0u8; 8192];
        while let Ok(n @ 1..) = reader.read(&mut chunk) {
            let room = KEPT.saturating_sub(kept.len()).min(n);
            kept.extend_from_slice(&chunk[..room]);
        }
        let _ = sender.send(kept);
    });
    receiver
}
