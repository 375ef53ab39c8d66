//! A session: what it is, how it changes, what is kept of it.

mod interval;
mod machine;
mod meta;
mod title;
mod transition;

pub use interval::{Interval, human_duration, total_ms};
pub use machine::{CloseReason, Effect, Event, Outcome, PauseReason, Refusal, Status, apply};
pub use meta::{ClaudeSession, Meta, SCHEMA_VERSION, TokenSplit};
pub use title::title_from;
pub use transition::Draft;
