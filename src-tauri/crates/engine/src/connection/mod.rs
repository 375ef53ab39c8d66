//! Opens a project, either as its engine or as a client of the engine in another process. The engine holds the
//! project's lock, serves other processes over a socket, and cleans up periodically.
//!
//! May use: `context`, `engine`, `fleet_state`, `hosts`, `merge_queue`, `session`, `settings`.

mod client;
mod connect;
mod engine_lock;
mod housekeeping;
mod server;

pub use connect::{Connection, connect, connect_to_list, settings_changed};
pub use engine_lock::EngineClaim;
