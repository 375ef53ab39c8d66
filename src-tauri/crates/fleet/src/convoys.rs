//! Convoy files: create, read, change, close, and compute the progress.

use crate::{FleetError, State, files::Kind, work::check};
use bc_core::{
    fleet::{ClosedConvoys, Convoy, ConvoyEnd, FleetEventKind},
    ids::{BeadId, ConvoyId},
};
use std::collections::{BTreeMap, BTreeSet};

/// The maximum length of a name, in bytes.
const NAME: usize = 1_000;

const CLOSED: &str = "convoys";

impl State {
    /// Creates a convoy of these beads, without duplicates.
    ///
    /// # Errors
    ///
    /// The name is blank or too long, the list of beads is empty, or the file cannot be written.
    pub fn create_convoy(&self, name: &str, beads: Vec<BeadId>) -> Result<Convoy, FleetError> {
        check("the name", name, NAME)?;
        if beads.is_empty() {
            return Err(FleetError::EmptyConvoy);
        }
        let _lock = self.lock()?;
        let id = ConvoyId::new(State::random());
        let convoy = Convoy::new(id.clone(), name.to_owned(), beads, self.now());
        let progress = self.progress(&convoy)?;
        let convoy =
            self.change(Kind::Convoys, id.as_str(), |_| Ok(Convoy { progress, ..convoy.clone() }))?;
        self.log_event(FleetEventKind::ConvoyCreated { convoy: id })?;
        Ok(convoy)
    }

    /// Returns the convoy, or `None` if its file does not exist. An invalid file also yields `None`, with a
    /// warning.
    ///
    /// # Errors
    ///
    /// The file cannot be opened.
    pub fn convoy(&self, id: &ConvoyId) -> Result<Option<Convoy>, FleetError> {
        self.read(Kind::Convoys, id.as_str())
    }

    /// All convoys, sorted by id.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn convoys(&self) -> Result<Vec<Convoy>, FleetError> {
        self.all(Kind::Convoys)
    }

    /// Computes the progress of a convoy from the work items, and writes it.
    ///
    /// # Errors
    ///
    /// The convoy does not exist, or the file cannot be written.
    pub fn update_convoy_progress(&self, id: &ConvoyId) -> Result<Convoy, FleetError> {
        self.set_progress(id, |convoy| self.progress(convoy))
    }

    /// Changes the name and the beads of a convoy. Duplicate beads are removed.
    ///
    /// # Errors
    ///
    /// The convoy does not exist, the new list of beads is empty, the name is not valid, or the file cannot
    /// be written.
    pub fn change_convoy(
        &self,
        id: &ConvoyId,
        change: impl Fn(&mut String, &mut Vec<BeadId>),
    ) -> Result<Convoy, FleetError> {
        let _lock = self.lock()?;
        let mut changed = false;
        let convoy = self.change(Kind::Convoys, id.as_str(), |convoy: Option<Convoy>| {
            let convoy = convoy.ok_or_else(|| FleetError::NoConvoy(id.to_string()))?;
            let (mut name, mut beads) = (convoy.name.clone(), convoy.bead_ids.clone());
            change(&mut name, &mut beads);
            check("the name", &name, NAME)?;
            let mut seen = BTreeSet::new();
            beads.retain(|bead| seen.insert(bead.clone()));
            if beads.is_empty() {
                return Err(FleetError::EmptyConvoy);
            }
            changed = (&name, &beads) != (&convoy.name, &convoy.bead_ids);
            Ok(Convoy { name, bead_ids: beads, ..convoy })
        })?;
        if changed {
            self.log_event(FleetEventKind::ConvoyChanged { convoy: id.clone() })?;
        }
        Ok(convoy)
    }

    /// Writes a convoy's progress, from 0 to 1. The caller has computed it from the tracker.
    ///
    /// # Errors
    ///
    /// The convoy does not exist, or the file cannot be written.
    pub fn put_convoy_progress(&self, id: &ConvoyId, progress: f64) -> Result<Convoy, FleetError> {
        self.set_progress(id, |_| Ok(progress))
    }

    fn set_progress(
        &self,
        id: &ConvoyId,
        progress: impl Fn(&Convoy) -> Result<f64, FleetError>,
    ) -> Result<Convoy, FleetError> {
        let _lock = self.lock()?;
        let mut before = 0.0;
        let convoy = self.change(Kind::Convoys, id.as_str(), |convoy: Option<Convoy>| {
            let convoy = convoy.ok_or_else(|| FleetError::NoConvoy(id.to_string()))?;
            before = convoy.progress;
            Ok(Convoy { progress: progress(&convoy)?, ..convoy })
        })?;
        let progress = convoy.progress;
        if progress.to_bits() != before.to_bits() {
            self.log_event(FleetEventKind::ConvoyProgress { convoy: id.clone(), progress })?;
        }
        Ok(convoy)
    }

    /// Closes a convoy, or reopens it if `end` is `None`. The closure is stored in a file that only this
    /// program uses, because the shared format has no field for it.
    ///
    /// # Errors
    ///
    /// The convoy does not exist, or a file cannot be written.
    pub fn end_convoy(&self, id: &ConvoyId, end: Option<ConvoyEnd>) -> Result<(), FleetError> {
        if self.convoy(id)?.is_none() {
            return Err(FleetError::NoConvoy(id.to_string()));
        }
        let mut changed = false;
        self.keep(CLOSED, |kept: &mut ClosedConvoys| {
            let before = kept.closed.get(id).copied();
            changed = before.is_some() != end.is_some();
            match end {
                // A convoy that is already closed keeps its original closing time.
                Some(end) => {
                    let at = before.map_or(end.at, |before| before.at);
                    kept.closed.insert(id.clone(), ConvoyEnd { at, ..end });
                }
                None => drop(kept.closed.remove(id)),
            }
        })?;
        if changed {
            let _lock = self.lock()?;
            self.log_event(FleetEventKind::ConvoyClosed { convoy: id.clone(), closed: end.is_some() })?;
        }
        Ok(())
    }

    /// Returns the records of the closed convoys.
    ///
    /// # Errors
    ///
    /// The file cannot be opened.
    pub fn closed_convoys(&self) -> Result<ClosedConvoys, FleetError> {
        self.kept(CLOSED)
    }

    fn progress(&self, convoy: &Convoy) -> Result<f64, FleetError> {
        let items: BTreeMap<BeadId, _> =
            self.work_items()?.into_iter().map(|item| (item.bead_id, item.status)).collect();
        Ok(convoy.progress_by(|bead| items.get(bead).copied()))
    }
}
