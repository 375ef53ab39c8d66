//! Runs a program until it exits, with an argument vector, a deadline and an output limit.

use crate::{
    captured_output::{CappedOutput, WaitOutput, reap},
    os,
};
use std::{
    ffi::{OsStr, OsString},
    fs::File,
    io::{Read, Write},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, Command, Stdio},
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{RecvTimeoutError, sync_channel},
    },
    thread,
    time::{Duration, Instant},
};

/// A program could not be started, or did not complete.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    #[error("{} was not found", .program.display())]
    NotFound { program: PathBuf },
    #[error("cannot start {}", .program.display())]
    Spawn {
        program: PathBuf,
        #[source]
        source: std::io::Error,
    },
    /// At the deadline, the program was still running, or a descendant still held its output pipes open. The
    /// program's process group was killed.
    #[error("{} did not end within {after:?} and was stopped", .program.display())]
    TimedOut { program: PathBuf, after: Duration },
    #[error("cannot wait for {}", .program.display())]
    Wait {
        program: PathBuf,
        #[source]
        source: std::io::Error,
    },
}

/// The exit code and the output of a program that has exited.
#[derive(Debug, Clone)]
pub struct Finished {
    /// The exit code; `None` if the program was killed by a signal.
    pub code: Option<i32>,
    /// Standard output, up to [`Program::cap`] bytes. Empty if [`Program::log`] was set.
    pub stdout: Vec<u8>,
    /// Standard error, up to [`Program::cap`] bytes. Empty if [`Program::log`] was set.
    pub stderr: Vec<u8>,
    /// Whether output was discarded: beyond the cap or the log's limit, or because the log was not writable.
    pub truncated: bool,
}

impl Finished {
    /// Whether the program exited with code 0.
    pub fn ok(&self) -> bool {
        self.code == Some(0)
    }

    /// Returns standard output as text. Invalid UTF-8 is replaced.
    pub fn out(&self) -> String {
        String::from_utf8_lossy(&self.stdout).into_owned()
    }

    /// Returns standard error as text. Invalid UTF-8 is replaced.
    pub fn err(&self) -> String {
        String::from_utf8_lossy(&self.stderr).into_owned()
    }
}

/// A builder for a program to run; see [`Program::run`].
#[derive(Debug)]
pub struct Program {
    pub(crate) path: PathBuf,
    args: Vec<OsString>,
    /// The end of the command line, which is passed without quoting.
    #[cfg(windows)]
    raw_end: Option<OsString>,
    env: Vec<(OsString, Option<OsString>)>,
    cwd: Option<PathBuf>,
    pub(crate) stdin: Vec<u8>,
    pub(crate) timeout: Duration,
    pub(crate) cap: usize,
    pub(crate) log: Option<Log>,
}

/// A file that receives both outputs, and the number of bytes that may still be written to it.
#[derive(Debug, Clone)]
pub(crate) struct Log {
    file: Arc<Mutex<(File, u64)>>,
}

impl Log {
    /// Writes up to the limit and returns whether everything was written. Bytes that cannot be written are
    /// discarded.
    fn write(&self, bytes: &[u8]) -> bool {
        let mut held = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let (file, left) = &mut *held;
        let room = bytes.len().min(usize::try_from(*left).unwrap_or(usize::MAX));
        *left -= room as u64;
        file.write_all(&bytes[..room]).is_ok() && room == bytes.len()
    }
}

