//! Why a session's container or pod cannot be used.

#[derive(Debug, thiserror::Error)]
pub(crate) enum NotReady {
    /// It was removed, and with it the session's files there.
    #[error("{0} does not exist any more")]
    Gone(String),
    /// It cannot be created or started. The text is for users.
    #[error("{0}")]
    Failed(String),
}
