//! Reads the terminal: on its own thread, and for a moment after a key also on the typing client's thread.
//!
//! A program that only echoes answers sooner than the kernel wakes a thread. So the client's thread polls for the
//! echo for a moment and forwards it, without waking another thread between the program and the client. If a program
//! takes longer, as claude does, the polling soon stops.
//!
//! Invariant: output is forwarded completely and in order, whichever thread reads it.

use crate::{
    actor::ActorInput,
    frame::Output,
    output_fanout::{Notify, OutputFanout},
};
use bc_process::pty::PtyReader;
use std::{
    hint, io,
    sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc::SyncSender},
    thread,
    time::{Duration, Instant},
};

/// The limit of one read, in bytes.
const READ_MAX: usize = 64 << 10;

/// The delay before the actor is notified of output: waiting clients get the CPU first, and related output is
/// reported once.
const NOTIFY_AFTER: Duration = Duration::from_millis(2);

/// The longest delay before the actor is notified, however little and however often the program prints.
const NOTIFY_AT_LATEST: Duration = Duration::from_millis(20);

/// The limit of an echo that the client's thread reads, in bytes; the reader thread reads the rest.
const ECHO_MAX: usize = 4 << 10;

/// How long to poll for an echo: the time in which a slow system wakes a program twice.
const ECHO_WITHIN: Duration = Duration::from_micros(200);

/// CPU pauses between two polls: constant polling would delay the echo.
const SPINS: u32 = 20;

/// Reads the terminal's output and forwards it to the clients.
pub(crate) struct OutputReader {
    fanout: Arc<OutputFanout>,
    inbox: SyncSender<ActorInput>,
    /// Held from a read until its output is forwarded.
    turn: Mutex<Option<EchoReader>>,
}

/// The parts for polling; absent where polling is useless, and after the terminal's end.
struct EchoReader {
    reader: PtyReader,
    chunk: Output,
    echo_polling: EchoPolling,
}

impl OutputReader {
    /// Starts reading on its own thread, until the terminal ends.
    pub(crate) fn start(
        reader: PtyReader,
        fanout: Arc<OutputFanout>,
        inbox: SyncSender<ActorInput>,
    ) -> io::Result<Arc<OutputReader>> {
        // With a single CPU, a program cannot answer while a thread polls.
        let polls = thread::available_parallelism().is_ok_and(|processors| processors.get() > 1);
        let second = polls.then(|| reader.try_clone().ok()).flatten();
        let echo_reader = second.map(|reader| EchoReader {
            reader,
            chunk: Output::with_room(ECHO_MAX),
            echo_polling: EchoPolling::default(),
        });
        let output_reader = Arc::new(OutputReader { fanout, inbox, turn: Mutex::new(echo_reader) });
        let own = Arc::clone(&output_reader);
        thread::Builder::new().name("pty-out".into()).spawn(move || own.read(reader))?;
        Ok(output_reader)
    }

    fn read(&self, mut reader: PtyReader) {
        // Output is forwarded without delay even on a busy machine.
        bc_process::set_low_latency();
        let mut chunk = Output::with_room(READ_MAX);
        let mut unnotified_since: Option<Instant> = None;
        loop {
            let come = reader.wait(unnotified_since.map(|_| NOTIFY_AFTER));
            let read = come.and_then(|()| {
                let _turn = self.turn();
                let read = chunk.fill(|room| reader.read_burst(room))?;
                Ok((read > 0).then(|| self.fanout.add(&mut chunk)))
            });
            let outcome = match read {
                Ok(Some(notify)) => notify,
                // The client's thread has read it.
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => Notify::Nothing,
                Err(error) if error.kind() == io::ErrorKind::TimedOut => Notify::Now,
                Ok(None) | Err(_) => break,
            };
            let notify = match outcome {
                Notify::Now => true,
                Notify::Soon => {
                    unnotified_since.get_or_insert_with(Instant::now).elapsed() >= NOTIFY_AT_LATEST
                }
                Notify::Nothing => unnotified_since.is_some_and(|since| since.elapsed() >= NOTIFY_AT_LATEST),
            };
            if notify {
                unnotified_since = None;
                if self.inbox.send(ActorInput::Output).is_err() {
                    break;
                }
            }
        }
        // The terminal is only hung up when every handle is closed.
        drop((reader, self.turn().take()));
        for last in [ActorInput::Output, ActorInput::OutputEnded] {
            // The receiver was dropped.
            let _ = self.inbox.send(last);
        }
    }

