//! The cause of a failed or ended connection, determined from ssh's exit code and standard error.

use bc_engine::ssh::{MachineAddress, SSH_FAILED, SshFailure, failure, last_line};
use bc_wire::{ApiError, ErrorCode};
use serde::Deserialize;

pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The remote script's exit code if the program is missing.
const NO_PROGRAM: i32 = 127;
/// The remote program's exit code for a usage error, such as an option that an older version does not have.
const USAGE: i32 = 2;

/// The known facts about the end of a connection.
#[derive(Debug, Default)]
pub(crate) struct Ended {
    /// ssh's exit code; `None` after a signal.
    pub(crate) code: Option<i32>,
    /// The end of ssh's standard error.
    pub(crate) stderr: String,
    /// The version of the remote program, if it printed one.
    pub(crate) version: Option<String>,
}

/// The next step after a connection has ended.
#[derive(Debug)]
pub(crate) enum Next {
    /// Another program uses the local port.
    OtherLocalPort,
    /// Another program uses the port on the other machine.
    OtherRemotePort,
    /// The connection was lost or could not be made; another attempt may succeed.
    Again(ApiError),
    /// Another attempt would not help.
    Failed(ApiError),
}

#[derive(Deserialize)]
struct Refusal {
    error: ApiError,
}

/// Determines the next step from ssh's exit code and the output of the other machine.
pub(crate) fn next(machine: &MachineAddress, ended: &Ended) -> Next {
    let (name, stderr) = (machine.as_str(), ended.stderr.as_str());
    if ended.code == Some(SSH_FAILED) && stderr.contains("Could not request local forwarding") {
        return Next::OtherLocalPort;
    }
    match failure(machine, ended.code, stderr) {
        Some(SshFailure::Refused(error)) => return Next::Failed(error),
        Some(SshFailure::Lost(error)) => return Next::Again(error),
        None => {}
    }
    match ended.code.unwrap_or_default() {
        NO_PROGRAM => {
            let message = format!("beads-console is not installed on {name}, or is not in its PATH");
            let hint = format!("install version {VERSION} on {name}, for example into ~/.local/bin");
            Next::Failed(ApiError::new(ErrorCode::ProgramMissing, message).hint(hint))
        }
        code => match refusal(stderr) {
            Some(error) if error.message.contains("is in use by another program") => Next::OtherRemotePort,
            Some(error) if code == USAGE && error.message.contains("unexpected argument") => {
                Next::Failed(other_version(name, ended.version.as_deref()))
            }
            Some(error) => Next::Failed(ApiError { message: format!("{name}: {}", error.message), ..error }),
            None if code == 0 => Next::Again(ApiError::new(
                ErrorCode::MachineUnreachable,
                format!("the server on {name} has ended"),
            )),
            None => Next::Failed(ApiError::new(
                ErrorCode::MachineUnreachable,
                format!("the server on {name} ended with exit code {code}: {}", last_line(stderr)),
            )),
        },
    }
}

fn other_version(name: &str, version: Option<&str>) -> ApiError {
    let installed = version.unwrap_or("an unknown version");
    let message =
        format!("{name} has version {installed} of beads-console, which cannot be opened from {VERSION}");
    ApiError::new(ErrorCode::OtherVersion, message).hint(format!("install version {VERSION} on {name}"))
}

/// The last error that the remote program printed as JSON on standard error.
fn refusal(stderr: &str) -> Option<ApiError> {
    stderr
        .lines()
        .rev()
        .find_map(|line| serde_json::from_str::<Refusal>(line).ok())
        .map(|refusal| refusal.error)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(code: Option<i32>, stderr: &str) -> Next {
        let version = Some("0.0.9".to_owned());
        next(&"far".parse().unwrap(), &Ended { code, stderr: stderr.to_owned(), version })
    }

    #[track_caller]
    fn failed(code: Option<i32>, stderr: &str) -> (ErrorCode, String) {
        match after(code, stderr) {
            Next::Failed(error) => (error.code, error.message),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn each_cause_has_its_own_error() {
        let changed = "@ WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED! @\nHost key verification failed.\n";
        assert_eq!(failed(Some(255), changed).0, ErrorCode::HostKeyChanged);
        let unknown = failed(Some(255), "Host key verification failed.\n");
        assert!(unknown.0 == ErrorCode::MachineUnreachable && unknown.1.contains("not known yet"));
        assert!(failed(Some(255), "a@far: Permission denied (publickey).\n").1.contains("publickey"));
        assert_eq!(failed(Some(127), "").0, ErrorCode::ProgramMissing);
        let old =
            "{\"error\":{\"code\":\"usage\",\"message\":\"unexpected argument '--while-stdin' found\"}}\n";
        let (code, message) = failed(Some(2), old);
        assert!(code == ErrorCode::OtherVersion && message.contains("0.0.9"), "{message}");
        let folder = "{\"error\":{\"code\":\"project_not_found\",\"message\":\"no folder\"}}\n";
        assert_eq!(failed(Some(3), folder), (ErrorCode::ProjectNotFound, "far: no folder".to_owned()));
        assert!(!failed(Some(1), "oh\u{1b}[2Jno\n").1.contains('\u{1b}'));
    }

    #[test]
    fn a_taken_port_and_a_lost_connection_are_tried_again() {
        let taken = "{\"error\":{\"code\":\"usage\",\"message\":\"port 1 of 127.0.0.1 is in use by another program: x\"}}";
        assert!(matches!(after(Some(2), taken), Next::OtherRemotePort));
        let bind_failed = "bind [127.0.0.1]:1: Address already in use\nCould not request local forwarding.\n";
        assert!(matches!(after(Some(255), bind_failed), Next::OtherLocalPort));
        for (code, stderr) in [(Some(255), "Connection refused"), (None, ""), (Some(0), "")] {
            assert!(matches!(after(code, stderr), Next::Again(_)), "{code:?} {stderr}");
        }
    }
}
