//! Memories that wait in the file are moved into the tracker: those of a time before there was one, and
//! those of a time when it failed.

use crate::{MemoryProvider, ProviderError};
use bc_core::{ids::BeadId, memory::from_row};

impl MemoryProvider {
    /// Moves at most so many; how many it moved. Each is in the tracker before it goes from the file: a
    /// crash in between leaves it in both, under one key.
    ///
    /// # Errors
    /// The tracker fails still; what was moved until then is moved.
    pub fn settle(&self, most: usize) -> Result<usize, ProviderError> {
        let Some(shelf) = &self.shelf else { return Ok(0) };
        if !self.file.path().exists() {
            return Ok(0);
        }
        // Whoever has it may be moving them just now.
        let Some(_turn) = self.file.turn()? else { return Ok(0) };
        let writing = self.file.write()?;
        let mut moved: Vec<BeadId> = Vec::new();
        let mut failure = None;
        for row in self.file.folded()?.rows {
            let Some(entry) = from_row(&row).filter(|_| moved.len() < most) else { continue };
            // What was forgotten while it waited is nobody's loss.
            let taken = if entry.forgotten { Ok(()) } else { shelf.take(&row, &self.caller.actor) };
            match taken {
                Ok(()) => moved.push(entry.id),
                Err(error) => {
                    failure = Some(error);
                    break;
                }
            }
        }
        if !moved.is_empty() {
            writing.remove(&moved)?;
        }
        match failure {
            Some(error) => Err(ProviderError::Tracker(error)),
            None => Ok(moved.len()),
        }
    }
}
