//! Keeps the last list of a program's beads, so that clients get only the changes. Every list runs the
//! program, unless a client requests changes and nothing can have changed.

use crate::{
    index::Index,
    row::Row,
    tracker::{ListFilter, Part, PartialListing, Warning},
};
use bc_core::{Timestamp, ids::BeadId};
use std::{
    collections::HashSet,
    sync::{Mutex, PoisonError},
};

#[derive(Debug, Default)]
pub(super) struct Listed {
    last: Mutex<Last>,
}

#[derive(Debug, Default)]
struct Last {
    index: Index,
    warnings: Vec<Warning>,
    /// The tracker's mark before and after the program ran, if it did not change meanwhile.
    mark: Option<String>,
}

impl Listed {
    /// The changes that the client lacks. `None` if the program must run: for a whole list, if the tracker's
    /// mark differs from that of the last list, or if a deferral has ended since.
    pub(super) fn unchanged(
        &self,
        mark: Option<&str>,
        filter: &ListFilter,
        part: Part<'_>,
        now: Timestamp,
    ) -> Option<PartialListing> {
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let is_same = mark.is_some() && last.mark.as_deref() == mark && !last.index.is_due(now);
        (is_same && matches!(part, Part::Since(_)))
            .then(|| last.index.part(filter, part, last.warnings.clone()))
    }

    /// Stores the program's rows and answers from them.
    pub(super) fn put(
        &self,
        (rows, warnings): (Vec<Row>, Vec<Warning>),
        ready: &HashSet<BeadId>,
        mark: Option<String>,
        (filter, part): (&ListFilter, Part<'_>),
        now: Timestamp,
    ) -> PartialListing {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        last.index.replace_all(rows, ready, now);
        last.warnings = warnings;
        last.mark = mark;
        last.index.part(filter, part, last.warnings.clone())
    }
}
