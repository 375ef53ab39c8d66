//! br 0.1.12. Tested only against its recorded answers, never against the program.
//!
//! br's list has no dependencies; they come from its JSONL, which br writes after every change. br has no
//! custom statuses: "in review" is a label on a bead in progress.

use super::{
    br_edits,
    call::{CallError, Cli, Request, Turn, excerpt},
    dialect::{Dialect, Rows, unless_empty, with_planning},
    tracker::CliTracker,
};
use crate::{
    Actor, TrackerError, TrackerKind, json, jsonl, place,
    row::{IN_REVIEW_LABEL, Row},
    tracker::{Capabilities, FieldChanges, NewBead},
};
use bc_core::{bead::BeadStatus, ids::BeadId};
use serde_json::{Map, Value};
use std::{collections::HashMap, path::PathBuf};

/// A limit larger than any project's number of beads. 0 has a different meaning in each of br's commands.
pub(super) const NO_LIMIT: &str = "--limit=1000000";

/// Checks that the program is br and opens the workspace with it.
pub(crate) fn open_br(cli: Cli) -> Result<CliTracker<Br>, TrackerError> {
    let version = probe(&cli)?;
    let jsonl = place::jsonl_file(&cli.beads_dir);
    Ok(CliTracker::new(cli, version, Br { jsonl }))
}

fn probe(cli: &Cli) -> Result<String, TrackerError> {
    let done = cli.run(&Request::new("version", ["version", "--json"]))?;
    let value = json::document(&done.stdout);
    let version = value.as_ref().and_then(|v| v.get("version")).and_then(Value::as_str);
    match version.filter(|_| done.ok()) {
        Some(version) => Ok(version.to_owned()),
        None => Err(TrackerError::WrongProgram {
            wanted: "br",
            program: cli.program.clone(),
            said: excerpt(&if done.stdout.is_empty() { done.err() } else { done.out() }),
            variable: "BC_BR",
        }),
    }
}

/// The command lines of br.
pub(crate) struct Br {
    jsonl: PathBuf,
}

impl Br {
    fn rows(turn: &Turn<'_>, request: &Request) -> Rows {
        turn.objects(request.operation, turn.ask(request)?)
    }
}

impl Dialect for Br {
    fn kind(&self) -> TrackerKind {
        TrackerKind::Br
    }

    fn list(&self, turn: &Turn<'_>) -> Rows {
        let mut rows = Br::rows(turn, &Request::new("list", ["list", "--all", NO_LIMIT, "--json"]))?;
        let mut known: HashMap<String, Map<String, Value>> = jsonl::maps(&self.jsonl)?
            .into_iter()
            .filter_map(|map| Some((map.get("id")?.as_str()?.to_owned(), map)))
            .collect();
        for row in &mut rows {
            let file = row.get("id").and_then(Value::as_str).and_then(|id| known.remove(id));
            for key in ["dependencies", "labels", "pinned", "ephemeral", "is_template", "defer_until"] {
                if let Some(value) = file.as_ref().and_then(|file| file.get(key))
                    && !row.contains_key(key)
                {
                    row.insert(key.to_owned(), value.clone());
                }
            }
        }
        Ok(rows)
    }

    fn in_progress(&self, turn: &Turn<'_>, assignee: Option<&str>) -> Rows {
        let mut rows = self.list(turn)?;
        // Do not use br's own filter: its output has no labels, and a label marks beads in review.
        rows.retain(|row| {
            let held = row.get("assignee").and_then(Value::as_str);
            row.get("status").and_then(Value::as_str) == Some("in_progress")
                && assignee.is_none_or(|by| held == Some(by))
        });
        Ok(rows)
    }

    fn ready(&self, turn: &Turn<'_>) -> Rows {
        let mut rows = Br::rows(turn, &Request::new("ready", ["ready", NO_LIMIT, "--json"]))?;
        // br counts beads in progress as ready; a board does not.
        rows.retain(|row| row.get("status").and_then(Value::as_str) == Some("open"));
        Ok(rows)
    }

    fn blocked(&self, turn: &Turn<'_>) -> Rows {
        Br::rows(turn, &Request::new("blocked", ["blocked", NO_LIMIT, "--json"]))
    }

    fn show(&self, turn: &Turn<'_>, id: &BeadId) -> Rows {
        Br::rows(turn, &Request::new("show", ["show", id.as_str(), "--json"]))
    }

    fn create(&self, new: &NewBead, actor: &Actor) -> Request {
        let deps: Vec<String> = new.blocked_by.iter().map(|blocker| format!("blocks:{blocker}")).collect();
        let request = Request::new("create", ["create", "--json"])
            .flag("actor", actor.as_str())
            .flag("type", &new.issue_type)
            .flag("priority", &new.priority.to_string())
            .flags("description", unless_empty(&new.description))
            .flags("labels", unless_empty(&new.labels.join(",")))
            .flags("assignee", &new.assignee)
            .flags("parent", new.parent.as_ref().map(BeadId::as_str))
            .flags("deps", unless_empty(&deps.join(",")));
        with_planning(request, new).arg("--").arg(&new.title)
    }

    fn after_create(&self, id: &BeadId, new: &NewBead, actor: &Actor) -> Vec<Request> {
        let texts = [
            ("design", &new.design),
            ("acceptance-criteria", &new.acceptance_criteria),
            ("notes", &new.notes),
        ];
        let texts = texts.into_iter().filter(|(_, text)| !text.is_empty());
        texts.map(|(flag, text)| Request::on_bead("update", id, actor.as_str()).flag(flag, text)).collect()
    }

    fn drop_label(&self, id: &BeadId, label: &str, actor: &Actor) -> Request {
        Request::new("label remove", ["label", "remove", id.as_str(), label, "--json"])
            .flag("actor", actor.as_str())
    }

    fn comment(&self, id: &BeadId, text: &str, actor: &Actor) -> Request {
        let request = Request::new("comments add", ["comments", "add", "--json"])
            .flag("actor", actor.as_str())
            .flag("author", actor.as_str());
        request.arg("--").arg(id.as_str()).arg(text)
    }

    fn append_notes(&self, id: &BeadId, text: &str, now: &str, actor: &Actor) -> Request {
        let whole = if now.is_empty() { text.to_owned() } else { format!("{now}\n{text}") };
        self.set_notes(id, &whole, actor)
    }

    fn edit(
        &self,
        row: &Row,
        changes: &FieldChanges,
        _guarded: bool,
        actor: &str,
    ) -> Result<Vec<Request>, TrackerError> {
        br_edits::edit(row, changes, actor)
    }

    fn delete(&self, id: &BeadId, actor: &Actor) -> Request {
        Request::on_bead("delete", id, actor.as_str())
    }

    fn capabilities(&self, _turn: &Turn<'_>) -> Result<Capabilities, CallError> {
        Ok(br_edits::capabilities())
    }

    fn submit(&self, id: &BeadId, actor: &Actor) -> Vec<Request> {
        let label = Request::new("label add", ["label", "add", id.as_str(), IN_REVIEW_LABEL, "--json"]);
        vec![self.status(id, &BeadStatus::InProgress, actor), label.flag("actor", actor.as_str())]
    }
}
