//! The project's beads, prepared for queries and kept until they change, because a query runs on every keystroke.

use super::{errors::tracker_error, locks::lock};
use bc_beads::{ListFilter, Part, Tracker};
use bc_core::{
    bead::Bead,
    ids::BeadId,
    query::{Beads, Texts},
};
use bc_wire::ApiError;
use std::sync::{Arc, Mutex};

/// The maximum number of changed beads that are updated individually; if more changed, all beads are prepared
/// again.
const FEW: usize = 3;

/// The prepared beads, and the tracker's identifier for the content from which they were prepared.
#[derive(Default)]
pub(crate) struct BeadQueries(Mutex<Option<(String, Arc<Beads>)>>);

impl BeadQueries {
    /// The beads without memories; `with_texts` adds their long text. Of concurrent callers, one prepares the
    /// beads and the others wait for it.
    pub(crate) fn beads(&self, tracker: &dyn Tracker, with_texts: bool) -> Result<Arc<Beads>, ApiError> {
        let mut kept = lock(&self.0);
        let filter = ListFilter::all_but_memories();
        if let Some((content, mut beads)) = kept.take().filter(|(_, beads)| beads.has_texts() || !with_texts)
        {
            let since = tracker.list_part(&filter, Part::Since(&content)).map_err(tracker_error)?;
            if let Some(content) = since.content.filter(|_| since.changes_only)
                && follows(tracker, &mut beads, since.beads, &since.removed)
            {
                *kept = Some((content, Arc::clone(&beads)));
                return Ok(beads);
            }
            // The end of this block drops the old beads, so that old and new beads are not in memory at the
            // same time.
        }
        let listed = tracker.list_part(&filter, Part::All).map_err(tracker_error)?;
        let beads = Arc::new(match with_texts {
            true => Beads::with_texts(listed.beads, |found| tracker.texts(found)).map_err(tracker_error)?,
            false => Beads::of(listed.beads),
        });
        *kept = listed.content.map(|content| (content, Arc::clone(&beads)));
        Ok(beads)
    }
}

/// Updates the prepared beads with the changes. Returns `false` if they must be prepared again.
fn follows(
    tracker: &dyn Tracker,
    beads: &mut Arc<Beads>,
    changed: Vec<Arc<Bead>>,
    removed: &[BeadId],
) -> bool {
    if changed.is_empty() && removed.is_empty() {
        return true;
    }
    // If a running query still uses the beads, they cannot be changed.
    let Some(beads) = Arc::get_mut(beads).filter(|_| changed.len() <= FEW) else { return false };
    let with_texts = |bead: Arc<Bead>| {
        let texts = match beads.has_texts() {
            true => Texts::of(&tracker.show(&bead.id).ok()?),
            false => Texts::default(),
        };
        Some((bead, texts))
    };
    let changed: Option<Vec<_>> = changed.into_iter().map(with_texts).collect();
    changed.is_some_and(|changed| beads.update(&changed, removed))
}
