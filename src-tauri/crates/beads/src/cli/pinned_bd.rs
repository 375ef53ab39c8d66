//! Pinned beads of bd, and its own memories (`bd remember`).

use super::{
    bd_edits::as_csv,
    call::{CallError, Cli, MAX_ARGUMENT, Request},
    verify::{ask, explain},
};
use crate::{
    Actor, TrackerError, TrackerKind, json,
    pinned::{NewPinned, PinnedBead, PinnedBeads, id_prefix},
};
use bc_core::ids::BeadId;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// bd's maximum memory length, in bytes.
const TEXT_MAX: usize = 65_535;

pub(crate) struct PinnedBd {
    pub(crate) cli: Cli,
}

impl PinnedBd {
    fn unreadable(&self, operation: &'static str, value: &Value) -> TrackerError {
        self.cli.unreadable(operation, &value.to_string())
    }

    /// The row with this id in bd's answer to a creation or a change. Fails if the answer has none.
    fn changed(
        &self,
        operation: &'static str,
        value: Value,
        id: &BeadId,
    ) -> Result<Map<String, Value>, TrackerError> {
        let said = value.clone();
        let rows = json::objects(value).unwrap_or_default();
        let row = rows.into_iter().find(|row| row.get("id").and_then(Value::as_str) == Some(id.as_str()));
        row.ok_or_else(|| self.unreadable(operation, &said))
    }
}

/// Adds the fields of the bead, with its labels under this flag.
fn fields(request: Request, bead: &PinnedBead, labels: &str) -> Request {
    request
        .flag("status", "pinned")
        .flag("title", &bead.title)
        .flag("type", &bead.issue_type)
        .flag("priority", &bead.priority.to_string())
        .flag("metadata", &Value::Object(bead.metadata.clone()).to_string())
        .flags(labels, bead.labels.iter().map(|label| as_csv(label)))
        .flags("assignee", &bead.assignee)
        .flag("body-file", "-")
        .stdin(&bead.description)
}

/// The difference between bd's row and the requested one in description or status, in words; `None` if there is none.
fn difference(row: &Map<String, Value>, bead: &PinnedBead) -> Option<String> {
    let text = |key: &str| row.get(key).and_then(Value::as_str).unwrap_or_default();
    if text("description").trim_end() != bead.description.trim_end() {
        return Some("another description".to_owned());
    }
    let status = text("status");
    (status != "pinned").then(|| format!("the state {status}"))
}

/// Closes the bead with this reason; without one, pins it again.
pub(super) fn closing(id: &BeadId, reason: Option<&str>, actor: &Actor) -> Request {
    match reason {
        Some(reason) => Request::on_bead("close", id, actor.as_str()).flag("reason", reason).arg("--force"),
        None => Request::on_bead("update", id, actor.as_str()).flag("status", "pinned"),
    }
}

impl PinnedBeads for PinnedBd {
    fn kind(&self) -> TrackerKind {
        TrackerKind::Bd
    }

    fn prefix(&self) -> String {
        id_prefix(&self.cli.beads_dir)
    }

    fn rows(&self, label_prefix: &str) -> Result<Vec<Map<String, Value>>, TrackerError> {
        let turn = self.cli.turn();
        let all = Request::new("list", ["list", "--all", "--limit=0", "--json"]);
        let some = all.clone().flag("label-pattern", &format!("{label_prefix}*"));
        let value = match turn.ask(&some) {
            // Versions before 1.1 have no patterns.
            Err(CallError::Refused(refusal)) if refusal.message.contains("unknown flag") => turn.ask(&all),
            other => other,
        };
        value
            .and_then(|value| turn.objects("list", value))
            .map_err(|error| explain(error, "bd", "list", None))
    }

