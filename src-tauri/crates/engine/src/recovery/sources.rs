//! Queries the tracker and git for recovery blocks, and adds comments to beads.

use crate::{
    context::{
        Context, Project, RecordedTracker,
        audit_log::AuditLog,
        errors::{bead_if_found, git_error, tracker_error},
    },
    settings,
};
use bc_beads::{Actor, Environment, Layout, Tracker};
use bc_core::{
    bead::{BeadComment, BeadDetail},
    ids::{BeadId, SessionId},
    recovery::Commands,
    session::Meta,
};
use bc_git::Repo;
use bc_wire::ApiError;
use std::{path::PathBuf, sync::OnceLock};

/// The tracker and git queries, and the only change that recovery makes: a comment. Tests implement this
/// trait with a scripted tracker and git.
pub(super) trait Sources {
    /// The tracker's mark, which differs after every change; `None` if the tracker has no mark or fails.
    fn mark(&self) -> Option<String>;
    /// The beads in progress of one assignee, or of all assignees for `None`, most recently changed first.
    fn in_progress(&self, assignee: Option<&str>) -> Result<Vec<BeadId>, ApiError>;
    /// A bead with all details; `None` if it does not exist.
    fn show(&self, id: &BeadId) -> Result<Option<BeadDetail>, ApiError>;
    /// Adds a comment to a bead, and returns it as the tracker stored it.
    fn comment(&self, id: &BeadId, text: &str, actor: &Actor) -> Result<BeadComment, ApiError>;
    /// The uncommitted files, with git's status letter, such as `src/a.rs (M)`.
    fn uncommitted(&self) -> Result<Vec<String>, ApiError>;
    /// The tracker's commands, as named in the text for the agent.
    fn commands(&self) -> Commands;
}

/// A project's tracker, and git in a session's folder.
pub(super) struct Tracked<'a> {
    project: &'a Project,
    environment: Environment,
    ctx: Option<&'a Context>,
    opened: OnceLock<Box<dyn Tracker>>,
    cwd: PathBuf,
    /// The session if its agent works at a place. Its uncommitted files are only in its newest checkpoint.
    at_place: Option<SessionId>,
    /// Whether the folder was just created and contains only committed files.
    pub(super) untouched: bool,
}

impl<'a> Tracked<'a> {
    pub(super) fn new(project: &'a Project, environment: Environment, cwd: PathBuf) -> Tracked<'a> {
        Tracked {
            project,
            environment,
            ctx: None,
            opened: OnceLock::new(),
            cwd,
            at_place: None,
            untouched: false,
        }
    }

    /// Like [`Tracked::new`], with the tracker that the engine has already opened.
    pub(super) fn of(ctx: &'a Context, cwd: PathBuf) -> Tracked<'a> {
        let environment = ctx.project.environment();
        Tracked { ctx: Some(ctx), ..Tracked::new(&ctx.project, environment, cwd) }
    }

    /// Lists the uncommitted files of this session's agent, wherever the agent works.
    pub(super) fn for_session(self, meta: &Meta) -> Self {
        Tracked { at_place: meta.place.is_some().then_some(meta.id), ..self }
    }

    pub(super) fn tracker(&self) -> Result<&dyn Tracker, ApiError> {
        if let Some(ctx) = self.ctx {
            return ctx.tracker();
        }
        if let Some(tracker) = self.opened.get() {
            return Ok(tracker.as_ref());
        }
        let opened = bc_beads::open(&self.project.root, &self.environment).map_err(tracker_error)?;
        let log = AuditLog::at(&self.project.beads_dir);
        Ok(self.opened.get_or_init(|| Box::new(RecordedTracker::new(opened.into(), log))).as_ref())
    }
}

impl Sources for Tracked<'_> {
    fn mark(&self) -> Option<String> {
        bc_beads::change_mark(&self.project.root, &self.environment).ok().flatten()
    }

    fn in_progress(&self, assignee: Option<&str>) -> Result<Vec<BeadId>, ApiError> {
        let beads = self.tracker()?.in_progress(assignee).map_err(tracker_error)?;
        Ok(beads.into_iter().map(|bead| bead.id).collect())
    }

    fn show(&self, id: &BeadId) -> Result<Option<BeadDetail>, ApiError> {
        bead_if_found(self.tracker()?.show(id))
    }

    fn comment(&self, id: &BeadId, text: &str, actor: &Actor) -> Result<BeadComment, ApiError> {
        self.tracker()?.add_comment(id, text, actor).map_err(tracker_error)
    }

    fn uncommitted(&self) -> Result<Vec<String>, ApiError> {
        if self.untouched {
            return Ok(Vec::new());
        }
        let repo = Repo::discover(&self.cwd).map_err(git_error)?;
        let labelled = match self.at_place {
            Some(session) => repo.labelled_checkpoint(session),
            None => repo.labelled_changes(),
        };
        labelled.map_err(git_error)
    }

    fn commands(&self) -> Commands {
        let found = bc_beads::locate(&self.project.root, &self.environment).ok().flatten();
        let tracker = match found.map(|beads| beads.layout) {
            Some(Layout::Dolt | Layout::ClassicBd) => "bd",
            Some(Layout::Br) => "br",
            Some(Layout::Jsonl) | None => "beads-console bead",
        };
        let reviews = settings::in_force(self.project).reviews;
        Commands { tracker: tracker.to_owned(), reviews }
    }
}
