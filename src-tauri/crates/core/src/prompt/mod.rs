//! The text of prompts for claude.

mod argument;
mod digest;
mod opening;
mod resume;

pub use argument::{ARGUMENT_MAX, safe_argument};
pub use digest::digest;
pub use opening::{opening, own_work};
pub use resume::{ResumeBead, ResumeFacts, last_message_summary, resume};
