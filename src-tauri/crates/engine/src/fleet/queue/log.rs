//! What merging a request printed: our own lines, each with its time, and what git and the check said. It lies
//! with the person's other state and never in the repository, for it may be big.

use crate::{
    engine::{Engine, now},
    errors::file_error,
    fleet::{fleet_error, state},
};
use bc_core::{ids::MergeRequestId, text};
use bc_store::file::{self, Printed};
use bc_wire::{ApiError, fleet::*};
use std::{
    hash::{DefaultHasher, Hash, Hasher},
    path::{Path, PathBuf},
};

/// So much is told at a time, in bytes.
const PIECE: usize = 64 << 10;

/// So much of the last output is kept with what stopped a merge.
const TAIL: usize = 16 << 10;

/// A log that is being written. That it cannot be, on a full disk say, is no reason not to merge.
pub(super) struct Log<'a> {
    printed: Option<Printed>,
    /// More than is kept in the end, so that it is not moved with every piece.
    tail: Vec<u8>,
    told: &'a mut dyn FnMut(&[u8]),
}

impl<'a> Log<'a> {
    /// Goes on with a request's log; `told` hears every piece as well.
    pub(super) fn open(engine: &Engine, id: &MergeRequestId, told: &'a mut dyn FnMut(&[u8])) -> Log<'a> {
        let printed = folder(engine, id).and_then(|folder| Printed::open(&folder).ok());
        Log { printed, tail: Vec::new(), told }
    }

    /// A line of ours; the last output begins behind it.
    pub(super) fn line(&mut self, word: &str, words: &str) {
        let line = format!("{} {word:<8} {}\n", now().format("%H:%M:%S"), text::one_line(words));
        self.raw(line.as_bytes());
        self.tail.clear();
    }

    /// What a program said, whole.
    pub(super) fn said(&mut self, words: &str) {
        if !words.is_empty() {
            self.raw(format!("{}\n", words.trim_end()).as_bytes());
        }
    }

    /// A piece of what a program prints.
    pub(super) fn raw(&mut self, bytes: &[u8]) {
        if let Some(printed) = &mut self.printed {
            // What does not fit is not kept; the last of it is, below.
            let _ = printed.write(bytes);
        }
        self.tail.extend_from_slice(bytes);
        if self.tail.len() > 8 * TAIL {
            self.tail.drain(..self.tail.len() - TAIL);
        }
        (self.told)(bytes);
    }

    /// The last output, as text.
    pub(super) fn tail(&self) -> String {
        let last = &self.tail[self.tail.len().saturating_sub(TAIL)..];
        text::plain(&String::from_utf8_lossy(last)).trim_end().to_owned()
    }
}

/// A part of what a merge printed.
pub(crate) fn output(engine: &Engine, params: &FleetQueueOutputParams) -> Result<FleetQueueOutput, ApiError> {
    let (queue, _) = state(engine).queue().map_err(fleet_error)?;
    let live = queue.current.as_ref().is_some_and(|current| current.id == params.id);
    let nothing = FleetQueueOutput { text: String::new(), next: params.from, more: false, live };
    let Some(folder) = folder(engine, &params.id) else { return Ok(nothing) };
    let mut piece = file::printed(&folder, params.from, PIECE).map_err(file_error)?;
    if piece.more || live {
        // Neither a character nor an escape sequence is told in halves.
        let whole = piece.bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let unfinished = !piece.more && piece.bytes.len() < PIECE;
        let told = if whole > 0 || unfinished { whole } else { characters(&piece.bytes) };
        piece.next -= (piece.bytes.len() - told) as u64;
        piece.bytes.truncate(told);
    }
    let mut told = text::plain(&String::from_utf8_lossy(&piece.bytes));
    if piece.missing > 0 {
        told.insert_str(0, &format!("… {} bytes are not kept …\n", text::grouped(piece.missing)));
    }
    Ok(FleetQueueOutput { text: told, next: piece.next, more: piece.more, live })
}

/// The length without the beginning of a character at the end.
fn characters(bytes: &[u8]) -> usize {
    let begun = bytes.iter().rev().take(4).position(|byte| *byte & 0b1100_0000 == 0b1100_0000);
    let begun = begun.map_or(bytes.len(), |back| bytes.len() - back - 1);
    if std::str::from_utf8(&bytes[begun..]).is_ok() { bytes.len() } else { begun }
}

/// Forgets what the merges of other requests than these printed.
pub(super) fn forget_others(engine: &Engine, keep: &[MergeRequestId]) {
    let Some(all) = all_of(engine) else { return };
    let Ok(entries) = std::fs::read_dir(&all) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        if !keep.iter().any(|id| name == id.as_str()) {
            // One that stays costs some space.
            let _ = file::remove_printed(&entry.path());
        }
    }
}

fn folder(engine: &Engine, id: &MergeRequestId) -> Option<PathBuf> {
    Some(all_of(engine)?.join(id.as_str()))
}

/// The folder of all logs of this project's queue.
fn all_of(engine: &Engine) -> Option<PathBuf> {
    let mut hasher = DefaultHasher::new();
    state(engine).dir().hash(&mut hasher);
    Some(state_home()?.join("beads-console/merges").join(format!("{:016x}", hasher.finish())))
}

/// Where programs keep what is theirs and of no worth elsewhere.
fn state_home() -> Option<PathBuf> {
    let own = std::env::var_os("XDG_STATE_HOME").map(PathBuf::from).filter(|dir| dir.is_absolute());
    own.or_else(|| {
        let home = std::env::home_dir()?;
        Some(match std::env::consts::OS {
            "macos" => home.join("Library/Application Support"),
            "windows" => home.join("AppData/Local"),
            _ => home.join(Path::new(".local/state")),
        })
    })
}
