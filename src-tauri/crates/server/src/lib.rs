//! The headless server: the UI for browsers, with its commands, events and terminals.
//!
//! A thin layer around [`bc_bridge::Backend`]. The commands themselves, TLS, and all addresses other than the
//! loopback address are deliberately elsewhere.
//!
//! Invariants:
//! - Every request names this server as its host: its loopback address or, behind a reverse proxy, the public
//!   origin.
//! - Every unsafe request and every WebSocket comes from a page of this server.
//! - Every route requires a tab's token, which browsers never send automatically. The exceptions are the UI's
//!   files, the exchange of a link and the proof for a tab. The table of routes declares them, so that a new
//!   route cannot omit the check.
//! - A person's connections end when their access is revoked.

mod access;
mod announcement;
mod connections;
mod control_socket;
mod error;
mod events;
mod files;
mod link;
mod links;
mod origin;
mod pages;
mod people;
mod policy;
mod routes;
mod rpc;
mod secret;
mod server;
mod shared;
mod shutdown;
mod tabs;
mod terminal;

pub use announcement::{Announcement, Printed};
pub use control_socket::{AccessAnswer, AccessRequest, ControlSocketError, another_link, ask_access};
pub use error::ServeError;
pub use links::Links;
pub use origin::{Origin, OriginError};
pub use routes::{ROUTES, Route};
pub use server::{ServeOptions, Server, Stopper, serve};