impl Program {
    /// Creates a builder for the program at this path, or with this name in PATH. The defaults are a deadline
    /// of 60 s and a limit of 64 MiB for each output.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Program {
            path: path.into(),
            args: Vec::new(),
            #[cfg(windows)]
            raw_end: None,
            env: Vec::new(),
            cwd: None,
            stdin: Vec::new(),
            timeout: Duration::from_secs(60),
            cap: 64 << 20,
            log: None,
        }
    }

    /// Creates a builder that runs a command line in cmd.exe, which every Windows installation includes. It
    /// does not run the user's AutoRun commands.
    #[cfg(windows)]
    pub fn cmd(line: &str) -> Self {
        let cmd = std::env::var_os("ComSpec").unwrap_or_else(|| r"C:\Windows\System32\cmd.exe".into());
        let mut program = Program::new(cmd).args(["/d", "/s", "/c"]);
        // With /s, cmd.exe removes the first and the last quotation mark and changes nothing else. The usual
        // quoting would escape the line's own quotation marks with backslashes, which cmd.exe does not
        // understand.
        program.raw_end = Some(format!("\"{line}\"").into());
        program
    }

    /// Appends an argument, which is passed unchanged, without a shell.
    pub fn arg(mut self, arg: impl AsRef<OsStr>) -> Self {
        self.args.push(arg.as_ref().to_owned());
        self
    }

    /// Appends arguments, which are passed unchanged, without a shell.
    pub fn args<S: AsRef<OsStr>>(mut self, args: impl IntoIterator<Item = S>) -> Self {
        self.args.extend(args.into_iter().map(|a| a.as_ref().to_owned()));
        self
    }

    /// Sets an environment variable in addition to the inherited ones.
    pub fn env(mut self, key: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> Self {
        self.env.push((key.as_ref().to_owned(), Some(value.as_ref().to_owned())));
        self
    }

    /// Removes an inherited environment variable.
    pub fn env_remove(mut self, key: impl AsRef<OsStr>) -> Self {
        self.env.push((key.as_ref().to_owned(), None));
        self
    }

    /// Sets the working folder. The default is this process's working folder.
    pub fn cwd(mut self, dir: impl AsRef<Path>) -> Self {
        self.cwd = Some(dir.as_ref().to_owned());
        self
    }

    /// Sets the content of standard input. The default is empty.
    pub fn stdin(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.stdin = bytes.into();
        self
    }

    /// Sets the time limit, measured from the start of the program. The default is 60 s.
    pub fn timeout(mut self, after: Duration) -> Self {
        self.timeout = after;
        self
    }

    /// Sets the maximum number of bytes to keep of each output. The default is 64 MiB.
    pub fn cap(mut self, bytes: usize) -> Self {
        self.cap = bytes;
        self
    }

    /// Writes both outputs to this file as they arrive, up to `most` bytes in total, instead of keeping them
    /// in memory.
    pub fn log(mut self, file: File, most: u64) -> Self {
        self.log = Some(Log { file: Arc::new(Mutex::new((file, most))) });
        self
    }

    /// Runs the program until it exits. Output beyond the limit is read and discarded, so that the program
    /// never blocks on a full pipe. If a descendant keeps the pipes open after the program's exit, waits for
    /// the descendant until the deadline.
    pub fn run(self) -> Result<Finished, RunError> {
        let (path, started) = (self.path.clone(), Instant::now());
        let result = self.run_from(started);
        let program = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
        let ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
        // Do not log the arguments, because they contain user text.
        match &result {
            Ok(done) => tracing::debug!(%program, ms, code = done.code, "program ended"),
            Err(error) => tracing::warn!(%program, ms, %error, "program failed"),
        }
        result
    }

    fn run_from(self, started: Instant) -> Result<Finished, RunError> {
        let mut child = self.spawn()?;
        write_stdin(child.stdin.take(), self.stdin);
        let pid = child.id();
        let (path, timeout) = (self.path, self.timeout);
        let timed_out = || RunError::TimedOut { program: path.clone(), after: timeout };
        if self.log.is_none()
            && let Ok(waited) = os::wait_with_output(&mut child, self.cap, started + timeout)
        {
            let Some(WaitOutput { status, stdout, stderr }) = waited else {
                kill_group(pid);
                // Reap the program on another thread, because it may not exit immediately after the kill.
                thread::spawn(move || reap(&mut child));
                return Err(timed_out());
            };
            let status = status.map_err(|source| RunError::Wait { program: path.clone(), source })?;
            let (code, truncated) = (status.code(), stdout.cut || stderr.cut);
            return Ok(Finished { code, stdout: stdout.bytes, stderr: stderr.bytes, truncated });
        }
        let out = drain(child.stdout.take(), self.cap, self.log.clone());
        let err = drain(child.stderr.take(), self.cap, self.log);
        let (sender, ended) = sync_channel(1);
        thread::spawn(move || {
            let _ = sender.send(reap(&mut child));
        });
        let status = match ended.recv_timeout(timeout) {
            Ok(status) => status.map_err(|source| RunError::Wait { program: path.clone(), source })?,
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                kill_group(pid);
                return Err(timed_out());
            }
        };
        let left = timeout.saturating_sub(started.elapsed()).max(Duration::from_millis(200));
        let (Ok((stdout, cut_out)), Ok((stderr, cut_err))) = (out.recv_timeout(left), err.recv_timeout(left))
        else {
            kill_group(pid);
            return Err(timed_out());
        };
        Ok(Finished { code: status.code(), stdout, stderr, truncated: cut_out || cut_err })
    }

    /// Runs the program until `wait` returns, then terminates the program if it is still running, with all
    /// its descendants. `wait` receives a function that reports whether the program has exited; `ended` is
    /// called at its exit. Returns `None` if the program was terminated. The program has no standard input.
    #[cfg(windows)]
    pub fn run_until(
        self,
        ended: impl Fn() + Send + 'static,
        wait: impl FnOnce(&dyn Fn() -> bool),
    ) -> Result<Option<Finished>, RunError> {
        let mut child = self.spawn_with(Stdio::null(), Stdio::piped(), Stdio::piped())?;
        let out = drain(child.stdout.take(), self.cap, None);
        let err = drain(child.stderr.take(), self.cap, None);
        let pid = child.id();
        let status = Arc::new(Mutex::new(None));
        let set_status = Arc::clone(&status);
        thread::spawn(move || {
            let reaped = reap(&mut child);
            *set_status.lock().unwrap_or_else(PoisonError::into_inner) = Some(reaped);
            ended();
        });
        let take = || status.lock().unwrap_or_else(PoisonError::into_inner).take();
        let has_ended = || status.lock().unwrap_or_else(PoisonError::into_inner).is_some();
        wait(&has_ended);
        let Some(status) = take() else {
            kill_group(pid);
            return Ok(None);
        };
        let status = status.map_err(|source| RunError::Wait { program: self.path, source })?;
        let rest = |pipe: DrainReceiver| pipe.recv_timeout(LAST_OUTPUT).unwrap_or_default();
        let ((stdout, cut_out), (stderr, cut_err)) = (rest(out), rest(err));
        Ok(Some(Finished { code: status.code(), stdout, stderr, truncated: cut_out || cut_err }))
    }

    pub(crate) fn spawn(&self) -> Result<Child, RunError> {
        self.spawn_with(Stdio::piped(), Stdio::piped(), Stdio::piped())
    }

    pub(crate) fn spawn_with(&self, stdin: Stdio, stdout: Stdio, stderr: Stdio) -> Result<Child, RunError> {
        // Other crates must not spawn programs, so the lint bans this call.
        #[allow(clippy::disallowed_methods)]
        let mut command = Command::new(&self.path);
        command.args(&self.args).stdin(stdin).stdout(stdout).stderr(stderr);
        #[cfg(windows)]
        if let Some(end) = &self.raw_end {
            std::os::windows::process::CommandExt::raw_arg(&mut command, end);
        }
        if let Some(dir) = &self.cwd {
            command.current_dir(dir);
        }
        crate::private_env::change(&mut command, &self.env);
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        #[cfg(windows)]
        std::os::windows::process::CommandExt::creation_flags(&mut command, os::NO_WINDOW);
        crate::child_reaper::spawn(|| command.spawn(), Child::id).map_err(|source| {
            let missing = source.kind() == std::io::ErrorKind::NotFound
                && self.cwd.as_ref().is_none_or(|dir| dir.is_dir());
            match missing {
                true => RunError::NotFound { program: self.path.clone() },
                false => RunError::Spawn { program: self.path.clone(), source },
            }
        })
    }
}

