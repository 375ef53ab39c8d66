//! The project's beads, prepared for queries and kept until they change: a query runs at every keystroke.

use super::errors::tracker_error;
use bc_beads::{ListFilter, Tracker};
use bc_core::query::Beads;
use bc_wire::ApiError;
use std::sync::{Arc, Mutex, PoisonError};

/// The beads as last prepared.
#[derive(Default)]
pub(crate) struct BeadQueries(Mutex<Option<(String, Arc<Beads>)>>);

impl BeadQueries {
    /// The beads that are not memories, with their long texts if needed. Of concurrent callers, one prepares and the
    /// others wait for it.
    pub(crate) fn beads(&self, tracker: &dyn Tracker, with_texts: bool) -> Result<Arc<Beads>, ApiError> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Named before the read: a concurrent change is read by the next query.
        let content = content(tracker);
        if let (Some(content), Some((known, beads))) = (&content, &*kept)
            && content == known
            && (beads.has_texts() || !with_texts)
        {
            return Ok(Arc::clone(beads));
        }
        // The old ones need not stay in memory beside the new ones.
        *kept = None;
        let listed = tracker.list(&ListFilter::all_but_memories()).map_err(tracker_error)?.beads;
        let beads = Arc::new(match with_texts {
            true => Beads::with_texts(listed, &tracker.texts().map_err(tracker_error)?),
            false => Beads::of(listed),
        });
        *kept = content.map(|content| (content, Arc::clone(&beads)));
        Ok(beads)
    }
}

/// Names the tracker's content; `None` if it cannot be compared.
fn content(tracker: &dyn Tracker) -> Option<String> {
    match tracker.content() {
        0 => tracker.change_mark().ok().flatten(),
        number => Some(number.to_string()),
    }
}
