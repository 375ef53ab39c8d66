//! The command for a PTY.

use crate::size::Size;
use std::{ffi::OsString, path::PathBuf};

/// A program to start in a PTY.
#[derive(Debug, Clone)]
pub struct PtyCommand {
    /// The program's absolute path.
    pub program: PathBuf,
    /// The arguments, without the program's name.
    pub args: Vec<OsString>,
    pub cwd: PathBuf,
    /// Changes to the inherited environment: each variable with its new value, or with `None` to remove it.
    pub env: Vec<(OsString, Option<OsString>)>,
    pub size: Size,
}
