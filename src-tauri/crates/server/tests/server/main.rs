//! Tests the server as a browser uses it, with real sockets and a minimal backend.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod access;
mod backend;
mod client;
mod commands;
mod crowd;
mod ending;
mod events;
mod files;
mod people;
mod terminal;
