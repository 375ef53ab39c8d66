//! Who reads the terminal: a thread of its own, and for a moment whoever has just typed a key.
//!
//! A program that only echoes answers sooner than the system wakes a thread. So the client's thread that typed looks
//! for the answer itself for a moment, and hands it on without anybody's having to wake up between the program and
//! the client. With a program that takes longer, as claude does, it soon stops looking.
//!
//! Invariant: what is read is handed on whole and in the order in which it was printed, whoever reads it.

use crate::{
    frame::Output,
    owner::Input,
    printed::{Printed, Tell},
};
use bc_process::pty::PtyReader;
use std::{
    hint, io,
    sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc::SyncSender},
    thread,
    time::{Duration, Instant},
};

/// How much of what is printed is handed on at a time, in bytes.
const READ: usize = 64 << 10;

/// So long the owner is not told of what was printed: who waits for it has the processor first, and what belongs
/// together is told once.
const REST: Duration = Duration::from_millis(2);

/// However little and however often is printed, the owner hears of it after so long.
const UNTOLD: Duration = Duration::from_millis(20);

/// What whoever typed reads of an answer, in bytes; the thread reads the rest.
const ANSWER: usize = 4 << 10;

/// How long an answer is looked for: what a slow system takes to wake a program twice.
const LOOKS: Duration = Duration::from_micros(200);

/// The processor's pauses between two looks: the system brings an answer sooner when it is not asked for it all the time.
const PAUSES: u32 = 20;

/// The terminal's output on its way to the clients.
pub(crate) struct Reading {
    printed: Arc<Printed>,
    inbox: SyncSender<Input>,
    /// Held from a read until what was read is handed on.
    turn: Mutex<Option<Typist>>,
}

/// What whoever typed looks with; there is none where it would be of no use, and once the terminal has ended.
struct Typist {
    reader: PtyReader,
    chunk: Output,
    worth: Worth,
}

impl Reading {
    /// Reads from here on, in a thread of its own, until the terminal ends.
    pub(crate) fn start(
        reader: PtyReader,
        printed: Arc<Printed>,
        inbox: SyncSender<Input>,
    ) -> io::Result<Arc<Reading>> {
        // On the only processor a program cannot answer while somebody looks.
        let looks = thread::available_parallelism().is_ok_and(|processors| processors.get() > 1);
        let second = looks.then(|| reader.try_clone().ok()).flatten();
        let typist =
            second.map(|reader| Typist { reader, chunk: Output::with_room(ANSWER), worth: Worth::default() });
        let reading = Arc::new(Reading { printed, inbox, turn: Mutex::new(typist) });
        let own = Arc::clone(&reading);
        thread::Builder::new().name("pty-out".into()).spawn(move || own.read(reader))?;
        Ok(reading)
    }

    fn read(&self, mut reader: PtyReader) {
        // What is printed goes on as soon as it is there, whatever computes meanwhile.
        bc_process::answers_at_once();
        let mut chunk = Output::with_room(READ);
        let mut untold: Option<Instant> = None;
        loop {
            let come = reader.wait(untold.map(|_| REST));
            let read = come.and_then(|()| {
                let _turn = self.turn();
                let read = chunk.fill(|room| reader.read_burst(room))?;
                Ok((read > 0).then(|| self.printed.add(&mut chunk)))
            });
            let told = match read {
                Ok(Some(tell)) => tell,
                // Whoever typed has read it.
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => Tell::Nothing,
                Err(error) if error.kind() == io::ErrorKind::TimedOut => Tell::Now,
                Ok(None) | Err(_) => break,
            };
            let tell = match told {
                Tell::Now => true,
                Tell::Soon => untold.get_or_insert_with(Instant::now).elapsed() >= UNTOLD,
                Tell::Nothing => untold.is_some_and(|since| since.elapsed() >= UNTOLD),
            };
            if tell {
                untold = None;
                if self.inbox.send(Input::Output).is_err() {
                    break;
                }
            }
        }
        // As long as anybody holds it, the terminal is not hung up.
        drop((reader, self.turn().take()));
        for last in [Input::Output, Input::OutputEnded] {
            // An owner that is gone needs no word.
            let _ = self.inbox.send(last);
        }
    }

    /// A key is on its way to the program: hands on what it prints for it, if it does so at once. Whoever calls this is
    /// not the owner, who is told when there is something to draw.
    pub(crate) fn look_for_answer(&self) {
        let begun = Instant::now();
        let mut worth = None;
        while begun.elapsed() < LOOKS {
            // Otherwise somebody is reading already.
            let Ok(mut turn) = self.turn.try_lock() else { return };
            let Some(typist) = turn.as_mut() else { return };
            if !*worth.get_or_insert_with(|| typist.worth.tries()) {
                return;
            }
            if typist.reader.has_some() {
                let tell = self.hand_on(typist);
                drop(turn);
                if tell.is_some_and(|tell| tell != Tell::Nothing) {
                    // An owner that is gone needs no word.
                    let _ = self.inbox.send(Input::Output);
                }
                return;
            }
            drop(turn);
            (0..PAUSES).for_each(|_| hint::spin_loop());
        }
    }

