//! Runs a program in a pseudo-terminal.
//!
//! On Unix, the program leads its own process session and has the PTY as its controlling terminal. Reads and
//! writes block, so each needs its own thread; both end when the PTY is hung up. Deliberately elsewhere: the
//! interpretation of the output ([`crate::screen`]) and its distribution to clients.

use crate::{
    child_reaper,
    descendants::{Identity, Signal},
    os,
    size::Size,
};
use std::{
    io::{self, Read},
    path::{Path, PathBuf},
};

pub use crate::{
    os::{PtyReader, PtyWriter},
    pty_command::PtyCommand,
};

/// A program could not be started in a PTY, or the PTY could not be resized.
#[derive(Debug, thiserror::Error)]
pub enum PtyError {
    #[error("the working folder {} does not exist; create it or choose another one", .dir.display())]
    NoFolder { dir: PathBuf },
    #[error("{} was not found or is not executable", .program.display())]
    NotFound { program: PathBuf },
    #[error("cannot open a terminal for {}: {reason}", .program.display())]
    Open { program: PathBuf, reason: String },
    #[error("cannot start {} in a terminal: {reason}", .program.display())]
    Spawn { program: PathBuf, reason: String },
    #[error("cannot resize the terminal: {reason}")]
    Resize { reason: String },
}

/// How a program exited.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Exit {
    /// The exit code; `None` if the program was killed by a signal or the cause is unknown.
    pub code: Option<u32>,
    /// The name of the signal that killed the program, if any.
    pub signal: Option<String>,
}

impl std::fmt::Display for Exit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.code, &self.signal) {
            (_, Some(signal)) => write!(f, "ended by {signal}"),
            (Some(code), None) => write!(f, "exit code {code}"),
            (None, None) => f.write_str("cause unknown"),
        }
    }
}

/// This process's handle to the terminal, for resizing, signalling and hanging up.
pub struct Pty {
    terminal: os::PtyTerminal,
    leader: Identity,
}

/// The program in the PTY. Exactly one thread must wait for it.
pub struct PtyChild {
    child: os::TerminalChild,
}

/// The parts of a started program.
pub struct Started {
    pub pty: Pty,
    /// The program's output. It ends when the PTY is hung up. On Unix, it also ends when all programs have
    /// closed the terminal. On Windows, it otherwise ends only after [`PtyChild::wait`].
    pub reader: PtyReader,
    pub writer: PtyWriter,
    pub child: PtyChild,
}

/// Starts a program in a new PTY.
pub fn start(command: &PtyCommand) -> Result<Started, PtyError> {
    start_with_stdin(command, None)
}

/// Like [`start`], but if `input` is given, it becomes the program's standard input. To read the user's keys,
/// the program must then open the terminal itself. The input never appears in a process list or a file.
///
/// # Errors
/// On Windows, `input` is not supported and causes [`PtyError::Spawn`].
pub fn start_with_stdin(command: &PtyCommand, input: Option<Vec<u8>>) -> Result<Started, PtyError> {
    check(command)?;
    let program = || command.program.clone();
    let (mut terminal, reader, writer) = os::PtyTerminal::open(command.size)
        .map_err(|reason| PtyError::Open { program: program(), reason })?;
    let child = child_reaper::spawn(|| terminal.spawn(command, input), os::TerminalChild::pid)
        .map_err(|reason| PtyError::Spawn { program: program(), reason })?;
    let pid = child.pid();
    // The child has not been reaped yet, so the pid still belongs to it.
    let leader = Identity::of(pid).unwrap_or(Identity { pid, start: 0 });
    Ok(Started { pty: Pty { terminal, leader }, reader, writer, child: PtyChild { child } })
}

fn check(command: &PtyCommand) -> Result<(), PtyError> {
    // Check explicitly: portable-pty uses the home folder if the working folder is missing, and does not report a
    // failed exec.
    if !command.cwd.is_dir() {
        return Err(PtyError::NoFolder { dir: command.cwd.clone() });
    }
    let program = &command.program;
    match can_run(program) || (program.to_str().is_none() && program.is_file()) {
        true => Ok(()),
        false => Err(PtyError::NotFound { program: program.clone() }),
    }
}

impl Read for PtyReader {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        loop {
            self.wait(None)?;
            match self.read_burst(buf) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                read => return read,
            }
        }
    }
}

impl Pty {
    /// Returns the started program, which leads the process session.
    pub fn leader(&self) -> Identity {
        self.leader
    }

    /// Sets the terminal's size and notifies the program.
    pub fn resize(&self, size: Size) -> Result<(), PtyError> {
        self.terminal.resize(size).map_err(|reason| PtyError::Resize { reason })
    }

    /// Signals the program itself, not its children. Does nothing after the program has exited.
    pub fn signal(&self, signal: Signal) -> io::Result<()> {
        self.leader.signal(signal)
    }

    /// Closes this process's end of the terminal, which stops the reader and the writer. On Unix, the
    /// programs receive SIGHUP only after the reader and all writers are dropped as well.
    pub fn hang_up(self) {}
}

