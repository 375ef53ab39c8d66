//! Detaching and signals where this build knows neither.

use crate::signals::Wanted;
use std::{io, process::Command};

/// The kind of a handed descriptor; there is none here.
pub(crate) enum Handed {}

pub(crate) fn inherit(_command: &mut Command, _fds: Vec<Handed>) -> Vec<i32> {
    Vec::new()
}

pub(crate) fn close_on_exec(_number: i32) -> io::Result<std::fs::File> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "descriptors cannot be handed over on this system yet"))
}

pub(crate) fn hide_stdout() -> io::Result<()> {
    Ok(())
}

pub(crate) fn watch_signals(
    _wanted: &[Wanted],
    _act: Box<dyn FnMut(Wanted) -> bool + Send>,
) -> io::Result<()> {
    Ok(())
}
