//! Waits until a parent process has reaped an ended program.
//!
//! A parent that runs several programs may learn of their ends in another order than they ended: under load,
//! several programs have ended before the parent checks. A reaped program is no longer in the process list,
//! and every program that ends later is also reaped later.
//!
//! On Windows, where programs are not reaped, the watch waits for the end of the program itself.

use crate::{descendants::Identity, os, socket::Stream};
use std::{
    thread,
    time::{Duration, Instant},
};

/// The list is polled, because no event reports that a process has left it.
const POLL_INTERVAL: Duration = Duration::from_millis(2);

/// A program whose parent waits for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReapWatch {
    /// The program, or the outermost `sh -c` around it.
    outermost: Identity,
}

impl ReapWatch {
    /// The program at the other end of a connection; `None` where the operating system does not report it, or when
    /// the program has ended.
    pub fn of(stream: &Stream) -> Option<ReapWatch> {
        os::outermost_shell_of(os::peer_of(stream)?).map(|outermost| ReapWatch { outermost })
    }

    /// Waits until the program was reaped, at most `longest`. Returns whether it was.
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

    /// Starts a program and waits for its first line, which also means that its exec is done.
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
    fn an_exit_counts_once_the_parent_has_reaped_it() {
        let (mut child, _) = started("/bin/sh", &["-c", "echo there; read line"]);
        let program = watch(&child);
        drop(child.stdin.take());
        let mut rest = String::new();
        child.stdout.take().unwrap().read_to_string(&mut rest).unwrap();
        assert!(!program.wait_reaped(Duration::ZERO), "it has ended and was not reaped");
        child.wait().unwrap();
        assert!(program.wait_reaped(Duration::ZERO));
    }

    #[test]
    fn a_shell_run_with_c_counts_as_the_program_and_other_shells_do_not() {
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
