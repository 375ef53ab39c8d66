//! A program's exit, and its output up to a size limit.

use std::{
    io,
    process::{Child, ExitStatus},
};

pub(crate) struct WaitOutput {
    pub(crate) status: io::Result<ExitStatus>,
    pub(crate) stdout: CappedOutput,
    pub(crate) stderr: CappedOutput,
}

/// The first `cap` bytes of a stream. Later bytes are discarded.
pub(crate) struct CappedOutput {
    pub(crate) bytes: Vec<u8>,
    cap: usize,
    /// Whether bytes were discarded.
    pub(crate) cut: bool,
}

impl CappedOutput {
    pub(crate) fn up_to(cap: usize) -> CappedOutput {
        CappedOutput { bytes: Vec::new(), cap, cut: false }
    }

    pub(crate) fn add(&mut self, chunk: &[u8]) {
        let room = self.cap.saturating_sub(self.bytes.len()).min(chunk.len());
        self.bytes.extend_from_slice(&chunk[..room]);
        self.cut |= room < chunk.len();
    }
}

/// Waits for a child, then removes it from the child reaper's list, because the system may reuse its pid.
pub(crate) fn reap(child: &mut Child) -> io::Result<ExitStatus> {
    let status = child.wait();
    crate::child_reaper::mark_reaped(child.id());
    status
}