    fn keep(&self, bead: &PinnedBead, known: Option<&BeadId>, actor: &Actor) -> Result<BeadId, TrackerError> {
        let turn = self.cli.turn();
        let create = Request::new("create", ["create", "--json", "--force"])
            .flag("id", bead.id.as_str())
            .flag("actor", actor.as_str());
        let made = match known {
            Some(_) => None,
            None => match turn.ask(&fields(create, bead, "labels")) {
                Ok(value) => Some(self.changed("create", value, &bead.id)?),
                Err(CallError::Refused(refusal)) if refusal.message.contains("already exists") => None,
                Err(error) => return Err(explain(error, "bd", "create", None)),
            },
        };
        let (row, id) = match made {
            Some(row) => (row, bead.id.clone()),
            None => {
                let id = known.unwrap_or(&bead.id);
                let update = Request::on_bead("update", id, actor.as_str()).arg("--allow-empty-description");
                let value = ask(&turn, &fields(update, bead, "set-labels"), Some(id))?;
                (self.changed("update", value, id)?, id.clone())
            }
        };
        match difference(&row, bead) {
            None => Ok(id),
            Some(found) => Err(TrackerError::NotPersisted { operation: "storing", id, found }),
        }
    }

    fn make_many(&self, new: &[NewPinned], actor: &Actor) -> Result<bool, TrackerError> {
        let mut lines = String::new();
        for NewPinned { row, text } in new {
            lines.push_str(&format!("{}\n", Value::Object(row.clone())));
            if let Some((key, text)) = text {
                lines.push_str(&format!("{}\n", json!({"_type": "memory", "key": key, "value": text})));
            }
        }
        let request = Request::new("import", ["import", "-", "--json"]).flag("actor", actor.as_str());
        match self.cli.turn().ask(&request.stdin(&lines)) {
            Ok(_) => Ok(true),
            // Versions before 1.0 have another import command.
            Err(CallError::Refused(refusal)) if refusal.message.contains("unknown") => Ok(false),
            Err(error) => Err(explain(error, "bd", "import", None)),
        }
    }

    fn note(&self, id: &BeadId, metadata: &Map<String, Value>, actor: &Actor) -> Result<(), TrackerError> {
        let metadata = Value::Object(metadata.clone()).to_string();
        let request = Request::on_bead("update", id, actor.as_str()).flag("metadata", &metadata);
        ask(&self.cli.turn(), &request, Some(id)).map(drop)
    }

    fn set_closed(&self, id: &BeadId, reason: Option<&str>, actor: &Actor) -> Result<(), TrackerError> {
        let wanted = if reason.is_some() { "closed" } else { "pinned" };
        let value = ask(&self.cli.turn(), &closing(id, reason, actor), Some(id))?;
        // The answer for an already closed bead is empty.
        let rows = json::objects(value).unwrap_or_default();
        match rows.iter().filter_map(|row| row.get("status")?.as_str()).find(|status| *status != wanted) {
            None => Ok(()),
            Some(status) => Err(TrackerError::NotPersisted {
                operation: "closing",
                id: id.clone(),
                found: format!("the state {status}"),
            }),
        }
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
        let request = Request::new("memories", ["memories", "--json"]);
        let value = json::unwrapped(ask(&self.cli.turn(), &request, None)?);
        let Value::Object(map) = value else { return Err(self.unreadable("memories", &value)) };
        let texts = map.into_iter().filter_map(|(key, value)| match value {
            Value::String(text) => Some((key, text)),
            // Without the envelope, bd puts its format version among the keys.
            _ => None,
        });
        Ok(Some(texts.collect()))
    }

    fn takes_text(&self, text: &str) -> bool {
        text.len() <= TEXT_MAX.min(MAX_ARGUMENT) && !text.contains('\0')
    }

    fn put_text(&self, key: &str, text: &str) -> Result<bool, TrackerError> {
        let request = Request::new("remember", ["remember", "--json"]).flag("key", key).arg("--").arg(text);
        let value = json::unwrapped(ask(&self.cli.turn(), &request, None)?);
        match value.get("action").and_then(Value::as_str) {
            Some("remembered") => Ok(false),
            Some("updated") => Ok(true),
            _ => Err(self.unreadable("remember", &value)),
        }
    }

    fn drop_text(&self, key: &str) -> Result<(), TrackerError> {
        let request = Request::new("forget", ["forget", "--json", "--", key]);
        match self.cli.turn().ask(&request) {
            Ok(_) => Ok(()),
            // bd fails if the key is missing: with this message, or with only `"found": "false"`.
            Err(CallError::Refused(refusal))
                if refusal.message.contains("No memory with key")
                    || refusal.message.starts_with("it ended with exit code 1") =>
            {
                Ok(())
            }
            Err(error) => Err(explain(error, "bd", "forget", None)),
        }
    }
}
