//! The merge queue, as it is written.

use crate::{FleetError, State, files::Kind};
use bc_core::fleet::MergeRequest;

impl State {
    /// All requests to merge, by name.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn merge_requests(&self) -> Result<Vec<MergeRequest>, FleetError> {
        self.all(Kind::MergeQueue)
    }
}
