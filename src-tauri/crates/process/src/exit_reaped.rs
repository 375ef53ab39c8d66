//! Waits until a parent process has reaped a program that exited.
//!
//! Under load, several programs can exit before their parent checks, so the parent can learn of the exits in
//! a different order. A reaped program is no longer in the process list, and every program that exits later
//! is also reaped later.
//!
//! On Windows, where programs are not reaped, the watch waits for the program's exit.

use crate::{descendants::Identity, os, socket::Stream};
use std::{
    thread,
    time::{Duration, Instant},
};

/// The polling interval. The process list is polled because no event reports a removal.
const POLL_INTERVAL: Duration = Duration::from_millis(2);

/// A program to watch until its parent has reaped it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReapWatch {
    /// The program, or the outermost `sh -c` that runs it.
    outermost: Identity,
}

impl ReapWatch {
    /// Returns a watch for the program at the other end of a connection. Returns `None` if the operating
    /// system does not report the program, or if the program has exited.
    pub fn of(stream: &Stream) -> Option<ReapWatch> {
        os::outermost_shell_of(os::peer_of(stream)?).map(|outermost| ReapWatch { outermost })
    }

    /// Waits up to `longest` until the parent has reaped the program. Returns whether it has.
    pub fn wait_reaped(self, longest: Duration) -> bool {
        let deadline = Instant::now() + longest;
        while os::is_listed(self.outermost) {
            if Instant::now() >= deadline {
                return false;
            }
            thread::sleep(POLL_INTERVAL);
        }
        true
    }
}

#[cfg(test)]
#[cfg(target_os = "linux")]
#[allow(clippy::disallowed_methods, reason = "children that the test reaps explicitly")]
mod tests {
    use super::*;
    use std::{
        io::Read,
        process::{Child, Command, Stdio},
    };

    fn watch(child: &Child) -> ReapWatch {
        os::outermost_shell_of(child.id()).map(|outermost| ReapWatch { outermost }).unwrap()
    }

    /// Starts a program and waits for its first line, which also shows that its exec has completed.
    fn started(program: &str, args: &[&str]) -> (Child, String) {
        let mut child =
            Command::new(program).args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = Vec::new();
        let out = child.stdout.as_mut().unwrap();
        while !line.ends_with(b"\n") {
            let mut byte = [0];
            out.read_exact(&mut byte).unwrap();
            line.extend(byte);
        }
        (child, String::from_utf8(line).unwrap().trim().to_owned())
    }

    #[test]
    fn an_exit_is_reported_once_the_parent_has_reaped_the_program() {
        let (mut child, _) = started("/bin/sh", &["-c", "echo there; read line"]);
        let program = watch(&child);
        drop(child.stdin.take());
        let mut rest = String::new();
        child.stdout.take().unwrap().read_to_string(&mut rest).unwrap();
        assert!(!program.wait_reaped(Duration::ZERO), "it has exited and was not reaped");
        child.wait().unwrap();
        assert!(program.wait_reaped(Duration::ZERO));
    }

    #[test]
    fn only_shells_with_dash_c_count_as_the_program() {
        // The inner shell prints its pid. The colon keeps the outer shell from replacing itself with the inner one.
        let inner = "/bin/sh -c 'echo $$; read line'; :";
        let (mut outer, pid) = started("/bin/sh", &["-c", inner]);
        let found = os::outermost_shell_of(pid.parse().unwrap()).unwrap();
        assert_eq!(found.pid, outer.id());
        drop(outer.stdin.take());
        outer.wait().unwrap();
        let (mut script, pid) = started("/bin/sh", &["-e", "-c", inner]);
        assert_eq!(os::outermost_shell_of(pid.parse().unwrap()).unwrap().pid.to_string(), pid);
        drop(script.stdin.take());
        script.wait().unwrap();
    }
}
