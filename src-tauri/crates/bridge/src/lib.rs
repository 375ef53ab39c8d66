//! What the desktop window and the server have in common: the seam to the application ([`Backend`]), the
//! events that clients follow ([`EventRing`]), the terminals they look at ([`Terminal`]), and the
//! UI's files ([`assets`]).
//!
//! Deliberately not in here: HTTP, Tauri, async, and the application itself. A host is these parts and a
//! transport; what a client may say and hears is the same for all of them.

pub mod assets;
mod backend;
mod events;
mod terminal;

#[cfg(unix)]
pub use backend::TerminalByItself;
pub use backend::{Backend, TerminalFrame, TerminalPipe};
pub use events::{EventFeed, EventRing, FeedStop, RingLimits};
pub use terminal::{FlowLimits, Outgoing, Terminal, TerminalMessage};
