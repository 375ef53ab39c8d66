//! Pinned beads of br 0.1.12: read from its JSONL, written with its commands. br drops metadata, so the metadata
//! is stored in a fenced block in the notes. br assigns its own ids and has no memory commands.

use super::{
    call::{Cli, Request, Turn},
    verify::explain,
};
use crate::{
    Actor, TrackerError, TrackerKind, json, jsonl,
    pinned::{PinnedBead, PinnedBeads, id_prefix},
    place,
};
use bc_core::{
    ids::BeadId,
    memory::{fenced, unfenced},
};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// A new bead is deferred to this date until it is pinned, so that it is never ready.
const NEVER: &str = "2999-01-01";

pub(crate) struct PinnedBr {
    cli: Cli,
}

impl PinnedBr {
    pub(crate) fn new(cli: Cli) -> PinnedBr {
        PinnedBr { cli }
    }

    fn ask(&self, turn: &Turn<'_>, request: &Request, id: Option<&BeadId>) -> Result<Value, TrackerError> {
        turn.ask(request).map_err(|error| explain(error, "br", request.operation, id))
    }

    fn all(&self) -> Result<Vec<Map<String, Value>>, TrackerError> {
        jsonl::maps(&place::jsonl_file(&self.cli.beads_dir))
    }

    fn row(&self, id: &BeadId) -> Result<Option<Map<String, Value>>, TrackerError> {
        let is = |row: &Map<String, Value>| row.get("id").and_then(Value::as_str) == Some(id.as_str());
        Ok(self.all()?.into_iter().find(is))
    }

    fn set_notes(
        &self,
        turn: &Turn<'_>,
        id: &BeadId,
        metadata: &Map<String, Value>,
        request: Request,
    ) -> Result<(), TrackerError> {
        let row = self.row(id)?.unwrap_or_default();
        let notes = row.get("notes").and_then(Value::as_str).unwrap_or_default();
        let mut whole = unfenced(notes).unwrap_or_default();
        whole.extend(metadata.clone());
        self.ask(turn, &request.flag("notes", &fenced(notes, &whole)), Some(id)).map(drop)
    }
}

fn update(id: &BeadId, actor: &Actor) -> Request {
    Request::new("update", ["update", id.as_str(), "--json"]).flag("actor", actor.as_str())
}

fn labels_of(row: &Map<String, Value>) -> Vec<String> {
    let labels = row.get("labels").and_then(Value::as_array).into_iter().flatten();
    labels.filter_map(Value::as_str).map(str::to_owned).collect()
}

impl PinnedBeads for PinnedBr {
    fn kind(&self) -> TrackerKind {
        TrackerKind::Br
    }

    fn prefix(&self) -> String {
        id_prefix(&self.cli.beads_dir)
    }

    fn rows(&self, label_prefix: &str) -> Result<Vec<Map<String, Value>>, TrackerError> {
        let mut rows = self.all()?;
        rows.retain(|row| labels_of(row).iter().any(|label| label.starts_with(label_prefix)));
        Ok(rows)
    }

    fn keep(&self, bead: &PinnedBead, known: Option<&BeadId>, actor: &Actor) -> Result<BeadId, TrackerError> {
        let turn = self.cli.turn();
        let priority = bead.priority.to_string();
        if let Some(id) = known {
            let old = self.row(id)?.map(|row| labels_of(&row)).unwrap_or_default();
            let mut request = update(id, actor)
                .flag("status", "pinned")
                .flag("title", &bead.title)
                .flag("description", &bead.description)
                .flag("type", &bead.issue_type)
                .flag("priority", &priority);
            for label in bead.labels.iter().filter(|label| !old.contains(label)) {
                request = request.flag("add-label", label);
            }
            for label in old.iter().filter(|label| !bead.labels.contains(label)) {
                request = request.flag("remove-label", label);
            }
            self.set_notes(&turn, id, &bead.metadata, request)?;
            return Ok(id.clone());
        }
        let mut create = Request::new("create", ["create", "--json"])
            .flag("actor", actor.as_str())
            .flag("type", &bead.issue_type)
            .flag("priority", &priority)
            .flag("description", &bead.description)
            .flag("labels", &bead.labels.join(","))
            .flag("defer", NEVER);
        if let Some(assignee) = &bead.assignee {
            create = create.flag("assignee", assignee);
        }
        let value = self.ask(&turn, &create.arg("--").arg(&bead.title), None)?;
        let said = value.to_string();
        let rows = json::objects(value).unwrap_or_default();
        let id = rows.first().and_then(|row| row.get("id")?.as_str()?.parse::<BeadId>().ok());
        let id = id.ok_or_else(|| self.cli.unreadable("create", &said))?;
        self.set_notes(&turn, &id, &bead.metadata, update(&id, actor).flag("status", "pinned"))?;
        Ok(id)
    }

    fn note(&self, id: &BeadId, metadata: &Map<String, Value>, actor: &Actor) -> Result<(), TrackerError> {
        self.set_notes(&self.cli.turn(), id, metadata, update(id, actor))
    }

    fn set_closed(&self, id: &BeadId, reason: Option<&str>, actor: &Actor) -> Result<(), TrackerError> {
        let request = match reason {
            Some(reason) => {
                let request = Request::new("close", ["close", id.as_str(), "--json"]);
                request.flag("actor", actor.as_str()).flag("reason", reason).arg("--force")
            }
            None => update(id, actor).flag("status", "pinned"),
        };
        self.ask(&self.cli.turn(), &request, Some(id)).map(drop)
    }

    fn link(&self, child: &BeadId, parent: &BeadId, kind: &str, actor: &Actor) -> Result<(), TrackerError> {
        let request = Request::new("dep add", ["dep", "add", child.as_str(), parent.as_str(), "--json"])
            .flag("type", kind)
            .flag("actor", actor.as_str());
        self.ask(&self.cli.turn(), &request, Some(child)).map(drop)
    }

    fn unlink(&self, child: &BeadId, parent: &BeadId, actor: &Actor) -> Result<(), TrackerError> {
        let words = ["dep", "remove", child.as_str(), parent.as_str(), "--json"];
        let request = Request::new("dep remove", words).flag("actor", actor.as_str());
        self.ask(&self.cli.turn(), &request, Some(child)).map(drop)
    }

    fn texts(&self) -> Result<Option<BTreeMap<String, String>>, TrackerError> {
        Ok(None)
    }

    fn takes_text(&self, _text: &str) -> bool {
        false
    }

    fn put_text(&self, _key: &str, _text: &str) -> Result<bool, TrackerError> {
        Ok(false)
    }

    fn drop_text(&self, _key: &str) -> Result<(), TrackerError> {
        Ok(())
    }
}
