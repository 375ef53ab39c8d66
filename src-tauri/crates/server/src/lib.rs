//! The headless server: the UI for a browser on this machine, with its commands, events and terminals.
//!
//! A thin host over [`bc_bridge::Backend`]. Deliberately not in here: what a command does, TLS, and any
//! address but the loopback.
//!
//! Invariants: every request names this server as its host; every unsafe one and every WebSocket comes
//! from a page of this server; everything but the link asks for the token that the link was exchanged
//! for. One layer sees to that before any route, so a new route cannot forget it.

mod access;
#[cfg(unix)]
mod by_itself;
mod desk;
mod error;
mod events;
mod files;
mod link;
mod pages;
mod policy;
mod routes;
mod rpc;
mod server;
mod shutdown;
mod terminal;

pub use desk::{DeskError, another_link};
pub use error::ServeError;
pub use routes::{ROUTES, Route};
pub use server::{Announcement, Links, ServeOptions, Server, Stopper, serve};
