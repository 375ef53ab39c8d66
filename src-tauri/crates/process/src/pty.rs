//! A program in a pseudo-terminal.
//!
//! The program leads a process session of its own with the PTY as its controlling terminal. Reading
//! and writing block in their own threads and both give up when the PTY is hung up. Deliberately not
//! in here: what the bytes mean ([`crate::screen`]) and who gets them.

use crate::{
    descendants::{Identity, Signal},
    os, owned,
    size::Size,
};
use portable_pty::{Child, CommandBuilder, MasterPty, PtySize};
use std::{
    ffi::OsString,
    io,
    path::{Path, PathBuf},
};

pub use crate::os::{PtyReader, PtyWriter};

/// What could not be done with a PTY.
#[derive(Debug, thiserror::Error)]
pub enum PtyError {
    /// The working folder is not there.
    #[error("the working folder {} is not there; make it or choose another one", .dir.display())]
    NoFolder {
        /// The folder.
        dir: PathBuf,
    },
    /// There is no such program, or it may not be run.
    #[error("{} was not found or may not be run", .program.display())]
    NotFound {
        /// What was to run.
        program: PathBuf,
    },
    /// The system gave no PTY.
    #[error("the system gave no terminal for {}: {reason}", .program.display())]
    Open {
        /// What was to run.
        program: PathBuf,
        /// Why.
        reason: String,
    },
    /// The system refused to start the program.
    #[error("{} could not be started in a terminal: {reason}", .program.display())]
    Spawn {
        /// What was to run.
        program: PathBuf,
        /// Why.
        reason: String,
    },
    /// A size could not be set.
    #[error("the terminal could not be resized: {reason}")]
    Resize {
        /// Why.
        reason: String,
    },
}

/// A program to start in a PTY.
#[derive(Debug, Clone)]
pub struct PtyCommand {
    /// An absolute path.
    pub program: PathBuf,
    /// Its arguments, without its own name.
    pub args: Vec<OsString>,
    /// Its working folder.
    pub cwd: PathBuf,
    /// Changes to this process's environment: set, or `None` to remove.
    pub env: Vec<(OsString, Option<OsString>)>,
    /// The terminal's size at the start.
    pub size: Size,
}

/// How a program ended.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Exit {
    /// Its exit code, where no signal ended it.
    pub code: Option<u32>,
    /// The signal that ended it, by the system's name.
    pub signal: Option<String>,
}

impl std::fmt::Display for Exit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.code, &self.signal) {
            (_, Some(signal)) => write!(f, "ended by {signal}"),
            (Some(code), None) => write!(f, "exit code {code}"),
            (None, None) => f.write_str("nobody knows how"),
        }
    }
}

/// The PTY's own side: resizing, signalling, hanging up.
pub struct Pty {
    master: Box<dyn MasterPty + Send>,
    leader: Identity,
    _wake: os::Wake,
}

/// The child, to be waited for by one thread.
pub struct PtyChild {
    child: Box<dyn Child + Send + Sync>,
}

/// Everything that a started program consists of.
pub struct Started {
    /// Resizing, signalling, hanging up.
    pub pty: Pty,
    /// What the program prints; ends when the program and all its children closed the terminal, or
    /// when the PTY is hung up.
    pub reader: PtyReader,
    /// What the program reads.
    pub writer: PtyWriter,
    /// Its end.
    pub child: PtyChild,
}

/// Starts a program in a new PTY.
pub fn start(command: &PtyCommand) -> Result<Started, PtyError> {
    check(command)?;
    let program = || command.program.clone();
    let pair = portable_pty::native_pty_system()
        .openpty(pty_size(command.size))
        .map_err(|e| PtyError::Open { program: program(), reason: format!("{e:#}") })?;
    let opened = |source: io::Error| PtyError::Open { program: program(), reason: source.to_string() };
    let (reader, writer, wake) = os::pty_ends(pair.master.as_ref()).map_err(opened)?;

    let child = owned::spawn(
        || pair.slave.spawn_command(builder(command)),
        |child| child.process_id().unwrap_or_default(),
    )
    .map_err(|e| PtyError::Spawn { program: program(), reason: format!("{e:#}") })?;
    let pid = child.process_id().unwrap_or_default();
    // The child is not collected yet, so the pid is surely its own.
    let leader = Identity::of(pid).unwrap_or(Identity { pid, start: 0 });
    drop(pair.slave);
    Ok(Started {
        pty: Pty { master: pair.master, leader, _wake: wake },
        reader,
        writer,
        child: PtyChild { child },
    })
}

fn check(command: &PtyCommand) -> Result<(), PtyError> {
    // portable-pty would quietly use the home folder, and cannot report a failed exec.
    if !command.cwd.is_dir() {
        return Err(PtyError::NoFolder { dir: command.cwd.clone() });
    }
    match command.program.to_str().map(|name| crate::find::find(name, None)) {
        Some(None) => Err(PtyError::NotFound { program: command.program.clone() }),
        Some(Some(_)) => Ok(()),
        None if command.program.is_file() => Ok(()),
        None => Err(PtyError::NotFound { program: command.program.clone() }),
    }
}

