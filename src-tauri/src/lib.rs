//! The desktop window: a thin layer around [`bc_bridge::Backend`].
//!
//! The commands themselves are deliberately elsewhere. Sessions outlive the window.

mod assets;
mod clients;
mod commands;
mod deferred_show;
mod display;
mod drawing;
mod ending;
mod events;
mod notifications;
mod opened_folders;
mod window;

pub use assets::Embedded;
pub use display::{NoDisplay, open_display};
pub use drawing::choose_drawing;
pub use window::run;
