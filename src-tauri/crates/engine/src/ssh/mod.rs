//! Connections to other machines with the ssh program, so that the user's configuration, agent, jump hosts and known
//! keys apply. A machine is not trusted: its output is limited, and shown as plain text.
//!
//! May use: nothing of the engine.

mod address;
mod connection;
mod failure;
mod output;

pub use address::{MachineAddress, NoAddress};
pub use connection::{Connection, NoLine, start};
pub use failure::{SSH_FAILED, SshFailure, failure, last_line};
pub use output::{next_line, tail};

/// The options of ssh, before the machine's name. No question is asked, the user's own settings cannot turn this
/// into a shared connection that outlives us, and a dead connection is noticed within a minute.
const OPTIONS: &[&str] = &[
    "-T",
    "-oBatchMode=yes",
    "-oConnectTimeout=15",
    "-oServerAliveInterval=15",
    "-oServerAliveCountMax=3",
    "-oExitOnForwardFailure=yes",
    "-oControlMaster=no",
    "-oControlPath=none",
    "-oForkAfterAuthentication=no",
    "-oPermitLocalCommand=no",
    "-oRemoteCommand=none",
];

/// The start of a script for another machine: shells without a login often lack the folders of a user's own programs
/// in their PATH.
pub const USERS_PATH: &str = "PATH=\"$PATH:$HOME/.local/bin:$HOME/.cargo/bin\"; export PATH; ";

/// The line with which the account's shell there runs a script of `sh` with these arguments. ssh has no argument
/// vector, so every word is quoted.
pub fn script_line(script: &str, args: &[&str]) -> String {
    let words = ["sh", "-c", script, "beads-console"].into_iter().chain(args.iter().copied());
    format!("exec {}", words.map(quoted).collect::<Vec<_>>().join(" "))
}

/// In single quotes, in which only a single quote has a meaning.
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_quoted_for_the_remote_shell() {
        let line = script_line("echo \"$1\"", &["it's $(here)", "-x"]);
        assert_eq!(line, r#"exec 'sh' '-c' 'echo "$1"' 'beads-console' 'it'\''s $(here)' '-x'"#);
    }
}
