//! The commands on sessions. `folder` decides where one works, `context` what claude is given to read,
//! `drafting`, `start`, `together`, `resume` and `stop` change its state, `closing` says what it did, `live` speaks to its host,
//! `record` shows what is kept of it, `changes` what it changed, `viewed` what of that somebody has
//! looked at, `cleanup` what becomes of it when it is old.

mod changes;
mod cleanup;
mod closing;
mod completions;
mod context;
mod drafting;
mod elsewhere;
mod folder;
mod found;
mod launch;
mod live;
mod own;
mod plan;
mod record;
mod resume;
mod shares;
mod single;
mod start;
mod stop;
mod timeline;
mod together;
mod view;
mod viewed;
mod workspace;

pub(crate) use changes::changes;
pub(crate) use cleanup::{cleanup, delete, delete_many, restore, stale, sweep, sweep_of, trash};
pub(crate) use closing::end_preview;
pub(crate) use completions::completions;
pub(crate) use drafting::{Drafted, ForFleet};
pub(crate) use elsewhere::runner;
pub(crate) use found::{find, metrics, page, project_metrics, search};
pub(crate) use live::{
    forget, host_socket, interrupt, mode, permission, retry, send, send_unless_it_ends, tell_settings,
};
pub(crate) use plan::{plan, startable, unattended};
pub(crate) use record::{export, transcript};
pub(crate) use resume::{restore_worktree, resume, resume_preview};
pub(crate) use start::{start, start_for};
pub(crate) use stop::{end, pause};
pub(crate) use timeline::{Looks, timeline};
pub(crate) use together::{draft_all, start_drafted};
pub(crate) use view::{list, of as view_of, of_bead, show};
pub(crate) use viewed::{set_viewed, viewed};
