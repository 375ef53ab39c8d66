//! The desktop window: a thin host over [`bc_bridge::Backend`].
//!
//! Deliberately not in here: what a command does. The window goes and comes; the sessions stay.

mod assets;
mod clients;
mod commands;
mod curtain;
mod display;
mod drawing;
mod ending;
mod events;
mod window;

pub use assets::Embedded;
pub use display::{NoDisplay, open_display};
pub use drawing::choose_drawing;
pub use window::run;