/// How long to wait for the remaining output after the program's exit. Its children may keep the pipes open.
#[cfg(windows)]
const LAST_OUTPUT: Duration = Duration::from_millis(300);

/// The minimum capacity of a pipe on all systems, in bytes.
const PIPE_CAPACITY_MIN: usize = 4096;

/// Writes a program's input without waiting for the program to read it.
pub(crate) fn write_stdin(pipe: Option<ChildStdin>, input: Vec<u8>) {
    let Some(mut pipe) = pipe else { return };
    let fits_pipe = input.len() <= PIPE_CAPACITY_MIN;
    // Ignore an error: a program may exit without reading its input.
    let mut write = move || drop(pipe.write_all(&input));
    match fits_pipe {
        true => write(),
        false => drop(thread::spawn(write)),
    }
}

/// Receives the output of a pipe at its end, and whether output was discarded.
pub(crate) type DrainReceiver = std::sync::mpsc::Receiver<(Vec<u8>, bool)>;

/// Reads a pipe to its end on a separate thread: into `log`, or else into memory up to `cap` bytes.
pub(crate) fn drain(pipe: Option<impl Read + Send + 'static>, cap: usize, log: Option<Log>) -> DrainReceiver {
    let (sender, receiver) = sync_channel(1);
    thread::spawn(move || {
        let mut output = CappedOutput::up_to(cap);
        if let Some(mut pipe) = pipe {
            let mut chunk = [0u8; 16 * 1024];
            while let Ok(n) = pipe.read(&mut chunk)
                && n > 0
            {
                match &log {
                    Some(log) => output.cut |= !log.write(&chunk[..n]),
                    None => output.add(&chunk[..n]),
                }
            }
        }
        let _ = sender.send((output.bytes, output.cut));
    });
    receiver
}

#[cfg(unix)]
pub(crate) fn kill_group(pid: u32) {
    if let Some(pid) = i32::try_from(pid).ok().and_then(rustix::process::Pid::from_raw) {
        // Ignore an error: all processes of the group may already have exited.
        let _ = rustix::process::kill_process_group(pid, rustix::process::Signal::KILL);
    }
}

#[cfg(windows)]
pub(crate) use os::kill_group;
