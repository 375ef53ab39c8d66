//! The program that windows and servers show: the projects that are open in it, what happens in them,
//! their sessions' terminals, and the person's settings.
//!
//! [`App`] is the one [`bc_bridge::Backend`]. What a command does to a project is the engine's business
//! (`bc-engine`); how a client is spoken to is the host's (`bc-server`, the desktop shell).
//!
//! Invariants: nothing here polls; every change on disk or in a session's host becomes one event; a
//! project that cannot be opened stays on the list and says why.

mod above;
mod app;
mod changes;
mod config;
mod download;
mod fleet;
mod follow;
mod incoming;
mod key;
mod layout;
mod project;
mod sample;
mod stir;
mod terminal;
mod watch;

pub use app::App;
pub use download::save_download;
pub use fleet::merge_waiting;
pub use sample::make_sample;
