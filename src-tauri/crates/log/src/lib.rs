//! Diagnostic logs: every process of the program writes its `tracing` events as JSON lines.
//!
//! A program calls [`start`] once; every other crate only uses the macros of `tracing`.
//!
//! Invariants: a log never contains conversations, prompts, terminal output, titles or other free text from
//! the user; events carry names, ids, codes, counts and durations. Files are readable by their owner only and
//! bounded in number and size. Logging never fails an operation: on a full disk events are dropped. The files
//! bypass the store's `syscalls` because nothing depends on them after a crash.
//!
//! Deliberately elsewhere: the archive for bug reports (`bc_engine::report`), which also removes secrets.

mod appender;
mod line;
mod origin;

pub use crate::origin::Role;
use crate::{appender::Appender, line::JsonLines, origin::Context};
use std::{
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
};
pub use tracing::level_filters::LevelFilter;
use tracing_subscriber::{Layer, filter::Targets, layer::SubscriberExt, util::SubscriberInitExt};

/// The environment variable that overrides the level: a level (`debug`) or targets (`info,bc_host=trace`).
pub const LEVEL_VARIABLE: &str = "BEADS_CONSOLE_LOG";

/// The prefixes of the targets of this program's own events.
const OWN_TARGETS: [&str; 3] = ["bc_", "beads_console", "panic"];

static CONTEXT: OnceLock<Arc<Context>> = OnceLock::new();

fn context() -> &'static Arc<Context> {
    CONTEXT.get_or_init(Arc::default)
}

/// Sets the session that is added to this process's lines. Later calls have no effect.
pub fn set_session(id: &str) {
    let _ = context().session.set(id.to_owned());
}

/// Sets the project folder that is added to this process's lines. Later calls have no effect.
pub fn set_project(folder: &Path) {
    let _ = context().project.set(folder.display().to_string());
}

/// The folder of the logs in the program's state folder.
pub fn folder_in(state: &Path) -> PathBuf {
    state.join("logs")
}

/// Sends this process's events to `folder`, which is created with the first event. [`LEVEL_VARIABLE`]
/// overrides `level`. Panics are logged with their source location, and printed as before. Only the first
/// call has an effect.
pub fn start(role: Role, folder: &Path, level: LevelFilter) {
    let variable = std::env::var(LEVEL_VARIABLE).ok();
    let Some(targets) = targets(variable.as_deref(), level) else { return };
    let lines = JsonLines::new(role, Arc::clone(context()), Appender::new(folder, role.as_str()));
    if tracing_subscriber::registry().with(lines.with_filter(targets)).try_init().is_ok() {
        log_panics();
    }
}

/// The events to log; `None` for none. Only warnings and errors of other crates are logged, because at more
/// detailed levels some crates log every byte that they transfer.
fn targets(variable: Option<&str>, level: LevelFilter) -> Option<Targets> {
    let set = variable.map(str::trim).filter(|text| !text.is_empty());
    let level = match set.map(str::parse) {
        Some(Ok(level)) => level,
        // An unreadable variable must not disable the log that reports the problem.
        Some(Err(_)) => match set.and_then(|text| text.parse().ok()) {
            Some(targets) => return Some(targets),
            None => level,
        },
        None => level,
    };
    if level == LevelFilter::OFF {
        return None;
    }
    let targets = Targets::new().with_default(level.min(LevelFilter::WARN));
    Some(OWN_TARGETS.iter().fold(targets, |targets, prefix| targets.with_target(*prefix, level)))
}

fn log_panics() {
    let print = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        let thread = std::thread::current().name().unwrap_or("unnamed").to_owned();
        // Leave out the panic's message, because it may contain the user's data.
        tracing::error!(target: "panic", place, thread, "panicked");
        print(panic);
    }));
}

#[cfg(test)]
mod tests;