    /// A key was sent to the program: forwards its echo if that comes at once. The caller must not hold the actor,
    /// which may be notified.
    pub(crate) fn poll_for_echo(&self) {
        let begun = Instant::now();
        let mut echo_polling = None;
        while begun.elapsed() < ECHO_WITHIN {
            // Another thread is already reading.
            let Ok(mut turn) = self.turn.try_lock() else { return };
            let Some(echo_reader) = turn.as_mut() else { return };
            if !*echo_polling.get_or_insert_with(|| echo_reader.echo_polling.should_poll()) {
                return;
            }
            if echo_reader.reader.has_input() {
                let notify = self.forward(echo_reader);
                drop(turn);
                if notify.is_some_and(|notify| notify != Notify::Nothing) {
                    // The receiver was dropped.
                    let _ = self.inbox.send(ActorInput::Output);
                }
                return;
            }
            drop(turn);
            (0..SPINS).for_each(|_| hint::spin_loop());
        }
    }

    fn forward(&self, echo_reader: &mut EchoReader) -> Option<Notify> {
        // If output has to wait for the actor, the reader thread waits.
        if self.fanout.is_much() {
            return None;
        }
        // The reader thread meets the end or the error as well.
        echo_reader.chunk.fill(|room| echo_reader.reader.read_burst(room)).ok().filter(|read| *read > 0)?;
        echo_reader.echo_polling.on_echo();
        Some(self.fanout.add(&mut echo_reader.chunk))
    }

    fn turn(&self) -> MutexGuard<'_, Option<EchoReader>> {
        // The next read does not depend on earlier ones.
        self.turn.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Decides whether the program's echoes come soon enough to poll for them.
#[derive(Debug, Default)]
struct EchoPolling {
    /// Keys since the last echo in time.
    unanswered: u32,
}

impl EchoPolling {
    /// After this many keys without an echo, not every key is polled.
    const ALWAYS_BELOW: u32 = 3;

    /// Then only one of this many keys is polled.
    const THEN_EVERY: u32 = 32;

    /// Whether to poll for the echo of one more key.
    fn should_poll(&mut self) -> bool {
        let before = self.unanswered;
        self.unanswered = before.wrapping_add(1);
        before < EchoPolling::ALWAYS_BELOW || before.is_multiple_of(EchoPolling::THEN_EVERY)
    }

    /// An echo came in time.
    fn on_echo(&mut self) {
        self.unanswered = 0;
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
        output_reader: Arc<OutputReader>,
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
            let output_reader = OutputReader::start(reader, Arc::clone(&fanout), sender).unwrap();
            let started = Some((pty, writer, child));
            let mut program = Program { started, fanout, output_reader, inbox, taken: Vec::new() };
            program.until(|taken| taken == b"ready");
            program.taken.clear();
            program
        }

        /// Takes output, as the actor does, until `all` is true; false when the terminal has ended.
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
            program.output_reader.poll_for_echo();
        }
        assert!(program.until(|taken| taken.len() >= keys.len()));
        assert_eq!(program.taken, keys);
    }

    #[test]
    fn a_flood_stays_in_order_while_keys_are_typed() {
        let mut program = Program::of("read -r go; seq 1 100000");
        program.started.as_mut().unwrap().1.write_all(b"\n").unwrap();
        let output_reader = Arc::clone(&program.output_reader);
        thread::scope(|scope| {
            scope.spawn(|| {
                // As if every earlier key had been echoed in time.
                while output_reader
                    .turn()
                    .as_mut()
                    .map(|echo_reader| echo_reader.echo_polling.on_echo())
                    .is_some()
                {
                    output_reader.poll_for_echo();
                }
            });
            assert!(!program.until(|_| false));
        });
        let expected: String = (1..=100_000).map(|n| format!("{n}\n")).collect();
        assert!(program.taken == expected.as_bytes(), "{} of {} bytes", program.taken.len(), expected.len());
    }

    #[test]
    fn the_terminal_hangs_up_although_the_echo_reader_has_a_handle() {
        let mut program = Program::of("exec sleep 600");
        let (pty, writer, child) = program.started.take().unwrap();
        drop(writer);
        pty.hang_up();
        assert_eq!(child.wait().unwrap().signal.as_deref(), Some("Hangup"));
        assert!(!program.until(|_| false));
        program.output_reader.poll_for_echo();
    }

    #[test]
    fn a_slow_program_is_soon_polled_rarely_and_a_quick_one_for_every_key() {
        let mut echo_polling = EchoPolling::default();
        assert_eq!(
            (0..1000).filter(|_| echo_polling.should_poll()).count() as u32,
            EchoPolling::ALWAYS_BELOW + 1000 / EchoPolling::THEN_EVERY
        );
        echo_polling.on_echo();
        assert!((0..1000).all(|_| {
            let should_poll = echo_polling.should_poll();
            echo_polling.on_echo();
            should_poll
        }));
    }
}
