//! Starts a program that outlives this one, in its own process session and without our terminal.
//!
//! The program reads its orders from standard input. It reports on standard output, which it closes when it is ready.
//! Its errors go to a file. Secrets are never arguments.

use crate::{child_reaper, os, private_env};
use std::{
    ffi::OsString,
    fs::File,
    io::{self, Read, Write},
    path::PathBuf,
    process::{Child, ChildStdout, Command, Stdio},
    sync::mpsc::{Receiver, sync_channel},
    thread,
};

/// A program to detach.
#[derive(Debug)]
pub struct DetachedCommand {
    /// The program's absolute path.
    pub program: PathBuf,
    /// The arguments, without the program's name.
    pub args: Vec<OsString>,
    /// The working folder. It must not be temporary.
    pub cwd: PathBuf,
    /// Changes to this process's environment: set, or `None` to remove.
    pub env: Vec<(OsString, Option<OsString>)>,
    /// The content of its standard input.
    pub stdin: Vec<u8>,
    /// The file for its standard error; none by default.
    pub log: Option<File>,
    /// Open files to pass on, each with the name of a variable that receives its descriptor number. A lock on such a
    /// file lasts until its last holder has ended.
    pub inherited_files: Vec<(&'static str, File)>,
}

/// A program could not be detached.
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
    /// Its process id.
    pub pid: u32,
    /// Its report, up to the end of its standard output.
    pub report: ChildStdout,
    /// Receives its exit code if it ends while this process runs; `None` when a signal ended it.
    pub ended: Receiver<Option<i32>>,
}

/// Starts the program.
pub fn start(detach: DetachedCommand) -> Result<DetachedProcess, DetachError> {
    let program = detach.program.clone();
    spawn(detach).map_err(|source| DetachError { program, source })
}

fn spawn(detach: DetachedCommand) -> io::Result<DetachedProcess> {
    // The only place that spawns a program which outlives this one.
    #[allow(clippy::disallowed_methods)]
    let mut command = Command::new(&detach.program);
    command.args(&detach.args).current_dir(&detach.cwd).stdin(Stdio::piped()).stdout(Stdio::piped());
    command.stderr(detach.log.map_or_else(Stdio::null, Stdio::from));
    private_env::remove_from(&mut command);
    for (key, value) in &detach.env {
        match value {
            Some(value) => command.env(key, value),
            None => command.env_remove(key),
        };
    }
    let (names, files): (Vec<_>, Vec<_>) = detach.inherited_files.into_iter().unzip();
    #[cfg(unix)]
    {
        let numbers = os::inherit(&mut command, files.into_iter().map(Into::into).collect());
        for (name, number) in names.iter().zip(numbers) {
            command.env(name, number.to_string());
        }
    }
    #[cfg(not(unix))]
    {
        let _ = (names, files);
        os::inherit(&mut command, Vec::new());
    }
    let mut child = child_reaper::spawn(|| command.spawn(), Child::id)?;
    // `command` holds this process's copies of the inherited files; from here on only the child has them.
    drop(command);
    if let Some(mut stdin) = child.stdin.take() {
        // A program that does not read its input shows this in its report.
        let _ = stdin.write_all(&detach.stdin);
    }
    let report = child.stdout.take().ok_or_else(|| io::Error::other("the child has no standard output"))?;
    let (sender, ended) = sync_channel(1);
    let pid = child.id();
    thread::Builder::new().name("detached".into()).spawn(move || {
        let status = child.wait();
        child_reaper::mark_reaped(pid);
        let _ = sender.send(status.ok().and_then(|status| status.code()));
    })?;
    Ok(DetachedProcess { pid, report, ended })
}

/// In the detached program: the file that was inherited under this variable's name; `None` if there is none. Call it
/// once per name, before any thread or child starts.
pub fn take_inherited(name: &str) -> io::Result<Option<File>> {
    let Ok(number) = std::env::var(name) else { return Ok(None) };
    let number = number.parse().map_err(|_| {
        io::Error::new(io::ErrorKind::InvalidInput, format!("{name} is not a descriptor number"))
    })?;
    os::close_on_exec(number).map(|fd| Some(fd.into()))
}

/// In the detached program: the parent's complete input.
pub fn read_stdin() -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    io::stdin().read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// In the detached program: writes the end of the report and redirects standard output to nowhere.
pub fn report_and_close(words: &[u8]) -> io::Result<()> {
    let mut stdout = io::stdout();
    // A parent that has ended does not stop the program.
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
        // A program that another test starts at this moment holds a copy between its fork and its exec.
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
