//! Links for further browsers.

use crate::{access::Access, error::ServeError};
use std::sync::Arc;

/// Creates links for further browsers.
#[derive(Clone)]
pub struct Links(Arc<Access>);

impl Links {
    pub(crate) fn new(access: Arc<Access>) -> Links {
        Links(access)
    }

    /// A link that works once; it replaces an unused one.
    pub fn fresh(&self) -> Result<String, ServeError> {
        self.0.new_link().map_err(|source| ServeError::Random { source })
    }

    /// The address at which browsers reach the server.
    pub(crate) fn origin(&self) -> String {
        self.0.origins()[0].to_string()
    }
}
