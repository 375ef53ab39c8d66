//! The user's general settings, the settings for a project, and the settings for the project's fleet. They
//! are read on every use, because other processes may change them. Deliberately elsewhere: notifying live
//! sessions of a change.
//!
//! May use: `context`.

mod fleet;
pub(crate) mod json_file;
pub(crate) mod logging;
pub(crate) mod new_version;
pub mod preferences;
mod project;

pub(crate) use fleet::{fleet, save_fleet};
pub(crate) use project::{change, file_of, idle_ms, in_force, part, save_part, short_name, shown};
