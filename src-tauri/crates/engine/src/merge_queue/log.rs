//! The log of a request's merge: this program's timestamped lines, and the output of git and the check. The
//! log is in the user's state folder, not in the repository, because it can be large.

use crate::{
    context::{Context, errors::file_error, now},
    fleet_state::{fleet_error, state},
    settings::preferences,
};
use bc_core::{ids::MergeRequestId, text};
use bc_store::file::{self, OutputParts};
use bc_wire::{ApiError, fleet::*};
use std::{
    hash::{DefaultHasher, Hash, Hasher},
    path::PathBuf,
};

/// The maximum size of a log piece that is sent to a client, in bytes.
const PIECE: usize = 64 << 10;

/// The maximum size of the output's tail that is kept with the cause of a stopped merge, in bytes.
const TAIL: usize = 16 << 10;

/// A log that is being written. A failed write does not stop the merge.
pub(super) struct Log<'a> {
    parts: Option<OutputParts>,
    /// The end of the output. It can be longer than [`TAIL`], so that its bytes are not moved with every piece.
    tail: Vec<u8>,
    on_output: &'a mut dyn FnMut(&[u8]),
}

impl<'a> Log<'a> {
    /// Opens a request's log for appending; `on_output` also receives every piece.
    pub(super) fn open(ctx: &Context, id: &MergeRequestId, on_output: &'a mut dyn FnMut(&[u8])) -> Log<'a> {
        let parts = folder(ctx, id).and_then(|folder| OutputParts::open(&folder).ok());
        Log { parts, tail: Vec::new(), on_output }
    }

    /// Writes one of this program's own lines, which starts a new tail.
    pub(super) fn line(&mut self, word: &str, words: &str) {
        let line = format!("{} {word:<8} {}\n", now().format("%H:%M:%S"), text::one_line(words));
        self.raw(line.as_bytes());
        self.tail.clear();
    }

    /// Writes a program's complete message, followed by a line ending.
    pub(super) fn message(&mut self, words: &str) {
        if !words.is_empty() {
            self.raw(format!("{}\n", words.trim_end()).as_bytes());
        }
    }

    /// Writes bytes unchanged, and adds them to the tail.
    pub(super) fn raw(&mut self, bytes: &[u8]) {
        if let Some(parts) = &mut self.parts {
            // After a failed write, only the tail below still has this piece.
            let _ = parts.write(bytes);
        }
        self.tail.extend_from_slice(bytes);
        if self.tail.len() > 8 * TAIL {
            self.tail.drain(..self.tail.len() - TAIL);
        }
        (self.on_output)(bytes);
    }

    /// The output since this program's last line, as text; at most its last [`TAIL`] bytes.
    pub(super) fn tail(&self) -> String {
        let last = &self.tail[self.tail.len().saturating_sub(TAIL)..];
        text::plain(&String::from_utf8_lossy(last)).trim_end().to_owned()
    }
}

/// A piece of a merge's log, from the byte `params.from`; empty if the log does not exist.
pub(crate) fn output(ctx: &Context, params: &FleetQueueOutputParams) -> Result<FleetQueueOutput, ApiError> {
    let (queue, _) = state(ctx).queue().map_err(fleet_error)?;
    let live = queue.current.as_ref().is_some_and(|current| current.id == params.id);
    let nothing = FleetQueueOutput { text: String::new(), next: params.from, more: false, live };
    let Some(folder) = folder(ctx, &params.id) else { return Ok(nothing) };
    let mut piece = file::read_output(&folder, params.from, PIECE).map_err(file_error)?;
    if piece.more || live {
        // End the piece at a line end if possible, so that no character or escape sequence is split.
        let whole = piece.bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let unfinished = !piece.more && piece.bytes.len() < PIECE;
        let length = if whole > 0 || unfinished { whole } else { whole_characters(&piece.bytes) };
        piece.next -= (piece.bytes.len() - length) as u64;
        piece.bytes.truncate(length);
    }
    let mut text = text::plain(&String::from_utf8_lossy(&piece.bytes));
    if piece.missing > 0 {
        text.insert_str(0, &format!("… {} bytes omitted …\n", text::grouped(piece.missing)));
    }
    Ok(FleetQueueOutput { text, next: piece.next, more: piece.more, live })
}

/// The length of the bytes without an incomplete character at their end.
fn whole_characters(bytes: &[u8]) -> usize {
    let begun = bytes.iter().rev().take(4).position(|byte| *byte & 0b1100_0000 == 0b1100_0000);
    let begun = begun.map_or(bytes.len(), |back| bytes.len() - back - 1);
    if std::str::from_utf8(&bytes[begun..]).is_ok() { bytes.len() } else { begun }
}

pub(super) fn remove_other_logs(ctx: &Context, keep: &[MergeRequestId]) {
    let Some(all) = all_of(ctx) else { return };
    let Ok(entries) = std::fs::read_dir(&all) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        if !keep.iter().any(|id| name == id.as_str()) {
            // A leftover log only takes up disk space.
            let _ = file::remove_output(&entry.path());
        }
    }
}

fn folder(ctx: &Context, id: &MergeRequestId) -> Option<PathBuf> {
    Some(all_of(ctx)?.join(id.as_str()))
}

/// The folder of the project's merge logs.
fn all_of(ctx: &Context) -> Option<PathBuf> {
    let mut hasher = DefaultHasher::new();
    state(ctx).dir().hash(&mut hasher);
    Some(preferences::state_folder()?.join("merges").join(format!("{:016x}", hasher.finish())))
}
