//! The signals that this program handles, by their meaning.

/// A Unix signal or the corresponding console event of Windows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HandledSignal {
    /// A request to end.
    Terminate,
    /// The terminal was closed.
    HangUp,
    /// Ctrl+C.
    Interrupt,
    /// A child has ended.
    ChildExited,
    /// The terminal was resized.
    Resized,
}
