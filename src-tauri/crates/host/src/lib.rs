//! The session host: a small process for each live session. It owns the terminal with claude in it, the
//! socket that claude's hooks and everybody else talk to, and the session's files while it lives.
//!
//! - [`launch`] starts one; [`run_host`] is what it runs; [`relay`] is what claude's hooks run;
//! - [`Client`] speaks with one; [`attach`] brings its terminal to ours.
//!
//! Inside, one owner ([`owner`]) alone decides. What the program prints goes to its clients first and to
//! the owner's picture of the screen later ([`printed`]); the session's files are written by one scribe
//! ([`scribe`]). Deliberately not in here: claude's arguments and settings
//! (`bc-claude`), what a session is for (the engine), anything asynchronous.

mod attach;
mod bead_watch;
mod clerk;
mod client;
mod client_out;
mod errand;
pub mod frame;
mod keys;
mod launch;
mod lifecycle;
mod outgoing;
mod owner;
mod parting;
mod permissions;
mod printed;
mod prompt_box;
mod prompt_state;
pub mod protocol;
mod pty_input;
mod reading;
mod relay;
mod run;
mod scribe;
mod sending;
mod server;
pub mod spec;
mod web;

pub use attach::{AttachEnd, AttachError, attach};
#[cfg(unix)]
pub use client::HandOver;
pub use client::{Client, ClientError, Events, connect_terminal};
pub use errand::{ERRAND_VERB, ERRAND_VERSION, Errand, Report, Wanted, Ways};
pub use launch::{LaunchError, Launched, launch, socket_path};
pub use outgoing::{TEXT_MAX, TextError};
pub use permissions::Card;
pub use prompt_state::{Activity, Hold};
pub use relay::relay;
pub use run::run_host;
pub use scribe::{ExitNote, catch_up, read_exit_note};
pub use spec::{
    ContextPiece, HookSetup, LaunchSpec, MEMORIES_SOURCE, PIECE_MAX, RECOVERY_SOURCE, SPEC_VERSION,
};
