//! The signals that this program handles, named after their meaning.

/// A Unix signal or the corresponding console event of Windows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HandledSignal {
    /// SIGTERM; on Windows, Ctrl+Break, a logoff or a shutdown.
    Terminate,
    /// The terminal was closed.
    HangUp,
    Interrupt,
    ChildExited,
    Resized,
}
