//! Reads the terminal on its own thread.
//!
//! Invariant: output is forwarded completely and in order.

use crate::{
    actor::ActorInput,
    frame::Output,
    output_fanout::{Notify, OutputFanout},
};
use bc_process::pty::PtyReader;
use std::{
    io,
    sync::{Arc, mpsc::SyncSender},
    thread,
    time::{Duration, Instant},
};

/// The maximum size of one read, in bytes.
const READ_MAX: usize = 64 << 10;

/// The delay before the actor is notified of output, so that waiting clients get the CPU first and related
/// output is reported once.
const NOTIFY_AFTER: Duration = Duration::from_millis(2);

/// The longest delay before the actor is notified, even if the program keeps printing.
const NOTIFY_AT_LATEST: Duration = Duration::from_millis(20);

/// Starts the thread that forwards the terminal's output to the clients until the output ends.
pub(crate) fn start(
    reader: PtyReader,
    fanout: Arc<OutputFanout>,
    inbox: SyncSender<ActorInput>,
) -> io::Result<()> {
    thread::Builder::new().name("pty-out".into()).spawn(move || read(reader, &fanout, &inbox))?;
    Ok(())
}

fn read(mut reader: PtyReader, fanout: &OutputFanout, inbox: &SyncSender<ActorInput>) {
    let mut chunk = Output::with_room(READ_MAX);
    let mut unnotified_since: Option<Instant> = None;
    loop {
        let arrived = reader.wait(unnotified_since.map(|_| NOTIFY_AFTER));
        let read = arrived.and_then(|()| {
            let read = chunk.fill(|room| reader.read_burst(room))?;
            Ok((read > 0).then(|| fanout.add(&mut chunk)))
        });
        let outcome = match read {
            Ok(Some(notify)) => notify,
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Notify::Nothing,
            Err(error) if error.kind() == io::ErrorKind::TimedOut => Notify::Now,
            Ok(None) | Err(_) => break,
        };
        let notify = match outcome {
            Notify::Now => true,
            Notify::Soon => unnotified_since.get_or_insert_with(Instant::now).elapsed() >= NOTIFY_AT_LATEST,
            Notify::Nothing => unnotified_since.is_some_and(|since| since.elapsed() >= NOTIFY_AT_LATEST),
        };
        if notify {
            unnotified_since = None;
            if inbox.send(ActorInput::Output).is_err() {
                break;
            }
        }
    }
    // The terminal is hung up only after all its handles are closed.
    drop(reader);
    for last in [ActorInput::Output, ActorInput::OutputEnded] {
        // This fails only if the actor has ended.
        let _ = inbox.send(last);
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use bc_process::{
        pty::{self, PtyCommand, Started},
        size::Size,
    };
    use std::{
        io::Write,
        sync::mpsc::{Receiver, sync_channel},
    };

    struct Program {
        started: Option<(pty::Pty, pty::PtyWriter, pty::PtyChild)>,
        fanout: Arc<OutputFanout>,
        inbox: Receiver<ActorInput>,
        taken: Vec<u8>,
    }

    impl Program {
        fn of(script: &str) -> Program {
            let command = PtyCommand {
                program: "/bin/sh".into(),
                args: vec!["-c".into(), format!("stty raw -echo; printf ready; {script}").into()],
                cwd: std::env::temp_dir(),
                env: Vec::new(),
                size: Size::new(24, 80),
            };
            let Started { pty, reader, writer, child } = pty::start(&command).unwrap();
            let (sender, inbox) = sync_channel(256);
            let fanout = Arc::new(OutputFanout::default());
            start(reader, Arc::clone(&fanout), sender).unwrap();
            let started = Some((pty, writer, child));
            let mut program = Program { started, fanout, inbox, taken: Vec::new() };
            program.until(|taken| taken == b"ready");
            program.taken.clear();
            program
        }

        /// Takes output, as the actor does, until `all` returns true. Returns false if the output ends first.
        fn until(&mut self, all: impl Fn(&[u8]) -> bool) -> bool {
            while !all(&self.taken) {
                let ended = matches!(self.inbox.recv().unwrap(), ActorInput::OutputEnded);
                self.taken.extend(self.fanout.take());
                if ended {
                    return all(&self.taken);
                }
            }
            true
        }
    }

    #[test]
    fn each_echo_is_forwarded_once_and_the_actor_is_notified() {
        let mut program = Program::of("exec cat");
        let keys: Vec<u8> = (0..2000u32).map(|n| b'a' + (n % 26) as u8).collect();
        for key in keys.chunks(2) {
            program.started.as_mut().unwrap().1.write_all(key).unwrap();
        }
        assert!(program.until(|taken| taken.len() >= keys.len()));
        assert_eq!(program.taken, keys);
    }

    #[test]
    fn a_flood_stays_in_order() {
        let mut program = Program::of("read -r go; seq 1 100000");
        program.started.as_mut().unwrap().1.write_all(b"\n").unwrap();
        assert!(!program.until(|_| false));
        let expected: String = (1..=100_000).map(|n| format!("{n}\n")).collect();
        assert!(program.taken == expected.as_bytes(), "{} of {} bytes", program.taken.len(), expected.len());
    }

    #[test]
    fn a_hung_up_terminal_ends_the_output() {
        let mut program = Program::of("exec sleep 600");
        let (pty, writer, child) = program.started.take().unwrap();
        drop(writer);
        pty.hang_up();
        assert_eq!(child.wait().unwrap().signal.as_deref(), Some("Hangup"));
        assert!(!program.until(|_| false));
    }
}
