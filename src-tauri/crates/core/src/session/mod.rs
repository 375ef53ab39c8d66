//! A session: its data, its state machine and its record.

mod interval;
mod machine;
mod meta;
mod title;
mod transition;

pub use interval::{Interval, human_duration};
pub use machine::{CloseReason, Effect, Event, Outcome, PauseReason, Refusal, Status, apply};
pub use meta::{ClaudeSession, Meta, SCHEMA_VERSION, TokenSplit, unknown_in_words};
pub use title::title_from;
pub use transition::Draft;
