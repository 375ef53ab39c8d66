//! Starts a program that outlives this one, in its own process session and without a terminal.
//!
//! The program reads its instructions from standard input. It reports on standard output, which it closes
//! when it is ready. Its standard error goes to a log file or is discarded. Secrets are never passed as
//! arguments.

use crate::{child_reaper, os};
use std::{
    fs::{File, OpenOptions},
    io::{self, Read, Write},
    path::{Path, PathBuf},
    sync::mpsc::{Receiver, sync_channel},
    thread,
};

pub use crate::detached_command::DetachedCommand;

/// The program could not be started.
#[derive(Debug, thiserror::Error)]
#[error("cannot start {}", .program.display())]
pub struct DetachError {
    program: PathBuf,
    #[source]
    source: io::Error,
}

/// A running program that outlives this one.
#[derive(Debug)]
pub struct DetachedProcess {
    pub pid: u32,
    /// The program's report: its standard output until the program closes it.
    pub report: File,
    /// Receives the exit code if the program exits while this process runs; `None` if the program was killed
    /// by a signal or waiting failed.
    pub ended: Receiver<Option<i32>>,
}

/// Creates or empties a log file. On Unix, only the user can read a new file, because the output may be
/// private.
pub fn create_log(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.create(true).write(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Starts the program and writes all of its standard input, without waiting for its report.
pub fn start(detach: DetachedCommand) -> Result<DetachedProcess, DetachError> {
    let program = detach.program.clone();
    spawn(detach).map_err(|source| DetachError { program, source })
}

fn spawn(mut detach: DetachedCommand) -> io::Result<DetachedProcess> {
    let files = std::mem::take(&mut detach.inherited_files);
    let spawned = child_reaper::spawn(|| os::spawn_detached(&mut detach, &files), |(child, ..)| child.id())?;
    // From now on, only the child has the inherited files open.
    drop(files);
    let (mut child, mut stdin, report) = spawned;
    // Ignore an error: if the program exits without reading its input, the caller notices that the report is
    // missing.
    let _ = stdin.write_all(&detach.stdin);
    drop(stdin);
    let (sender, ended) = sync_channel(1);
    let pid = child.id();
    thread::Builder::new().name("detached".into()).spawn(move || {
        let status = child.wait();
        child_reaper::mark_reaped(pid);
        let _ = sender.send(status.ok().flatten());
    })?;
    Ok(DetachedProcess { pid, report, ended })
}

/// Returns the file that the parent passed under this variable name, or `None` if it passed none. Call it in
/// the detached program, once per name, before any thread or child starts.
pub fn take_inherited(name: &str) -> io::Result<Option<File>> {
    let Ok(number) = std::env::var(name) else { return Ok(None) };
    let number = number
        .parse()
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidInput, format!("{name} is not a number")))?;
    os::close_on_exec(number).map(|file| Some(file.into()))
}

/// Reads all input from the parent. Call it in the detached program.
pub fn read_stdin() -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    io::stdin().read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Writes the end of the report and redirects standard output to the null device. Call it in the detached
/// program.
pub fn report_and_close(words: &[u8]) -> io::Result<()> {
    let mut stdout = io::stdout();
    // The program continues even if its parent has exited.
    let _ = stdout.write_all(words).and_then(|()| stdout.flush());
    os::hide_stdout()
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use crate::descendants::{Identity, Signal};
    use std::{
        io::{BufRead, BufReader},
        time::Duration,
    };

    fn shell(script: &str) -> DetachedCommand {
        DetachedCommand {
            program: PathBuf::from("/bin/sh"),
            args: vec!["-c".into(), script.into()],
            cwd: std::env::temp_dir(),
            env: Vec::new(),
            stdin: b"what it must know\n".to_vec(),
            log: None,
            inherited_files: Vec::new(),
        }
    }

    #[test]
    fn a_detached_program_reads_its_input_and_reports_until_it_is_ready() {
        let script = "read orders; echo \"got: $orders\"; test $(ps -o sid= -p $$) = $$ && echo leads; exec >&-; exec sleep 1000";
        let detached = start(shell(script)).unwrap();
        let mut text = String::new();
        BufReader::new(detached.report).read_to_string(&mut text).unwrap();
        assert_eq!(text, "got: what it must know\nleads\n");
        Identity::of(detached.pid).unwrap().signal(Signal::Kill).unwrap();
        assert_eq!(detached.ended.recv_timeout(Duration::from_secs(20)), Ok(None));
    }

    #[test]
    fn an_inherited_lock_lasts_as_long_as_the_program() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("host.lock");
        let open = || {
            let mut options = File::options();
            options.read(true).write(true).create(true).truncate(false).open(&path).unwrap()
        };
        let lock = open();
        lock.try_lock().unwrap();
        // The shell and `sleep` both hold the lock, and both are running when the line is printed.
        let script = "sleep 1000 >&- & test -e /proc/self/fd/$LOCK_FD && echo held; exec >&-; wait";
        let detached =
            start(DetachedCommand { inherited_files: vec![("LOCK_FD", lock)], ..shell(script) }).unwrap();
        let mut line = String::new();
        BufReader::new(detached.report).read_line(&mut line).unwrap();
        assert_eq!(line, "held\n");
        assert!(open().try_lock().is_err(), "the lock was lost when it was inherited");
        let family = crate::descendants::Family { session: "none".into(), root: Identity::of(detached.pid) };
        let shell = Identity::of(detached.pid).unwrap();
        crate::descendants::end_all(&family, Duration::from_secs(20)).unwrap();
        shell.signal(Signal::Kill).unwrap();
        detached.ended.recv_timeout(Duration::from_secs(20)).unwrap();
        // Another test may be starting a program; between fork and exec, that child holds a copy of the lock.
        let deadline = std::time::Instant::now() + Duration::from_secs(20);
        while open().try_lock().is_err() {
            assert!(std::time::Instant::now() < deadline, "the lock outlived its last holder");
            std::thread::yield_now();
        }
    }

    #[test]
    fn a_program_that_cannot_be_started_is_named() {
        let error = start(DetachedCommand { program: PathBuf::from("/no/such"), ..shell("") }).unwrap_err();
        assert!(error.to_string().contains("/no/such"), "{error}");
    }
}
