//! Connections to other machines with the ssh program, so that the user's configuration, agent, jump hosts
//! and known keys apply. A machine is not trusted: its output is limited in size and shown as plain text.
//!
//! May use: no other folder.

mod address;
mod connection;
mod failure;
mod output;

pub use address::{MachineAddress, NoAddress};
pub use connection::{Connection, NoLine, start};
pub use failure::{SSH_FAILED, SshFailure, failure, last_line};
pub use output::{next_line, tail};

/// ssh options that precede the machine's name. They disable prompts, and detect a dead connection within
/// half a minute.
const OPTIONS: &[&str] = &[
    "-T",
    "-oBatchMode=yes",
    "-oConnectTimeout=15",
    "-oServerAliveInterval=5",
    "-oServerAliveCountMax=3",
    "-oExitOnForwardFailure=yes",
    "-oForkAfterAuthentication=no",
    "-oPermitLocalCommand=no",
    "-oRemoteCommand=none",
];

/// Prevents the user's settings from sharing a connection that would then outlive this process.
const UNSHARED: &[&str] = &["-oControlMaster=no", "-oControlPath=none"];

/// The first words of an ssh command. The caller appends the options for connection sharing and the machine's name.
pub(crate) fn words() -> Vec<String> {
    ["ssh"].iter().chain(OPTIONS).map(|&word| word.to_owned()).collect()
}

pub use bc_remote::{USERS_PATH, script_line};
