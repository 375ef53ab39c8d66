//! The application behind windows and servers: the open projects with their events and the terminals of their
//! sessions, and the user's settings.
//!
//! [`App`] implements [`bc_bridge::Backend`]. Deliberately elsewhere: the effects of a command on a project
//! (`bc-engine`), and the communication with clients (`bc-server` and the desktop shell).
//!
//! Invariants: nothing polls. Changes on disk and in a session's host are published as events. A project that
//! cannot be opened stays in the list, and its commands report the error.

mod app;
mod change_event;
mod config;
mod download;
mod fleet;
mod folders;
mod last_port;
mod layout;
mod licences;
mod needs;
mod project;
mod project_key;
mod root_watch;
mod sample_project;
mod save;
mod session_followers;
mod terminal;
mod terminal_frames;
mod watch;

pub use app::App;
pub use download::save_download;
pub use fleet::merge_waiting;
pub use licences::licences;
pub use needs::watch_needs;
pub use sample_project::make_sample;
pub use save::{Existing, folder_for_saving, save_as};
