//! Processes, PTYs, terminal state and local sockets: the one crate that spawns.
