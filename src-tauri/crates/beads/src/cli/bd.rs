//! bd, 1.2.1 and newer, as tested at 1.2.1 and 1.3.0.
//!
//! Undocumented behaviour: bd finds beads by parts of ids, so the ids in answers are checked. It waits
//! for a locked database without a time limit, and refuses to close beads of other assignees. Claims expire after
//! five minutes. Even a read rewrites the database's manifest, with the same content.

use super::{
    bd_edits,
    call::{CallError, Cli, INSTALL_BD, Request, Turn, excerpt},
    dialect::{Dialect, Rows, unless_empty, with_planning},
    programs,
    tracker::CliTracker,
};
use crate::{
    Actor, TrackerError, TrackerKind, bd_events, json,
    row::Row,
    tracker::{Capabilities, FieldChanges, NewBead, TrackerEvent},
};
use bc_core::{bead::BeadStatus, ids::BeadId};
use serde_json::Value;
use std::sync::atomic::{AtomicBool, Ordering};

/// The oldest version that passed the tests with the real bd. 1.0.0 and 1.1.2 failed: they lack `create
/// --status`, which memories need; 1.1.2 lists no dependents and closes beads of other holders. Versions
/// between 1.1.2 and 1.2.1 were not tested.
const OLDEST: [u32; 3] = [1, 2, 1];
const OLDEST_BD: &str = "1.2.1";

const STATUS_KEY: &str = "status.custom";

/// Checks that the program is bd and opens the workspace with it.
pub(crate) fn open_bd(cli: Cli) -> Result<CliTracker<Bd>, TrackerError> {
    let known = programs::version(cli.cache.as_deref(), &cli.program);
    let version = match known.filter(|version| numbers(version) >= Some(OLDEST)) {
        Some(version) => version,
        None => {
            let version = probe(&cli)?;
            programs::remember(cli.cache.as_deref(), &cli.program, &version);
            version
        }
    };
    Ok(CliTracker::new(cli, version, Bd { old: AtomicBool::new(false) }))
}

/// Runs the program and returns bd's version. Fails for any other program and for versions before [`OLDEST`].
pub(crate) fn probe(cli: &Cli) -> Result<String, TrackerError> {
    let done = cli.run(&Request::new("version", ["version"]))?;
    let out = done.out();
    let version = out.lines().find_map(|line| line.strip_prefix("bd version "));
    let version = version.and_then(|rest| rest.split_whitespace().next()).filter(|_| done.ok());
    let version = version.map(str::to_owned);
    let numbers = version.as_deref().and_then(numbers);
    let Some((version, numbers)) = version.zip(numbers) else {
        let program = cli.program.clone();
        let said = excerpt(&if out.trim().is_empty() { done.err() } else { out });
        return Err(TrackerError::WrongProgram { wanted: "bd", program, said, variable: "BC_BD" });
    };
    if numbers < OLDEST {
        return Err(TrackerError::TooOld {
            program: cli.program.clone(),
            version,
            needed: OLDEST_BD,
            install: INSTALL_BD,
        });
    }
    Ok(version)
}

/// The first three numbers of a version; missing ones are 0. `None` if it does not start with a number.
fn numbers(version: &str) -> Option<[u32; 3]> {
    let mut numbers = version.split(['.', '-', '+']).map(|part| part.parse().ok());
    let major = numbers.next()??;
    let mut next = || numbers.next().flatten().unwrap_or(0);
    Some([major, next(), next()])
}

/// The command lines of bd.
pub(crate) struct Bd {
    /// Whether bd rejected one of the flags that only save time.
    old: AtomicBool,
}

impl Bd {
    /// Runs a query with the `newer` flags, or without them if bd does not support them.
    fn ask(&self, turn: &Turn<'_>, request: &Request, newer: &[&str]) -> Result<Value, CallError> {
        if self.old.load(Ordering::Relaxed) {
            return turn.ask(request);
        }
        let mut whole = request.clone();
        whole.args.extend(newer.iter().map(|&flag| flag.to_owned()));
        match turn.ask(&whole) {
            Err(CallError::Refused(refusal)) if refusal.message.contains("unknown flag") => {
                self.old.store(true, Ordering::Relaxed);
                turn.ask(request)
            }
            other => other,
        }
    }

    fn rows(&self, turn: &Turn<'_>, request: &Request, newer: &[&str]) -> Rows {
        turn.objects(request.operation, self.ask(turn, request, newer)?)
    }

    fn states(turn: &Turn<'_>) -> Result<String, CallError> {
        let request = Request::new("config get", ["config", "get", STATUS_KEY, "--json"]);
        let value = json::unwrapped(turn.ask(&request)?);
        match value.get("value") {
            Some(Value::String(states)) => Ok(states.clone()),
            Some(Value::Null) => Ok(String::new()),
            _ => Err(CallError::Tracker(TrackerError::Unreadable {
                program: "bd",
                operation: request.operation,
                said: excerpt(&value.to_string()),
            })),
        }
    }
}

impl Dialect for Bd {
    fn kind(&self) -> TrackerKind {
        TrackerKind::Bd
    }

    fn answers_with_the_bead(&self) -> bool {
        true
    }

