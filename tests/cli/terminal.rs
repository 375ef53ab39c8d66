//! A terminal for tests: a PTY in which the program runs, and its screen.

use crate::console::{Console, program};
use bc_process::{
    pty::{self, Exit, PtyCommand},
    screen::Screen,
    size::Size,
};
use bc_testkit::wait_for;
use std::{
    collections::BTreeMap,
    ffi::OsString,
    io::{Read, Write},
    sync::{Arc, Mutex, mpsc},
    time::Duration,
};

const TIMEOUT: Duration = Duration::from_secs(60);

/// The size of a test's terminal.
pub(crate) const ROWS: u16 = 30;
pub(crate) const COLUMNS: u16 = 100;

pub(crate) struct Terminal {
    screen: Arc<Mutex<Screen>>,
    writer: pty::PtyWriter,
    ended: mpsc::Receiver<Exit>,
    pty: pty::Pty,
}

impl Terminal {
    /// Opens a terminal and runs the program in it.
    pub(crate) fn open(console: &Console, line: &[&str]) -> Self {
        // The program gets the sandbox's environment variables instead of those of the test process.
        let mut env: BTreeMap<OsString, Option<OsString>> =
            std::env::vars_os().map(|(k, _)| (k, None)).collect();
        env.extend(console.sandbox.env().iter().map(|(k, v)| (k.clone(), Some(v.clone()))));
        let started = pty::start(&PtyCommand {
            program: program().to_owned(),
            args: line.iter().map(OsString::from).collect(),
            cwd: console.sandbox.project().to_owned(),
            env: env.into_iter().collect(),
            size: Size::new(ROWS, COLUMNS),
        })
        .expect("a terminal");
        let screen = Arc::new(Mutex::new(Screen::new(Size::new(ROWS, COLUMNS))));
        let (reader_screen, mut reader) = (Arc::clone(&screen), started.reader);
        std::thread::spawn(move || {
            let mut chunk = [0u8; 4096];
            while let Ok(n @ 1..) = reader.read(&mut chunk) {
                reader_screen.lock().expect("no thread panics while it holds this lock").feed(&chunk[..n]);
            }
        });
        let (sender, ended) = mpsc::sync_channel(1);
        let child = started.child;
        std::thread::spawn(move || sender.send(child.wait().expect("our child")).ok());
        Terminal { screen, writer: started.writer, ended, pty: started.pty }
    }

    /// The visible text.
    pub(crate) fn text(&self) -> String {
        self.screen.lock().expect("no thread panics while it holds this lock").text()
    }

    /// Whether the alternate screen is active.
    pub(crate) fn alternate(&self) -> bool {
        self.screen.lock().expect("no thread panics while it holds this lock").alternate()
    }

    pub(crate) fn keys(&mut self, keys: &str) {
        self.writer.write_all(keys.as_bytes()).expect("the terminal is open");
    }

    /// Waits until the screen shows the text.
    #[track_caller]
    pub(crate) fn wait_for(&self, text: &str) -> String {
        self.wait_until(&format!("{text:?} on the screen"), |shown| shown.contains(text))
    }

    /// Waits until the screen meets a condition.
    #[track_caller]
    pub(crate) fn wait_until(&self, what: &str, mut condition: impl FnMut(&str) -> bool) -> String {
        let mut last = String::new();
        let found = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            wait_for(what, TIMEOUT, || {
                last = self.text();
                condition(&last).then(|| last.clone())
            })
        }));
        found.unwrap_or_else(|_| panic!("not seen: {what}; the screen shows:\n{last}"))
    }

    /// Waits until the program exits. Returns its exit code.
    #[track_caller]
    pub(crate) fn end(self) -> Option<u32> {
        match self.ended.recv_timeout(TIMEOUT) {
            Ok(exit) => exit.code,
            Err(_) => panic!("the program in the terminal did not end; the screen shows:\n{}", self.text()),
        }
    }

    /// Closes the terminal, as if the user closed its window.
    pub(crate) fn close(self) {
        self.pty.hang_up();
    }
}