    fn hand_on(&self, typist: &mut Typist) -> Option<Tell> {
        // When what is printed has to wait for the owner, the thread does.
        if self.printed.is_much() {
            return None;
        }
        // The end, and what fails, is met by the thread as well.
        typist.chunk.fill(|room| typist.reader.read_burst(room)).ok().filter(|read| *read > 0)?;
        typist.worth.came();
        Some(self.printed.add(&mut typist.chunk))
    }

    fn turn(&self) -> MutexGuard<'_, Option<Typist>> {
        // What comes next does not depend on what was read before.
        self.turn.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether the program's answers come so soon that it is worth looking for them.
#[derive(Debug, Default)]
struct Worth {
    /// Keys since the last answer that came in time.
    unanswered: u32,
}

impl Worth {
    /// After so many keys without an answer in time it is not looked for with each of them.
    const FEW: u32 = 3;

    /// But with one in so many.
    const SOMETIMES: u32 = 32;

    /// Whether to look for the answer to one more key.
    fn tries(&mut self) -> bool {
        let before = self.unanswered;
        self.unanswered = before.wrapping_add(1);
        before < Worth::FEW || before.is_multiple_of(Worth::SOMETIMES)
    }

    /// It came in time.
    fn came(&mut self) {
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

    struct Reads {
        started: Option<(pty::Pty, pty::PtyWriter, pty::PtyChild)>,
        printed: Arc<Printed>,
        reading: Arc<Reading>,
        inbox: Receiver<Input>,
        taken: Vec<u8>,
    }

    impl Reads {
        fn of(script: &str) -> Reads {
            let command = PtyCommand {
                program: "/bin/sh".into(),
                args: vec!["-c".into(), format!("stty raw -echo; printf ready; {script}").into()],
                cwd: std::env::temp_dir(),
                env: Vec::new(),
                size: Size::new(24, 80),
            };
            let Started { pty, reader, writer, child } = pty::start(&command).unwrap();
            let (sender, inbox) = sync_channel(256);
            let printed = Arc::new(Printed::default());
            let reading = Reading::start(reader, Arc::clone(&printed), sender).unwrap();
            let started = Some((pty, writer, child));
            let mut reads = Reads { started, printed, reading, inbox, taken: Vec::new() };
            reads.until(|taken| taken == b"ready");
            reads.taken.clear();
            reads
        }

        /// Takes what is printed, as the owner does, until it is all; false when the terminal has ended.
        fn until(&mut self, all: impl Fn(&[u8]) -> bool) -> bool {
            while !all(&self.taken) {
                let ended = matches!(self.inbox.recv().unwrap(), Input::OutputEnded);
                self.taken.extend(self.printed.take());
                if ended {
                    return all(&self.taken);
                }
            }
            true
        }
    }

    #[test]
    fn each_key_is_answered_once_whoever_reads_the_answer_and_the_owner_hears_of_it() {
        let mut reads = Reads::of("exec cat");
        let keys: Vec<u8> = (0..2000u32).map(|n| b'a' + (n % 26) as u8).collect();
        for key in keys.chunks(2) {
            reads.started.as_mut().unwrap().1.write_all(key).unwrap();
            reads.reading.look_for_answer();
        }
        assert!(reads.until(|taken| taken.len() >= keys.len()));
        assert_eq!(reads.taken, keys);
    }

    #[test]
    fn a_flood_stays_in_order_while_somebody_types() {
        let mut reads = Reads::of("read -r go; seq 1 100000");
        reads.started.as_mut().unwrap().1.write_all(b"\n").unwrap();
        let reading = Arc::clone(&reads.reading);
        thread::scope(|scope| {
            scope.spawn(|| {
                // As if every key before had been answered in time.
                while reading.turn().as_mut().map(|typist| typist.worth.came()).is_some() {
                    reading.look_for_answer();
                }
            });
            assert!(!reads.until(|_| false));
        });
        let expected: String = (1..=100_000).map(|n| format!("{n}\n")).collect();
        assert!(reads.taken == expected.as_bytes(), "{} of {} bytes", reads.taken.len(), expected.len());
    }

    #[test]
    fn the_terminal_is_hung_up_though_whoever_types_had_a_hand_on_it() {
        let mut reads = Reads::of("exec sleep 600");
        let (pty, writer, child) = reads.started.take().unwrap();
        drop(writer);
        pty.hang_up();
        assert_eq!(child.wait().unwrap().signal.as_deref(), Some("Hangup"));
        assert!(!reads.until(|_| false));
        reads.reading.look_for_answer();
    }

    #[test]
    fn a_program_that_takes_its_time_is_soon_looked_at_rarely_and_a_quick_one_with_every_key() {
        let mut worth = Worth::default();
        assert_eq!((0..1000).filter(|_| worth.tries()).count() as u32, Worth::FEW + 1000 / Worth::SOMETIMES);
        worth.came();
        assert!((0..1000).all(|_| {
            let tries = worth.tries();
            worth.came();
            tries
        }));
    }
}
