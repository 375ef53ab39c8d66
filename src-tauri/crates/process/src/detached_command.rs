//! The command for a program that outlives this one.

use std::{ffi::OsString, fs::File, path::PathBuf};

/// A program to detach.
#[derive(Debug)]
pub struct DetachedCommand {
    /// The program's absolute path.
    pub program: PathBuf,
    /// The arguments, without the program's name.
    pub args: Vec<OsString>,
    /// The working folder. It must not be temporary, because the program may outlive it.
    pub cwd: PathBuf,
    /// Changes to the inherited environment: each variable with its new value, or with `None` to remove it.
    pub env: Vec<(OsString, Option<OsString>)>,
    /// The complete standard input.
    pub stdin: Vec<u8>,
    /// The file for standard error. `None` discards it.
    pub log: Option<File>,
    /// Open files to pass to the program, each with the name of the variable that receives its descriptor or
    /// handle number. A lock on such a file is held until the last process has closed the file or exited.
    pub inherited_files: Vec<(&'static str, File)>,
}
