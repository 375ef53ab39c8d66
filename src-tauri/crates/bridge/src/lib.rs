//! The parts that the desktop window and the server share: the interface to the application ([`Backend`]), the events
//! for clients ([`EventRing`]), their terminals ([`Terminal`]), and the UI's files ([`assets`]).
//!
//! Deliberately elsewhere: HTTP, Tauri, async and the application itself. The window and the server add only
//! a transport; the messages are the same.

pub mod assets;
mod backend;
mod events;
mod terminal;

pub use backend::{Backend, BrowserAccess, TerminalFrame, TerminalPipe};
pub use events::{EventFeed, EventRing, FeedStop, RingLimits};
pub use terminal::{FlowLimits, Outgoing, Terminal, TerminalMessage};
