//! Places: the user's other machines, containers and pods. Stores their settings, and checks that a place has
//! everything that a session needs.
//!
//! May use: `context`, `settings`, `ssh`.

mod access;
mod check;
mod check_lines;
mod container_settings;
mod list;
mod pod_settings;

pub(crate) use access::{access, command_failure, describe, unreachable};
pub use check::check;
pub use list::{add, change, file, get, list, remove};
pub(crate) use list::{dolt_server_address, require_accepting};