impl PtyChild {
    /// Blocks until the program exits.
    pub fn wait(mut self) -> io::Result<Exit> {
        let ended = self.child.wait();
        child_reaper::mark_reaped(self.child.pid());
        ended.map(|(code, signal)| Exit { code, signal })
    }
}

/// Whether `program` is an executable file or the name of one in PATH.
pub fn can_run(program: &Path) -> bool {
    program.to_str().is_some_and(|name| crate::find::find(name, None).is_some())
}

#[cfg(test)]
#[cfg(windows)]
mod tests_windows {
    use super::*;
    use std::{
        ffi::OsString,
        io::{Read, Write},
        thread::JoinHandle,
    };

    fn cmd(line: &str) -> PtyCommand {
        PtyCommand {
            program: PathBuf::from(std::env::var_os("ComSpec").unwrap()),
            // cmd.exe treats everything after `/c` as one quoted command line. The test commands redirect to
            // and from the console explicitly, because under Wine a program in a pseudo-console has no
            // standard handles.
            args: ["/d", "/c", line].map(OsString::from).into(),
            cwd: std::env::temp_dir(),
            env: Vec::new(),
            size: Size::new(30, 100),
        }
    }

    /// Waits on another thread, as a host does. On Windows, the output ends only after `wait` has closed the
    /// console.
    fn wait(child: PtyChild) -> JoinHandle<Exit> {
        std::thread::spawn(move || child.wait().unwrap())
    }

    fn until(reader: &mut PtyReader, wanted: &str) -> String {
        let mut text = String::new();
        while !text.contains(wanted) {
            let mut chunk = [0; 4096];
            let n = reader.read(&mut chunk).unwrap();
            assert!(n > 0, "the output ended early: {text}");
            text.push_str(&String::from_utf8_lossy(&chunk[..n]));
        }
        text
    }

    #[test]
    fn output_and_exit_code_arrive_and_the_output_ends() {
        let Started { pty: _pty, mut reader, writer: _writer, child } =
            start(&cmd("echo hello>con& exit 7")).unwrap();
        let exit = wait(child);
        until(&mut reader, "hello");
        reader.read_to_end(&mut Vec::new()).unwrap();
        assert_eq!(exit.join().unwrap(), Exit { code: Some(7), signal: None });
    }

    #[test]
    fn typed_text_reaches_the_program() {
        let started = start(&cmd("echo ready?>con& set /p key=<con& call echo got %^key%>con")).unwrap();
        let Started { pty: _pty, mut reader, mut writer, child } = started;
        let exit = wait(child);
        until(&mut reader, "ready?");
        writer.write_all(b"ping\r").unwrap();
        until(&mut reader, "got ping");
        assert_eq!(exit.join().unwrap().code, Some(0));
    }

    #[test]
    fn hanging_up_ends_the_reader_and_the_program() {
        let Started { pty, mut reader, writer, child } = start(&cmd("set /p key=ready?<con >con")).unwrap();
        let exit = wait(child);
        until(&mut reader, "ready?");
        pty.hang_up();
        drop(writer);
        reader.read_to_end(&mut Vec::new()).unwrap();
        exit.join().unwrap();
    }

    #[test]
    fn a_separate_standard_input_is_refused_with_an_error() {
        let error = start_with_stdin(&cmd("exit"), Some(Vec::new())).err().unwrap();
        assert!(error.to_string().contains("own standard input"), "{error}");
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use std::ffi::OsString;
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
    fn a_program_with_its_own_standard_input_reads_it_and_then_its_terminal() {
        let script =
            "test ! -t 0 && test -t 1 && cat && stty size </dev/tty && read key </dev/tty && echo got $key";
        let input = "a text\n".repeat(20_000);
        let mut started =
            start_with_stdin(&command("/bin/sh", &["-c", script]), Some(input.into_bytes())).unwrap();
        started.writer.write_all(b"ping\n").unwrap();
        let text = all(started.reader);
        assert_eq!(text.matches("a text").count(), 20_000);
        assert!(text.contains("30 100") && text.contains("got ping"), "{}", &text[text.len() - 200..]);
        assert_eq!(started.child.wait().unwrap(), Exit { code: Some(0), signal: None });
    }

    #[test]
    fn written_bytes_reach_the_program() {
        let mut started = start(&command("/bin/cat", &[])).unwrap();
        started.writer.write_all(b"ping\n").unwrap();
        let mut output = String::new();
        while output.matches("ping").count() < 2 {
            let mut chunk = [0; 64];
            let n = started.reader.read(&mut chunk).unwrap();
            assert!(n > 0, "cat ended early: {output}");
            output.push_str(&String::from_utf8_lossy(&chunk[..n]));
        }
    }

    #[test]
    fn the_program_leads_its_own_process_session() {
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
    fn errors_name_a_missing_program_and_a_missing_folder() {
        assert!(matches!(start(&command("/no/such/program", &[])), Err(PtyError::NotFound { .. })));
        let lost = PtyCommand { cwd: PathBuf::from("/no/such/folder"), ..command("/bin/cat", &[]) };
        assert!(matches!(start(&lost), Err(PtyError::NoFolder { .. })));
    }
}
