//! Runs the lifecycle hooks for the end of a session whose host died.

use crate::spec::HookSetup;
use bc_core::{Timestamp, hooks::HookEvent, session::Meta};
use bc_hooks::{Payload, Runner, load};
use bc_store::SessionLock;
use serde_json::json;
use std::path::PathBuf;

/// Runs the hooks for the session's end, if that event is still due. The event is sent at most once, so a
/// failure is not retried. `program` is the path of this program, which contains the reaper.
pub fn run_owed_end_hooks(
    lock: &SessionLock,
    meta: &Meta,
    setup: impl FnOnce() -> Option<HookSetup>,
    program: PathBuf,
    now: fn() -> Timestamp,
) {
    // If the record cannot be read or cleared, no hook runs.
    if lock.session_end_owed().ok().flatten().is_none() || lock.session_end_paid().is_err() {
        return;
    }
    let Some(HookSetup { places, facts }) = setup() else { return };
    let hooks = load(&places).of(HookEvent::SessionEnd);
    let conversation = meta.claude_sessions.last().map(|conversation| conversation.id);
    let fields = json!({"reason": "interrupted", "conversation": conversation});
    let payload = Payload::new(HookEvent::SessionEnd, Some("interrupted"), fields);
    let runner = Runner { program, places, session: Some(meta.id.to_string()) };
    let outcome = runner.run(&hooks, &payload, &facts, now);
    if let Ok(writer) = lock.hook_run_writer() {
        // A failed write is ignored, because the session must be recovered anyway.
        outcome.runs.iter().for_each(|run| drop(writer.append(run)));
    }
}
