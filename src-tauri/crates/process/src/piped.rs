//! A long-running child whose standard streams are connected to this process by pipes.
//!
//! The owner reads and writes the pipes on its own threads. Dropping the child kills it.

use crate::{
    child_reaper,
    foreground::{self, ForegroundError},
};
use std::{
    ffi::{OsStr, OsString},
    process::{Child, ChildStderr, ChildStdin, ChildStdout, ExitStatus, Stdio},
    thread,
    time::{Duration, Instant},
};

/// How often the child is checked for an exit.
const WAIT_STEP: Duration = Duration::from_millis(10);

/// A started child and its streams.
pub struct Piped {
    pub child: PipedChild,
    pub stdin: ChildStdin,
    pub stdout: ChildStdout,
    pub stderr: ChildStderr,
}

/// A child that is killed when this value is dropped.
pub struct PipedChild(Child);

/// Starts a program with these environment variables in addition to the inherited ones.
pub fn start(
    program: &OsStr,
    args: impl IntoIterator<Item = OsString>,
    env: &[(&str, &str)],
) -> Result<Piped, ForegroundError> {
    let mut command = foreground::command(program)?;
    command
        .args(args)
        .envs(env.iter().copied())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = foreground::spawn(&mut command)?;
    let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let (Some(stdin), Some(stdout), Some(stderr)) = pipes else { unreachable!("all three are piped") };
    Ok(Piped { child: PipedChild(child), stdin, stdout, stderr })
}

impl PipedChild {
    /// Waits for the child to exit. Returns `None` if waiting failed.
    pub fn wait(&mut self) -> Option<ExitStatus> {
        self.0.wait().ok()
    }

    /// Waits up to `limit` for the child to exit. Returns `None` if the child is still running or waiting
    /// failed.
    pub fn wait_within(&mut self, limit: Duration) -> Option<ExitStatus> {
        let deadline = Instant::now() + limit;
        loop {
            match self.0.try_wait() {
                Ok(None) if Instant::now() < deadline => thread::sleep(WAIT_STEP),
                ended => return ended.ok().flatten(),
            }
        }
    }
}

impl Drop for PipedChild {
    fn drop(&mut self) {
        if !matches!(self.0.try_wait(), Ok(Some(_))) {
            let _ = self.0.kill();
            let _ = self.0.wait();
        }
        child_reaper::mark_reaped(self.0.id());
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use std::io::{Read, Write};

    fn sh(script: &str) -> Piped {
        start("sh".as_ref(), ["-c", script].map(OsString::from), &[("WORD", "from the environment")]).unwrap()
    }

    #[test]
    fn the_streams_and_the_exit_code_belong_to_the_child() {
        let Piped { mut child, mut stdin, mut stdout, mut stderr } =
            sh("read word; echo $word $WORD; echo no >&2; exit 3");
        stdin.write_all(b"yes\n").unwrap();
        let mut text = [String::new(), String::new()];
        stdout.read_to_string(&mut text[0]).unwrap();
        stderr.read_to_string(&mut text[1]).unwrap();
        assert_eq!(
            (text, child.wait().unwrap().code()),
            (["yes from the environment\n".into(), "no\n".into()], Some(3))
        );
    }

    #[test]
    fn the_wait_for_a_child_is_limited() {
        let Piped { mut child, stdin, .. } = sh("read word; exit 4");
        assert_eq!(child.wait_within(Duration::from_millis(1)), None);
        drop(stdin);
        assert_eq!(child.wait_within(Duration::from_secs(60)).unwrap().code(), Some(4));
    }

    #[test]
    fn a_dropped_child_is_killed() {
        let Piped { child, stdin, mut stdout, .. } = sh("echo ready; exec cat");
        stdout.read_exact(&mut [0; 6]).unwrap();
        drop(child);
        assert_eq!(stdout.read(&mut [0; 1]).unwrap(), 0);
        drop(stdin);
    }

    #[test]
    fn a_missing_program_is_named() {
        let error = start("no-such-program-here".as_ref(), [], &[]).err().unwrap();
        assert_eq!(error.to_string(), "no-such-program-here was not found");
    }
}
