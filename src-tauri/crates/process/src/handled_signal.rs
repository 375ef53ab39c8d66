//! The signals that this program handles, by their meaning.

/// A signal by its meaning for this program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HandledSignal {
    /// A request to end.
    Terminate,
    /// The terminal is gone.
    HangUp,
    /// Ctrl+C.
    Interrupt,
    /// A child has ended.
    Child,
    /// The terminal was resized.
    Resized,
}
