//! The commands on sessions. `folder` decides where one works, `context` what claude is given to read,
//! `start`, `resume` and `stop` change its state, `live` speaks to its host, `record` shows what is
//! kept of it.

mod context;
mod folder;
mod launch;
mod live;
mod plan;
mod record;
mod resume;
mod start;
mod stop;
mod view;
mod workspace;

pub(crate) use live::{forget, host_socket, interrupt, permission, retry, send};
pub(crate) use plan::plan;
pub(crate) use record::{delete, export, restore, transcript};
pub(crate) use resume::{resume, resume_preview};
pub(crate) use start::start;
pub(crate) use stop::{end, pause};
pub(crate) use view::{list, of_bead, show};
