//! The recorder's input: notes of the actor, and changes of transcript files.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(not(target_os = "linux"))]
mod other;

#[cfg(target_os = "linux")]
pub(super) use linux::{FolderWatch, RecorderInput, Waker, channel};
#[cfg(not(target_os = "linux"))]
pub(super) use other::{FolderWatch, RecorderInput, Waker, channel};

use super::Note;

/// An input of the recorder.
pub(super) enum InputEvent {
    /// A note of the actor.
    Note(Note),
    /// A transcript file may have changed; `names`: files may have been added or removed, too.
    Changed { names: bool },
    /// The time limit was reached.
    Nothing,
    /// The actor is gone.
    Gone,
}
