//! Convoys.

use crate::{FleetError, State, files::Kind, work::check};
use bc_core::{
    fleet::{Convoy, FleetEventKind},
    ids::{BeadId, ConvoyId},
};
use std::collections::BTreeMap;

/// The longest name, in bytes.
const NAME: usize = 1_000;

impl State {
    /// Groups beads. One that is given twice is in it once.
    ///
    /// # Errors
    /// There is no name or no bead, or the file cannot be written.
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
        self.told(FleetEventKind::ConvoyCreated { convoy: id })?;
        Ok(convoy)
    }

    /// The convoy; none where there is none, and with a warning where its file cannot be read.
    ///
    /// # Errors
    /// The file cannot be opened.
    pub fn convoy(&self, id: &ConvoyId) -> Result<Option<Convoy>, FleetError> {
        self.read(Kind::Convoys, id.as_str())
    }

    /// All convoys, by name.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn convoys(&self) -> Result<Vec<Convoy>, FleetError> {
        self.all(Kind::Convoys)
    }

    /// Counts how much of a convoy is done, and writes that.
    ///
    /// # Errors
    /// There is no such convoy, or the file cannot be written.
    pub fn update_convoy_progress(&self, id: &ConvoyId) -> Result<Convoy, FleetError> {
        let _lock = self.lock()?;
        let mut before = 0.0;
        let convoy = self.change(Kind::Convoys, id.as_str(), |convoy: Option<Convoy>| {
            let convoy = convoy.ok_or_else(|| FleetError::NoConvoy(id.to_string()))?;
            before = convoy.progress;
            Ok(Convoy { progress: self.progress(&convoy)?, ..convoy })
        })?;
        if convoy.progress.to_bits() != before.to_bits() {
            let progress = convoy.progress;
            self.told(FleetEventKind::ConvoyProgress { convoy: id.clone(), progress })?;
        }
        Ok(convoy)
    }

    fn progress(&self, convoy: &Convoy) -> Result<f64, FleetError> {
        let items: BTreeMap<BeadId, _> =
            self.work_items()?.into_iter().map(|item| (item.bead_id, item.status)).collect();
        Ok(convoy.progress_by(|bead| items.get(bead).copied()))
    }
}
