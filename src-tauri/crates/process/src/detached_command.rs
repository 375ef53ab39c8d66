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
    /// Changes to this process's environment: each variable with its value, or with `None` to remove it.
    pub env: Vec<(OsString, Option<OsString>)>,
    /// The content of its standard input.
    pub stdin: Vec<u8>,
    /// The file for its standard error; none by default.
    pub log: Option<File>,
    /// Open files to pass on, each with the name of a variable that receives the number of its descriptor or handle. A
    /// lock on such a file lasts until its last holder has ended.
    pub inherited_files: Vec<(&'static str, File)>,
}
