//! The reason that a session's container or pod cannot be used.

#[derive(Debug, thiserror::Error)]
pub(crate) enum NotReady {
    /// The container or pod was removed, together with the session's files in it.
    #[error("{0} does not exist any more")]
    Gone(String),
    /// The container or pod cannot be created or started. The text is for users.
    #[error("{0}")]
    Failed(String),
}
