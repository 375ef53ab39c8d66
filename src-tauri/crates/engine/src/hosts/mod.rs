//! The hosts of live sessions: their sockets, and whether they live. What is sent to them belongs to the use cases.
//!
//! May use: `context`.

mod connection;
mod liveness;

pub(crate) use connection::{client, host_socket, not_running, socket_of, socket_path, status};
pub(crate) use liveness::{is_dead, lock_of_dead_host, lock_when_free};
