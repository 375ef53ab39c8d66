//! Whether whoever started a program has noticed its end. Who runs several at a time may hear of their ends in another order
//! than that in which they came: under load both have come by the time it looks. A program whose end was noticed is gone from the
//! system's list, and whatever ends after that is noticed after it.
//!
//! Linux alone tells; elsewhere nobody knows.

use crate::{descendants::Identity, os, socket::Stream};
use std::{
    thread,
    time::{Duration, Instant},
};

/// Nothing tells that a program is gone from the list, so it is looked for.
const LOOKED_FOR_EVERY: Duration = Duration::from_millis(2);

/// A program that somebody started and waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Awaited {
    /// The program, or the outermost shell that was started for its line alone.
    outermost: Identity,
}

impl Awaited {
    /// The program at the other end of a connection; `None` where the system does not tell, or it has ended already.
    pub fn of(stream: &Stream) -> Option<Awaited> {
        os::line_of(os::peer_of(stream)?).map(|outermost| Awaited { outermost })
    }

    /// Waits until its end was noticed, at most `longest`; whether it was.
    pub fn noticed_within(self, longest: Duration) -> bool {
        let deadline = Instant::now() + longest;
        while os::is_listed(self.outermost) {
            if Instant::now() >= deadline {
                return false;
            }
            thread::sleep(LOOKED_FOR_EVERY);
        }
        true
    }
}

#[cfg(test)]
#[cfg(target_os = "linux")]
#[allow(clippy::disallowed_methods, reason = "children whose ends are noticed when the test says so")]
mod tests {
    use super::*;
    use std::{
        io::Read,
        process::{Child, Command, Stdio},
    };

    fn awaited(child: &Child) -> Awaited {
        os::line_of(child.id()).map(|outermost| Awaited { outermost }).unwrap()
    }

    /// Starts it and waits until it has printed a line, and with that until it is the program that it becomes.
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
    fn an_end_is_noticed_when_it_was_waited_for_and_not_when_it_came() {
        let (mut child, _) = started("/bin/sh", &["-c", "echo there; read line"]);
        let program = awaited(&child);
        drop(child.stdin.take());
        let mut rest = String::new();
        child.stdout.take().unwrap().read_to_string(&mut rest).unwrap();
        assert!(!program.noticed_within(Duration::ZERO), "it has ended, and nobody looked");
        child.wait().unwrap();
        assert!(program.noticed_within(Duration::ZERO));
    }

    #[test]
    fn a_shell_that_was_started_for_the_line_counts_as_the_program_and_another_one_does_not() {
        // The inner one tells its number; the colon keeps the outer one from becoming it.
        let inner = "/bin/sh -c 'echo $$; read line'; :";
        let (mut outer, pid) = started("/bin/sh", &["-c", inner]);
        let found = os::line_of(pid.parse().unwrap()).unwrap();
        assert_eq!(found.pid, outer.id());
        drop(outer.stdin.take());
        outer.wait().unwrap();
        let (mut script, pid) = started("/bin/sh", &["-e", "-c", inner]);
        assert_eq!(os::line_of(pid.parse().unwrap()).unwrap().pid.to_string(), pid);
        drop(script.stdin.take());
        script.wait().unwrap();
    }
}
