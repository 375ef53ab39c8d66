//! Pinned beads of br 0.1.12: read from its JSONL, written with its commands. br drops metadata, so the metadata
//! is stored in a fenced block in the notes. br assigns its own ids and has no memory commands.

use super::{
    call::{Cli, Request, Turn},
    pinned_bd::closing,
    verify::ask,
};
use crate::{
    Actor, TrackerError, TrackerKind, json, jsonl,
    pinned::{PinnedBead, PinnedBeads, id_prefix},
    place,
    row::texts,
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
    pub(crate) cli: Cli,
}

impl PinnedBr {
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
        ask(turn, &request.flag("notes", &fenced(notes, &whole)), Some(id)).map(drop)
    }
}

fn update(id: &BeadId, actor: &Actor) -> Request {
    Request::on_bead("update", id, actor.as_str())
}

fn labels_of(row: &Map<String, Value>) -> Vec<String> {
    texts(row.get("labels"))
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
            let request = update(id, actor)
                .flag("status", "pinned")
                .flag("title", &bead.title)
                .flag("description", &bead.description)
                .flag("type", &bead.issue_type)
                .flag("priority", &priority)
                .flags("add-label", bead.labels.iter().filter(|label| !old.contains(label)))
                .flags("remove-label", old.iter().filter(|label| !bead.labels.contains(label)));
            self.set_notes(&turn, id, &bead.metadata, request)?;
            return Ok(id.clone());
        }
        let create = Request::new("create", ["create", "--json"])
            .flag("actor", actor.as_str())
            .flag("type", &bead.issue_type)
            .flag("priority", &priority)
            .flag("description", &bead.description)
            .flag("labels", &bead.labels.join(","))
            .flag("defer", NEVER)
            .flags("assignee", &bead.assignee);
        let value = ask(&turn, &create.arg("--").arg(&bead.title), None)?;
        let said = value.to_string();
        let id = json::objects(value).and_then(|rows| json::ids(rows.get(..1)?).pop());
        let id = id.ok_or_else(|| self.cli.unreadable("create", &said))?;
        self.set_notes(&turn, &id, &bead.metadata, update(&id, actor).flag("status", "pinned"))?;
        Ok(id)
    }

    fn note(&self, id: &BeadId, metadata: &Map<String, Value>, actor: &Actor) -> Result<(), TrackerError> {
        self.set_notes(&self.cli.turn(), id, metadata, update(id, actor))
    }

    fn set_closed(&self, id: &BeadId, reason: Option<&str>, actor: &Actor) -> Result<(), TrackerError> {
        ask(&self.cli.turn(), &closing(id, reason, actor), Some(id)).map(drop)
    }

    fn link(&self, child: &BeadId, parent: &BeadId, kind: &str, actor: &Actor) -> Result<(), TrackerError> {
        let request = Request::add_dependency(child, parent, kind, actor.as_str());
        ask(&self.cli.turn(), &request, Some(child)).map(drop)
    }

    fn unlink(&self, child: &BeadId, parent: &BeadId, actor: &Actor) -> Result<(), TrackerError> {
        let request = Request::remove_dependency(child, parent, actor.as_str());
        ask(&self.cli.turn(), &request, Some(child)).map(drop)
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
