//! The merge queue: what is asked of it, and how it is shown.

mod add;
mod shown;
mod steer;

pub(crate) use add::add;
pub(crate) use shown::state_shown;
pub(crate) use steer::{cancel, move_before, pause, retry, skip};
