//! The composer: the queue of prompts, the unsent text, attached files, and the images of a conversation.

use bc_core::ids::SessionId;
use serde::{Deserialize, Serialize};

/// Parameters of `session.edit_queued`.
#[derive(Debug, Clone, Serialize, Deserialize, specta::Type)]
pub struct QueuedEditParams {
    pub id: SessionId,
    /// The queued prompt's id.
    pub text: String,
    /// The new text, at most 256 KiB.
    pub content: String,
}

/// Parameters of `session.move_queued`.
#[derive(Debug, Clone, Serialize, Deserialize, specta::Type)]
pub struct QueuedMoveParams {
    pub id: SessionId,
    /// The queued prompt's id.
    pub text: String,
    /// The queued prompt before which it is placed; absent for the end of the queue.
    #[serde(default)]
    pub before: Option<String>,
}

/// The unsent text of a session's composer.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct SessionDraft {
    /// The text; may be empty.
    pub text: String,
}

/// Parameters of `session.set_draft`.
#[derive(Debug, Clone, Serialize, Deserialize, specta::Type)]
pub struct SetDraftParams {
    pub id: SessionId,
    /// The text, at most 4 MiB. An empty string removes the draft.
    pub text: String,
}

/// Parameters of `session.attach`.
#[derive(Debug, Clone, Serialize, Deserialize, specta::Type)]
pub struct AttachParams {
    pub id: SessionId,
    /// The file's name, without a folder.
    pub name: String,
    /// The file's bytes in base64.
    pub data: String,
}

/// A file that was saved with a session, so that a prompt can mention it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct Attached {
    /// The text that makes claude read the file: `@` and its path.
    pub mention: String,
    pub path: String,
    /// The number of bytes.
    #[specta(type = u32)]
    pub bytes: u64,
}

/// Parameters of `session.image`.
#[derive(Debug, Clone, Serialize, Deserialize, specta::Type)]
pub struct ImageParams {
    pub id: SessionId,
    /// The image's name, as given in a message or a tool call.
    pub name: String,
}

/// An image of a conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct SessionImage {
    /// The type, such as `image/png`.
    pub media: String,
    /// The bytes in base64.
    pub data: String,
}

/// Parameters of `session.shell_output`.
#[derive(Debug, Clone, Serialize, Deserialize, specta::Type)]
pub struct ShellOutputParams {
    pub id: SessionId,
    /// A background command's id; absent for the command that is currently running.
    #[serde(default)]
    pub background: Option<String>,
}

/// The output so far of a command that claude is running.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct ShellOutput {
    /// The last part of the output; absent if no output file can be assigned to the command.
    #[serde(default)]
    pub text: Option<String>,
    /// The number of omitted bytes before this part.
    #[specta(type = u32)]
    pub omitted: u64,
}
