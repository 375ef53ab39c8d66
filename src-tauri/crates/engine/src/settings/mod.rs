//! The settings of the user, of the project, and of its fleet. They are read on every use, because other programs may
//! change them. Live sessions are notified elsewhere.
//!
//! May use: `context`.

mod fleet;
mod json_file;
pub(crate) mod logging;
pub(crate) mod new_version;
pub mod preferences;
mod project;

pub(crate) use fleet::{fleet, save_fleet};
pub(crate) use project::{change, file_of, idle_ms, in_force, part, save_part, short_name, shown};
