//! The session commands. `plan` previews a start, `folder` chooses the working folder and `context_pack` the
//! context for claude. `drafting`, `start`, `batch_start`, `auto_next`, `resume` and `stop` change a
//! session's state. `queries` and `timeline` read the sessions' records, `execution_log` summarizes a
//! session's work, `host_client` talks to its host, `export` exports its conversation, and `changes` shows
//! its changed files. `change_edits` reverts, commits and publishes these files, and `viewed_files` records
//! the files that the user has viewed. `place_files` sends the commands on changes and checkpoints to the
//! session's place, where `file_command_handler` runs them. `checkpoints` compares and restores earlier
//! states of the files, and `fork` starts a new session from a checkpoint. `composer` keeps unsent text and
//! attached files, `shell_output` reads a running command's output, and `cleanup` removes old sessions.
//! `conversations` finds claude's conversations outside this program, and `adopt` turns one into a session.
//!
//! May use: `claude`, `context`, `fleet_state`, `hooks`, `hosts`, `places`, `recovery`, `settings`, `worktrees`.

mod adopt;
mod agent;
mod auto_next;
mod batch_start;
mod change_base;
mod change_edits;
mod changes;
mod checkpoints;
mod claim;
mod cleanup;
mod commit_gate;
mod completions;
mod composer;
mod context_pack;
mod conversations;
mod dead_hosts;
mod drafting;
mod execution_log;
mod export;
mod file_command_handler;
mod folder;
mod fork;
mod hook_shares;
mod host_client;
mod launch;
mod live;
mod origin;
mod own_files;
mod place_files;
mod place_link;
mod plan;
mod queries;
mod readiness;
mod remote_runner;
mod resume;
mod shell_output;
mod start;
mod stop;
mod timeline;
mod undo;
mod untrusted_answers;
mod view;
mod viewed_files;
mod workspace;

pub(crate) use adopt::adopt;
pub(crate) use auto_next::{after_close, end};
pub(crate) use batch_start::{FoundAgents, draft_all, start_drafted};
pub(crate) use change_edits::{
    comments, commit, commit_preview, file_lines, open_file, publish_preview, pull_request, push, revert,
    reverts, set_comments, undo_revert,
};
pub(crate) use changes::changes;
pub(crate) use checkpoints::{checkpoints, compare, restore_files};
pub(crate) use cleanup::{cleanup, delete, delete_many, restore, stale, sweep, sweep_of, trash};
pub(crate) use commit_gate::require_commit;
pub(crate) use completions::completions;
pub(crate) use composer::{attach, draft, image, set_draft};
pub(crate) use context_pack::preview as context_pack;
pub(crate) use conversations::conversations;
pub use conversations::decode_transcript;
pub(crate) use dead_hosts::{pause_all, pause_among};
pub(crate) use drafting::{Drafted, ForFleet};
pub(crate) use execution_log::{end_preview, save_for as save_execution_log};
pub(crate) use export::{export, transcript};
pub use file_command_handler::answer_file_command;
pub(crate) use fork::fork;
pub(crate) use host_client::{
    change_settings, edit_queued, forget, interrupt, mode, move_queued, notify_settings, permission, retry,
    send, send_now, send_unless_it_ends,
};
pub(crate) use plan::{plan, startable, unattended};
pub(crate) use queries::{find, message, metrics, page, project_metrics, search};
pub(crate) use remote_runner::runner;
pub(crate) use resume::{restore_worktree, resume, resume_preview};
pub(crate) use shell_output::shell_output;
pub(crate) use start::{start, start_for, start_own_work, started};
pub(crate) use stop::{close, pause};
pub(crate) use timeline::timeline;
pub(crate) use view::{list, of as view_of, of_bead, show};
pub(crate) use viewed_files::{set_viewed, viewed};
