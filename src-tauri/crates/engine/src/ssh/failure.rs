//! Determines why ssh itself failed, from its exit code and its messages on standard error.

use super::MachineAddress;
use bc_wire::{ApiError, ErrorCode};

/// ssh's exit code for its own failures; any other code comes from the remote command.
pub const SSH_FAILED: i32 = 255;

/// A failure of ssh itself.
#[derive(Debug)]
pub enum SshFailure {
    /// The connection was lost or could not be made; a retry may succeed.
    Lost(ApiError),
    /// A retry cannot succeed.
    Refused(ApiError),
}

impl SshFailure {
    /// The error of either variant.
    pub fn into_error(self) -> ApiError {
        match self {
            SshFailure::Lost(error) | SshFailure::Refused(error) => error,
        }
    }
}

/// Maps ssh's exit code (`None` after a signal) and its messages to a failure. Returns `None` if ssh
/// succeeded and the code comes from the remote command.
pub fn failure(machine: &MachineAddress, code: Option<i32>, said: &str) -> Option<SshFailure> {
    if code.is_some_and(|code| code != SSH_FAILED) {
        return None;
    }
    let name = machine.as_str();
    let refused = |code, message: String, hint: String| {
        Some(SshFailure::Refused(ApiError::new(code, message).hint(hint)))
    };
    if said.contains("REMOTE HOST IDENTIFICATION HAS CHANGED") {
        return refused(
            ErrorCode::HostKeyChanged,
            format!("the host key of {name} is not the known one: another machine may answer in its place"),
            format!(
                "ask its administrator whether the key was replaced; if so, remove the old one with `ssh-keygen -R` and connect with `ssh {name}` once"
            ),
        );
    }
    if said.contains("Host key verification failed") {
        return refused(
            ErrorCode::MachineUnreachable,
            format!("the host key of {name} is not known yet"),
            format!("connect with `ssh {name}` once and compare the key"),
        );
    }
    if said.contains("Permission denied") {
        return refused(
            ErrorCode::MachineUnreachable,
            format!("the login to {name} was refused: {}", last_line(said)),
            format!("make `ssh {name}` work first, for example with a key in your ssh agent"),
        );
    }
    Some(SshFailure::Lost(
        ApiError::new(
            ErrorCode::MachineUnreachable,
            format!("the connection to {name} failed: {}", last_line(said)),
        )
        .hint(format!("check that `ssh {name}` works")),
    ))
}

/// The last line of a program's error output, without control characters, because text from another machine
/// must not control the terminal. Without a line, it states that the connection was closed.
pub fn last_line(said: &str) -> String {
    let line = said.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("the connection was closed");
    bc_core::text::plain(line.trim())
}