fn builder(command: &PtyCommand) -> CommandBuilder {
    let mut builder = CommandBuilder::new(&command.program);
    builder.args(&command.args);
    builder.cwd(&command.cwd);
    for (key, value) in &command.env {
        match value {
            Some(value) => builder.env(key, value),
            None => builder.env_remove(key),
        }
    }
    builder
}

fn pty_size(size: Size) -> PtySize {
    PtySize { rows: size.rows(), cols: size.cols(), pixel_width: 0, pixel_height: 0 }
}

impl Pty {
    /// The program that was started: the leader of the process session in the terminal.
    pub fn leader(&self) -> Identity {
        self.leader
    }

    /// Tells the program a new size.
    pub fn resize(&self, size: Size) -> Result<(), PtyError> {
        self.master.resize(pty_size(size)).map_err(|e| PtyError::Resize { reason: format!("{e:#}") })
    }

    /// Signals the program itself, not its children. Nothing happens when it has ended.
    pub fn signal(&self, signal: Signal) -> io::Result<()> {
        self.leader.signal(signal)
    }

    /// Closes the terminal: whatever runs in it gets SIGHUP, the reader and the writer end.
    pub fn hang_up(self) {}
}

impl PtyChild {
    /// Blocks until the program has ended.
    pub fn wait(mut self) -> io::Result<Exit> {
        let pid = self.child.process_id();
        let status = self.child.wait();
        if let Some(pid) = pid {
            owned::collected(pid);
        }
        status.map(|status| match status.signal() {
            Some(name) => Exit { code: None, signal: Some(name.to_owned()) },
            None => Exit { code: Some(status.exit_code()), signal: None },
        })
    }
}

/// Whether a path can be started by this crate: there, a file, executable.
pub fn can_run(program: &Path) -> bool {
    program.to_str().is_some_and(|name| crate::find::find(name, None).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};

    fn command(program: &str, args: &[&str]) -> PtyCommand {
        PtyCommand {
            program: PathBuf::from(program),
            args: args.iter().map(OsString::from).collect(),
            cwd: std::env::temp_dir(),
            env: vec![("GREETING".into(), Some("hello from the environment".into()))],
            size: Size::new(30, 100),
        }
    }

    fn all(mut reader: PtyReader) -> String {
        let mut text = Vec::new();
        reader.read_to_end(&mut text).unwrap();
        String::from_utf8_lossy(&text).into_owned()
    }

    #[test]
    fn a_program_sees_a_terminal_of_the_given_size_and_the_environment() {
        let script = "test -t 0 && stty size && echo \"$GREETING\" && exit 7";
        let started = start(&command("/bin/sh", &["-c", script])).unwrap();
        let text = all(started.reader);
        assert!(text.contains("30 100") && text.contains("hello from the environment"), "{text}");
        assert_eq!(started.child.wait().unwrap(), Exit { code: Some(7), signal: None });
    }

    #[test]
    fn what_is_written_reaches_the_program() {
        let mut started = start(&command("/bin/cat", &[])).unwrap();
        started.writer.write_all(b"ping\n").unwrap();
        let mut seen = String::new();
        while seen.matches("ping").count() < 2 {
            let mut chunk = [0; 64];
            let n = started.reader.read(&mut chunk).unwrap();
            assert!(n > 0, "cat ended early: {seen}");
            seen.push_str(&String::from_utf8_lossy(&chunk[..n]));
        }
    }

    #[test]
    fn the_program_leads_a_process_session_of_its_own() {
        let started = start(&command("/bin/sh", &["-c", "ps -o sid= -p $$; echo $$"])).unwrap();
        let text = all(started.reader);
        let numbers: Vec<&str> = text.split_whitespace().collect();
        assert_eq!(numbers.first(), numbers.last(), "{text}");
    }

    #[test]
    fn hanging_up_ends_the_reader_and_the_program() {
        let started = start(&command("/bin/cat", &[])).unwrap();
        let Started { pty, mut reader, writer, child } = started;
        let reading = std::thread::spawn(move || reader.read(&mut [0; 16]).unwrap());
        pty.hang_up();
        drop(writer);
        assert_eq!(reading.join().unwrap(), 0);
        assert!(child.wait().unwrap().signal.is_some());
    }

    #[test]
    fn a_missing_program_and_a_missing_folder_are_named() {
        assert!(matches!(start(&command("/no/such/program", &[])), Err(PtyError::NotFound { .. })));
        let lost = PtyCommand { cwd: PathBuf::from("/no/such/folder"), ..command("/bin/cat", &[]) };
        assert!(matches!(start(&lost), Err(PtyError::NoFolder { .. })));
    }
}
