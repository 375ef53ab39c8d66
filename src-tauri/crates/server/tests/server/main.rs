//! The server as a browser meets it: real sockets, and a backend that is nothing but the trait.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod access;
mod backend;
mod client;
mod commands;
mod ending;
mod events;
mod files;
mod mirror;
mod terminal;
