//! Detaching and signals on systems where this build supports neither.

use crate::handled_signal::HandledSignal;
use std::{io, process::Command};

/// The type of an inherited descriptor; none exists here.
pub(crate) enum InheritedFd {}

pub(crate) fn inherit(_command: &mut Command, _fds: Vec<InheritedFd>) -> Vec<i32> {
    Vec::new()
}

pub(crate) fn close_on_exec(_number: i32) -> io::Result<std::fs::File> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "passing descriptors is not supported on this system yet"))
}

pub(crate) fn hide_stdout() -> io::Result<()> {
    Ok(())
}

pub(crate) fn watch_signals(
    _wanted: &[HandledSignal],
    _act: Box<dyn FnMut(HandledSignal) -> bool + Send>,
) -> io::Result<()> {
    Ok(())
}
