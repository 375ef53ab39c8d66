//! Processes on an unsupported system: every function reports that it is unsupported.

use crate::process_entry::{Identity, ProcessEntry, Signal};
use std::{io, time::Instant};

fn unsupported() -> io::Error {
    io::Error::new(io::ErrorKind::Unsupported, "listing processes is not supported on this system yet")
}

pub(crate) fn become_subreaper() -> io::Result<()> {
    Ok(())
}

pub(crate) fn reap_ended_children(_is_own: &dyn Fn(u32) -> bool) -> usize {
    0
}

pub(crate) fn list() -> io::Result<Vec<ProcessEntry>> {
    Err(unsupported())
}

pub(crate) fn identity_of(_pid: u32) -> Option<Identity> {
    None
}

/// Not reported on this system.
pub(crate) fn outermost_shell_of(_pid: u32) -> Option<Identity> {
    None
}

pub(crate) fn is_listed(identity: Identity) -> bool {
    identity_of(identity.pid) == Some(identity)
}

pub(crate) fn environment_of(_pid: u32) -> Option<Vec<Vec<u8>>> {
    None
}

pub(crate) fn send(_identity: Identity, _signal: Signal) -> io::Result<bool> {
    Err(unsupported())
}

pub(crate) fn wait_ended(_identities: &[Identity], _deadline: Instant) -> io::Result<()> {
    Err(unsupported())
}