    fn list(&self, turn: &Turn<'_>) -> Rows {
        // A bead may wait for a gate. The list filter removes rows that a board does not show.
        let hidden = ["--include-gates", "--include-infra", "--include-templates"];
        let request =
            Request::new("list", ["list", "--all", "--limit=0", "--json"].into_iter().chain(hidden));
        self.rows(turn, &request, &["--brief"])
    }

    fn in_progress(&self, turn: &Turn<'_>, assignee: Option<&str>) -> Rows {
        let request = Request::new("list", ["list", "--status=in_progress", "--limit=0", "--json"]);
        self.rows(turn, &request.flags("assignee", assignee), &["--brief"])
    }

    fn ready(&self, turn: &Turn<'_>) -> Rows {
        self.rows(turn, &Request::new("ready", ["ready", "--limit=0", "--json"]), &["--brief"])
    }

    fn blocked(&self, turn: &Turn<'_>) -> Rows {
        self.rows(turn, &Request::new("blocked", ["blocked", "--json"]), &[])
    }

    fn show(&self, turn: &Turn<'_>, id: &BeadId) -> Rows {
        let request = Request::new("show", ["show", "--json", id.as_str()]);
        self.rows(turn, &request, &["--include-comments", "--include-dependents", "--brief-deps"])
    }

    fn create(&self, new: &NewBead, actor: &Actor) -> Request {
        let request = Request::new("create", ["create", "--json"])
            .flag("actor", actor.as_str())
            .flag("title", &new.title)
            .flag("type", &new.issue_type)
            .flag("priority", &new.priority.to_string())
            .flags("design", unless_empty(&new.design))
            .flags("acceptance", unless_empty(&new.acceptance_criteria))
            .flags("notes", unless_empty(&new.notes))
            .flags("labels", &new.labels)
            .flags("assignee", &new.assignee)
            .flags("parent", new.parent.as_ref().map(BeadId::as_str))
            // Omit the type: some versions reverse the direction if it is given.
            .flags("deps", new.blocked_by.iter().map(BeadId::as_str));
        let request = with_planning(request, new);
        match new.description.is_empty() {
            true => request,
            false => request.flag("body-file", "-").stdin(&new.description),
        }
    }

    fn renew(&self, id: &BeadId, actor: &Actor) -> Option<Request> {
        Some(Request::on_bead("heartbeat", id, actor.as_str()))
    }

    fn drop_label(&self, id: &BeadId, label: &str, actor: &Actor) -> Request {
        Request::on_bead("update", id, actor.as_str()).flag("remove-label", label)
    }

    fn comment(&self, id: &BeadId, text: &str, actor: &Actor) -> Request {
        Request::on_bead("comment", id, actor.as_str()).arg("--stdin").stdin(text)
    }

    fn append_notes(&self, id: &BeadId, text: &str, _now: &str, actor: &Actor) -> Request {
        Request::on_bead("note", id, actor.as_str()).arg("--stdin").stdin(text)
    }

    fn edit(
        &self,
        row: &Row,
        changes: &FieldChanges,
        guarded: bool,
        actor: &str,
    ) -> Result<Vec<Request>, TrackerError> {
        Ok(bd_edits::edit(row, changes, guarded, actor)?.into_iter().collect())
    }

    fn delete(&self, id: &BeadId, actor: &Actor) -> Request {
        Request::on_bead("delete", id, actor.as_str()).arg("--force")
    }

    fn check_title(&self, title: &str) -> Result<(), TrackerError> {
        bd_edits::check_title(title)
    }

    fn capabilities(&self, turn: &Turn<'_>) -> Result<Capabilities, CallError> {
        let ask = |name: &'static str| match turn.ask(&Request::new(name, [name, "--json"])) {
            Ok(value) => Ok(Some(json::unwrapped(value))),
            Err(CallError::Refused(refusal)) if refusal.message.contains("unknown command") => Ok(None),
            Err(error) => Err(error),
        };
        Ok(bd_edits::capabilities(ask("types")?.as_ref(), ask("statuses")?.as_ref()))
    }

    fn events(&self, turn: &Turn<'_>, id: &BeadId) -> Result<Vec<TrackerEvent>, CallError> {
        let request = Request::new("history", ["history", id.as_str(), "--events", "--json"]);
        Ok(bd_events::events(&json::unwrapped(turn.ask(&request)?)))
    }

    fn lacks_in_review(&self, turn: &Turn<'_>) -> Result<bool, CallError> {
        let states = Bd::states(turn)?;
        let mut names = states.split(',').map(|state| state.split(':').next().unwrap_or(state).trim());
        Ok(names.all(|name| name != "in_review"))
    }

    fn add_in_review(&self, turn: &Turn<'_>) -> Result<(), CallError> {
        let states = Bd::states(turn)?;
        let states = match states.trim().trim_end_matches(',') {
            "" => "in_review:wip".to_owned(),
            others => format!("{others},in_review:wip"),
        };
        turn.ask(&Request::new("config set", ["config", "set", STATUS_KEY, &states, "--json"]))?;
        match self.lacks_in_review(turn)? {
            false => Ok(()),
            true => Err(CallError::Tracker(TrackerError::Failed {
                program: "bd",
                operation: "config set",
                said: format!("{STATUS_KEY} was set, but reading it back does not show in_review"),
            })),
        }
    }

    fn submit(&self, id: &BeadId, actor: &Actor) -> Vec<Request> {
        vec![self.status(id, &BeadStatus::InReview, actor)]
    }
}
