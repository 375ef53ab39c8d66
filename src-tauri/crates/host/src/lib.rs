//! The session host: a small process for each live session. While it runs, it owns claude's terminal, the
//! session's files, and the socket for claude's hooks and all clients.
//!
//! - [`launch`] starts a host; [`run_host`] is its main function; [`relay`] is the program that claude's
//!   hooks run;
//! - [`Client`] sends requests to a host; [`attach`] attaches its terminal to the user's terminal.
//!
//! One actor ([`actor`]) makes all decisions. Program output goes first to the clients ([`output_fanout`]),
//! and later to the actor's screen. One recorder ([`recorder`]) writes most of the session's files. Claude's
//! arguments and settings (`bc-claude`) and the session's purpose (the engine) are deliberately elsewhere. No
//! code in this crate is asynchronous.

mod actor;
mod attach;
mod background_worker;
mod bead_watch;
mod checkpoint_thread;
mod client;
mod client_id;
mod client_out;
mod client_writer;
mod clock;
mod exit_backup;
mod exit_note;
pub mod frame;
mod helper_request;
mod hook_threads;
mod keys;
mod launch;
mod output_fanout;
mod owed_end;
mod permissions;
mod prompt_box;
mod prompt_images;
mod prompt_state;
mod prompt_text;
mod prompt_typing;
pub mod protocol;
mod pty_input;
mod pty_reader;
mod recorder;
mod relay;
mod run;
mod server;
pub mod spec;

pub use attach::{AttachEnd, AttachError, attach};
pub use client::{Client, ClientError, Events, connect_terminal};
pub use clock::{measure_clock_ahead, now, set_clock_ahead};
pub use exit_backup::start_exit_backup;
pub use exit_note::{ExitNote, exit_note_path, read_exit_note};
pub use helper_request::{
    HELPER_VERB, HELPER_VERSION, HelperReport, HelperRequest, HelperTask, ReminderSettings,
    run_helper_request,
};
pub use launch::{DetachedHost, LaunchError, Launched, launch, launch_detached, socket_path};
pub use owed_end::run_owed_end_hooks;
pub use permissions::Card;
pub use prompt_state::{Activity, Hold};
pub use prompt_text::{TEXT_MAX, TextError};
pub use recorder::catch_up;
pub use relay::relay;
pub use run::{FailedPart, StartReport, report_start, run_host};
pub use spec::{
    ContextPiece, HookSetup, LOCK_VARIABLE, LaunchSpec, MEMORIES_SOURCE, PIECE_MAX, RECOVERY_SOURCE,
    SPEC_VERSION,
};
