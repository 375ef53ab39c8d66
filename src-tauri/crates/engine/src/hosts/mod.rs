//! The hosts of live sessions: their sockets, status and liveness. The use cases send all other requests.
//!
//! May use: `context`.

mod connection;
mod liveness;

pub(crate) use connection::{
    active_host_socket, connect, expected_socket_path, not_running, query_status, verified_socket,
};
pub(crate) use liveness::{is_dead, lock_of_dead_host, lock_when_free};
