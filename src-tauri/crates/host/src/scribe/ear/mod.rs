//! What the scribe waits for: what the owner tells, and changes of the files that are followed.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(not(target_os = "linux"))]
mod other;

#[cfg(target_os = "linux")]
pub(super) use linux::{Bell, Ear, Watch, pair};
#[cfg(not(target_os = "linux"))]
pub(super) use other::{Bell, Ear, Watch, pair};

use super::Note;

/// What was heard.
pub(super) enum Heard {
    /// The owner told something.
    Note(Note),
    /// A followed file may have changed; whether files came or went, too.
    Changed { names: bool },
    /// The time is over.
    Nothing,
    /// There is no owner any more.
    Gone,
}
