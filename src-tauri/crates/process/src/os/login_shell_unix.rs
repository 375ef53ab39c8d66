//! The user's shell.

use portable_pty::CommandBuilder;
use std::path::PathBuf;

/// Returns `$SHELL`, or the shell of the user's account; `None` if that path is not absolute.
pub(crate) fn login_shell() -> Option<PathBuf> {
    let shell = PathBuf::from(CommandBuilder::new_default_prog().get_shell());
    shell.is_absolute().then_some(shell)
}
