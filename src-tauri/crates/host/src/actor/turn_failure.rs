//! The API failure that ended the last turn. It is kept until claude works again.

use crate::protocol::TurnFailure;
use bc_core::Timestamp;

/// The last failure, unless another turn has followed.
#[derive(Debug, Default)]
pub(super) struct LastFailure {
    current: Option<TurnFailure>,
}

impl LastFailure {
    /// Records the failure that ended a turn. Older versions of claude report only its name, without a
    /// message.
    pub(super) fn on_failed(&mut self, error: &str, message: &str, at: Timestamp) {
        let message = if message.trim().is_empty() { error } else { message };
        self.current = Some(TurnFailure { error: error.to_owned(), message: message.to_owned(), at });
    }

    /// Clears the failure when claude works again.
    pub(super) fn over(&mut self) {
        self.current = None;
    }

    pub(super) fn current(&self) -> Option<&TurnFailure> {
        self.current.as_ref()
    }
}
