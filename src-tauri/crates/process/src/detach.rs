//! Starting a program that outlives us: in a process session of its own, away from our terminal.
//!
//! What it must know goes through its standard input, what it reports through its standard output
//! (which it closes once it is ready), what it complains of into a file. Nothing secret is ever an
//! argument.

use crate::{os, own_env, owned};
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
pub struct Detach {
    /// An absolute path.
    pub program: PathBuf,
    /// Its arguments, without its own name.
    pub args: Vec<OsString>,
    /// Its working folder: one that stays.
    pub cwd: PathBuf,
    /// Changes to this process's environment: set, or `None` to remove.
    pub env: Vec<(OsString, Option<OsString>)>,
    /// What it reads on its standard input.
    pub stdin: Vec<u8>,
    /// Where its standard error goes; nowhere unless given.
    pub log: Option<File>,
    /// Open files to hand over, each under the name of a variable that will hold its number. A lock
    /// held through one of them lives until the last of its holders is gone.
    pub handed: Vec<(&'static str, File)>,
}

/// What could not be detached.
#[derive(Debug, thiserror::Error)]
#[error("{} could not be started", .program.display())]
pub struct DetachError {
    program: PathBuf,
    #[source]
    source: io::Error,
}

/// A program that goes on without us.
#[derive(Debug)]
pub struct Detached {
    /// Its process id.
    pub pid: u32,
    /// What it reports until it closes its standard output.
    pub report: ChildStdout,
    /// Receives its exit code, if it ends while we are there; `None` when a signal ended it.
    pub ended: Receiver<Option<i32>>,
}

/// Starts it.
pub fn start(detach: Detach) -> Result<Detached, DetachError> {
    let program = detach.program.clone();
    spawn(detach).map_err(|source| DetachError { program, source })
}

fn spawn(detach: Detach) -> io::Result<Detached> {
    // The one place that spawns a program which outlives this one.
    #[allow(clippy::disallowed_methods)]
    let mut command = Command::new(&detach.program);
    command.args(&detach.args).current_dir(&detach.cwd).stdin(Stdio::piped()).stdout(Stdio::piped());
    command.stderr(detach.log.map_or_else(Stdio::null, Stdio::from));
    own_env::withhold(&mut command);
    for (key, value) in &detach.env {
        match value {
            Some(value) => command.env(key, value),
            None => command.env_remove(key),
        };
    }
    let (names, files): (Vec<_>, Vec<_>) = detach.handed.into_iter().unzip();
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
    let mut child = owned::spawn(|| command.spawn(), Child::id)?;
    // The handed files' copies of this process live in the command; only the child's count from here.
    drop(command);
    if let Some(mut stdin) = child.stdin.take() {
        // A program that does not read this tells so in its report.
        let _ = stdin.write_all(&detach.stdin);
    }
    let report = child.stdout.take().ok_or_else(|| io::Error::other("it has no standard output"))?;
    let (sender, ended) = sync_channel(1);
    let pid = child.id();
    thread::Builder::new().name("detached".into()).spawn(move || {
        let status = child.wait();
        owned::collected(pid);
        let _ = sender.send(status.ok().and_then(|status| status.code()));
    })?;
    Ok(Detached { pid, report, ended })
}

/// In the detached program: the file handed over under this variable's name. `None` when nothing was.
/// To be called once for each name, before any thread or child is started.
pub fn take_handed(name: &str) -> io::Result<Option<File>> {
    let Ok(number) = std::env::var(name) else { return Ok(None) };
    let number = number.parse().map_err(|_| {
        io::Error::new(io::ErrorKind::InvalidInput, format!("{name} holds no descriptor's number"))
    })?;
    os::close_on_exec(number).map(|fd| Some(fd.into()))
}

/// In the detached program: all that the parent gave on standard input.
pub fn read_stdin() -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    io::stdin().read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// In the detached program: the report's last words; standard output leads nowhere afterwards.
pub fn report_and_close(words: &[u8]) -> io::Result<()> {
    let mut stdout = io::stdout();
    // A parent that is gone does not make the program stop.
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

    fn shell(script: &str) -> Detach {
        Detach {
            program: PathBuf::from("/bin/sh"),
            args: vec!["-c".into(), script.into()],
            cwd: std::env::temp_dir(),
            env: Vec::new(),
            stdin: b"what it must know\n".to_vec(),
            log: None,
            handed: Vec::new(),
        }
    }

    #[test]
    fn it_reads_its_orders_and_reports_until_it_is_ready() {
        let script = "read orders; echo \"got: $orders\"; test $(ps -o sid= -p $$) = $$ && echo leads; exec >&-; exec sleep 1000";
        let detached = start(shell(script)).unwrap();
        let mut text = String::new();
        BufReader::new(detached.report).read_to_string(&mut text).unwrap();
        assert_eq!(text, "got: what it must know\nleads\n");
        Identity::of(detached.pid).unwrap().signal(Signal::Kill).unwrap();
        assert_eq!(detached.ended.recv_timeout(Duration::from_secs(20)), Ok(None));
    }

    #[test]
    fn a_lock_that_was_handed_over_lives_as_long_as_the_program() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("host.lock");
        let open = || {
            let mut options = File::options();
            options.read(true).write(true).create(true).truncate(false).open(&path).unwrap()
        };
        let lock = open();
        lock.try_lock().unwrap();
        // The shell and the sleep both hold it, and both are there when it is said.
        let script = "sleep 1000 >&- & test -e /proc/self/fd/$LOCK_FD && echo held; exec >&-; wait";
        let detached = start(Detach { handed: vec![("LOCK_FD", lock)], ..shell(script) }).unwrap();
        let mut line = String::new();
        BufReader::new(detached.report).read_line(&mut line).unwrap();
        assert_eq!(line, "held\n");
        assert!(open().try_lock().is_err(), "the lock was lost when it was handed over");
        let family = crate::descendants::Family { session: "none".into(), root: Identity::of(detached.pid) };
        let shell = Identity::of(detached.pid).unwrap();
        crate::descendants::end_all(&family, Duration::from_secs(20)).unwrap();
        shell.signal(Signal::Kill).unwrap();
        detached.ended.recv_timeout(Duration::from_secs(20)).unwrap();
        // A program that another test starts at this moment holds a copy between its fork and exec.
        let deadline = std::time::Instant::now() + Duration::from_secs(20);
        while open().try_lock().is_err() {
            assert!(std::time::Instant::now() < deadline, "the lock outlived its last holder");
            std::thread::yield_now();
        }
    }

    #[test]
    fn a_program_that_cannot_be_started_is_named() {
        let error = start(Detach { program: PathBuf::from("/no/such"), ..shell("") }).unwrap_err();
        assert!(error.to_string().contains("/no/such"), "{error}");
    }
}
