//! A tracker that is a program: look, change, look again.

use super::{
    call::{CallError, Cli, Request, Turn},
    dialect::Dialect,
    verify::{differs, explain},
};
use crate::{
    Actor, TrackerError,
    graph::{Graph, detail},
    input::{check_new, check_text, check_words},
    json, place,
    row::{IN_REVIEW_LABEL, Row, comment},
    tracker::{
        Close, CustomStatus, ListFilter, Listing, NewBead, Tracker, TrackerInfo, TrackerKind, Warning,
    },
};
use bc_core::{
    bead::{Bead, BeadComment, BeadDetail, BeadStatus},
    ids::{BeadId, ProjectId},
};
use serde_json::{Map, Value};
use std::{collections::HashSet, path::PathBuf};

/// `bd` or `br` in a workspace.
pub(crate) struct CliTracker<D> {
    cli: Cli,
    version: String,
    dialect: D,
}

impl<D: Dialect> CliTracker<D> {
    pub(crate) fn new(cli: Cli, version: String, dialect: D) -> Self {
        CliTracker { cli, version, dialect }
    }

    fn explain(&self, operation: &'static str, id: Option<&BeadId>) -> impl Fn(CallError) -> TrackerError {
        let (name, id) = (self.cli.name, id.cloned());
        move |error| explain(error, name, operation, id.as_ref())
    }

    fn ask(&self, turn: &Turn<'_>, request: &Request, id: &BeadId) -> Result<Value, TrackerError> {
        turn.ask(request).map_err(self.explain(request.operation, Some(id)))
    }

    /// The bead of exactly this id: programs also find beads by a part of one.
    fn look(&self, turn: &Turn<'_>, id: &BeadId) -> Result<Row, TrackerError> {
        let maps = self.dialect.show(turn, id).map_err(self.explain("show", Some(id)))?;
        let found = maps.iter().find(|map| map.get("id").and_then(Value::as_str) == Some(id.as_str()));
        let map = found.ok_or_else(|| TrackerError::NotFound { id: id.clone() })?;
        let row = Row::read(map).map_err(|why| self.cli.unreadable("show", &why))?;
        match row.stored_status {
            BeadStatus::Tombstone => Err(TrackerError::NotFound { id: id.clone() }),
            _ => Ok(row),
        }
    }

    /// As [`Self::look`], for what is to be changed.
    fn look_open(&self, turn: &Turn<'_>, id: &BeadId) -> Result<Row, TrackerError> {
        let row = self.look(turn, id)?;
        match row.stored_status {
            BeadStatus::Closed => Err(TrackerError::AlreadyClosed { id: id.clone() }),
            _ => Ok(row),
        }
    }

    fn ready_ids(&self, turn: &Turn<'_>) -> Result<Vec<BeadId>, TrackerError> {
        let maps = self.dialect.ready(turn).map_err(self.explain("ready", None))?;
        Ok(ids(&maps))
    }

    fn everything(&self, turn: &Turn<'_>) -> Result<(Vec<Row>, Vec<Warning>), TrackerError> {
        let maps = self.dialect.list(turn).map_err(self.explain("list", None))?;
        let mut warnings = Vec::new();
        let mut rows = Vec::with_capacity(maps.len());
        for map in &maps {
            match Row::read(map) {
                Ok(row) => rows.push(row),
                Err(why) => {
                    warnings.push(Warning { line: None, what: format!("a bead was left out: {why}") })
                }
            }
        }
        Ok((rows, warnings))
    }

    /// The bead after a change, with `ready` as the program counts it.
    fn after(&self, turn: &Turn<'_>, row: &Row) -> Result<BeadDetail, TrackerError> {
        let mut detail = detail(row);
        if row.stored_status == BeadStatus::Open {
            detail.bead.ready = self.ready_ids(turn)?.contains(&row.id);
            if detail.bead.ready {
                detail.bead.blocked_by.clear();
            }
        }
        Ok(detail)
    }

    fn drop_review_label(&self, turn: &Turn<'_>, row: &Row, actor: &Actor) -> Result<(), TrackerError> {
        if row.has_review_label() {
            self.ask(turn, &self.dialect.drop_label(&row.id, IN_REVIEW_LABEL, actor), &row.id)?;
        }
        Ok(())
    }

    fn expect_status(
        &self,
        turn: &Turn<'_>,
        id: &BeadId,
        status: &BeadStatus,
        operation: &'static str,
    ) -> Result<Bead, TrackerError> {
        let row = self.look(turn, id)?;
        if row.status() != *status {
            let found = format!("the state {}", row.status().as_str());
            return Err(TrackerError::NotPersisted { operation, id: id.clone(), found });
        }
        Ok(self.after(turn, &row)?.bead)
    }

    fn submit_in(
        &self,
        turn: &Turn<'_>,
        id: &BeadId,
        custom: CustomStatus,
        actor: &Actor,
    ) -> Result<Bead, TrackerError> {
        let row = self.look_open(turn, id)?;
        if self.dialect.lacks_in_review(turn).map_err(self.explain("submit", None))? {
            match custom {
                CustomStatus::Ask => return Err(TrackerError::NeedsConsent { status: BeadStatus::InReview }),
                CustomStatus::Add => {
                    self.dialect.add_in_review(turn).map_err(self.explain("submit", None))?
                }
            }
        }
        if row.status() != BeadStatus::InReview {
            for request in self.dialect.submit(id, actor) {
                self.ask(turn, &request, id)?;
            }
        }
        self.expect_status(turn, id, &BeadStatus::InReview, "submitting")
    }

    fn close_in(
        &self,
        turn: &Turn<'_>,
        id: &BeadId,
        close: &Close,
        actor: &Actor,
    ) -> Result<Bead, TrackerError> {
        let row = self.look_open(turn, id)?;
        check_text("reason", &close.reason)?;
        // The same person in another session: bd compares whole names.
        let name = match &row.assignee {
            Some(assignee) if actor.is_person(assignee) => assignee.as_str(),
            _ => actor.as_str(),
        };
        self.ask(turn, &self.dialect.close(id, close, name), id)?;
        self.expect_status(turn, id, &BeadStatus::Closed, "closing")
    }
}

impl<D: Dialect> Tracker for CliTracker<D> {
    fn kind(&self) -> TrackerKind {
        self.dialect.kind()
    }

    fn describe(&self) -> TrackerInfo {
        TrackerInfo {
            kind: self.kind(),
            program: Some(self.cli.program.clone()),
            version: Some(self.version.clone()),
            beads_dir: self.cli.beads_dir.clone(),
            notice: None,
        }
    }

    fn list(&self, filter: &ListFilter) -> Result<Listing, TrackerError> {
        let turn = self.cli.turn();
        let (rows, warnings) = self.everything(&turn)?;
        let ready: HashSet<BeadId> = self.ready_ids(&turn)?.into_iter().collect();
        Ok(Listing { beads: Graph::new(&rows).beads(filter, &ready), warnings })
    }

    fn ready(&self) -> Result<Vec<Bead>, TrackerError> {
        let turn = self.cli.turn();
        let (rows, _) = self.everything(&turn)?;
        let order = self.ready_ids(&turn)?;
        let ready: HashSet<BeadId> = order.iter().cloned().collect();
        let mut beads = Graph::new(&rows).beads(&ListFilter::open(), &ready);
        beads.retain(|bead| bead.ready);
        beads.sort_by_key(|bead| order.iter().position(|id| *id == bead.id));
        Ok(beads)
    }

    fn blocked(&self) -> Result<Vec<Bead>, TrackerError> {
        let turn = self.cli.turn();
        let maps = self.dialect.blocked(&turn).map_err(self.explain("blocked", None))?;
        let waiting: Vec<Row> = maps.iter().filter_map(|map| Row::read(map).ok()).collect();
        let (rows, _) = self.everything(&turn)?;
        let mut beads = Graph::new(&rows).beads(&ListFilter::open(), &HashSet::new());
        beads.retain_mut(|bead| match waiting.iter().find(|row| row.id == bead.id) {
            Some(row) => {
                bead.blocked_by.clone_from(&row.blocked_by);
                true
            }
            None => false,
        });
        Ok(beads)
    }

    fn show(&self, id: &BeadId) -> Result<BeadDetail, TrackerError> {
        let turn = self.cli.turn();
        let row = self.look(&turn, id)?;
        self.after(&turn, &row)
    }

    fn create(&self, new: &NewBead, actor: &Actor) -> Result<BeadDetail, TrackerError> {
        check_new(new)?;
        let turn = self.cli.turn();
        let request = self.dialect.create(new, actor);
        let value = turn.ask(&request).map_err(self.explain("create", None))?;
        let said = value.to_string();
        let id = json::objects(value).and_then(|maps| ids(&maps).into_iter().next());
        let id = id.ok_or_else(|| self.cli.unreadable("create", &said))?;
        for request in self.dialect.after_create(&id, new, actor) {
            self.ask(&turn, &request, &id)?;
        }
        let row = self.look(&turn, &id)?;
        if let Some(found) = differs(&row, new) {
            return Err(TrackerError::NotPersisted { operation: "making", id, found });
        }
        self.after(&turn, &row)
    }

    fn claim(&self, id: &BeadId, actor: &Actor) -> Result<Bead, TrackerError> {
        let turn = self.cli.turn();
        let row = self.look_open(&turn, id)?;
        let mine = |held: &str| match row.stored_status {
            BeadStatus::Open => actor.may_take_open(Some(held)),
            _ => actor.may_take_started(held),
        };
        if let Some(held) = row.assignee.as_deref().filter(|held| *held != actor.as_str()) {
            if !mine(held) {
                return Err(TrackerError::ClaimedByOther { id: id.clone(), by: held.to_owned() });
            }
            self.ask(&turn, &self.dialect.hand_over(id, held, actor), id)?;
        }
        if row.status() == BeadStatus::InReview {
            let why = "it is in review; set it in progress first".to_owned();
            return Err(TrackerError::Refused { operation: "claiming", id: id.clone(), why });
        }
        self.ask(&turn, &self.dialect.claim(id, actor), id)?;
        let row = self.look(&turn, id)?;
        match row.assignee.as_deref() {
            Some(held) if held == actor.as_str() && row.stored_status == BeadStatus::InProgress => {
                self.drop_review_label(&turn, &row, actor)?;
                Ok(Bead { status: BeadStatus::InProgress, ..detail(&row).bead })
            }
            Some(held) if held != actor.as_str() => {
                Err(TrackerError::ClaimedByOther { id: id.clone(), by: held.to_owned() })
            }
            _ => Err(TrackerError::NotPersisted {
                operation: "claiming",
                id: id.clone(),
                found: format!("the state {} and no claim", row.stored_status.as_str()),
            }),
        }
    }

    fn renew_claim(&self, id: &BeadId, actor: &Actor) -> Result<(), TrackerError> {
        let Some(request) = self.dialect.renew(id, actor) else { return Ok(()) };
        match self.cli.turn().ask(&request) {
            // Before leases: there is nothing to renew.
            Err(CallError::Refused(refusal)) if refusal.said.contains("unknown command") => Ok(()),
            answer => answer.map(|_| ()).map_err(self.explain("heartbeat", Some(id))),
        }
    }

    fn set_status(&self, id: &BeadId, status: &BeadStatus, actor: &Actor) -> Result<Bead, TrackerError> {
        let turn = self.cli.turn();
        match status {
            BeadStatus::InReview => return self.submit_in(&turn, id, CustomStatus::Ask, actor),
            BeadStatus::Closed => return self.close_in(&turn, id, &Close::default(), actor),
            BeadStatus::Tombstone => {
                let why = "a bead is deleted with its tracker's own command".to_owned();
                return Err(TrackerError::Refused { operation: "deleting", id: id.clone(), why });
            }
            _ => {}
        }
        let row = self.look(&turn, id)?;
        self.drop_review_label(&turn, &row, actor)?;
        for request in self.dialect.status(id, status, actor) {
            self.ask(&turn, &request, id)?;
        }
        self.expect_status(&turn, id, status, "moving")
    }

    fn needs_custom_status(&self) -> Result<bool, TrackerError> {
        self.dialect.lacks_in_review(&self.cli.turn()).map_err(self.explain("submit", None))
    }

    fn submit(&self, id: &BeadId, custom: CustomStatus, actor: &Actor) -> Result<Bead, TrackerError> {
        self.submit_in(&self.cli.turn(), id, custom, actor)
    }

    fn close(&self, id: &BeadId, close: &Close, actor: &Actor) -> Result<Bead, TrackerError> {
        self.close_in(&self.cli.turn(), id, close, actor)
    }

    fn add_comment(&self, id: &BeadId, text: &str, actor: &Actor) -> Result<BeadComment, TrackerError> {
        check_words("comment", text)?;
        let turn = self.cli.turn();
        self.look(&turn, id)?;
        let value = self.ask(&turn, &self.dialect.comment(id, text, actor), id)?;
        let made = json::objects(value).and_then(|maps| maps.first().and_then(comment));
        let row = self.look(&turn, id)?;
        let made = made.map(|made| made.id).unwrap_or_default();
        let found = row.comments.into_iter().rfind(|c| c.id == made && c.text.trim_end() == text.trim_end());
        let missing = || TrackerError::NotPersisted {
            operation: "commenting on",
            id: id.clone(),
            found: "no such comment".to_owned(),
        };
        found.ok_or_else(missing)
    }

    fn set_notes(&self, id: &BeadId, text: &str, actor: &Actor) -> Result<(), TrackerError> {
        self.write_notes(id, text, |_| self.dialect.set_notes(id, text, actor), str::eq)
    }

    fn append_notes(&self, id: &BeadId, text: &str, actor: &Actor) -> Result<(), TrackerError> {
        check_words("notes", text)?;
        let append = |now: &str| self.dialect.append_notes(id, text, now, actor);
        self.write_notes(id, text, append, |notes, text| notes.ends_with(text))
    }

    fn project_id(&self) -> Result<Option<ProjectId>, TrackerError> {
        Ok(place::project_id(&self.cli.beads_dir))
    }

    fn watch_paths(&self) -> Vec<PathBuf> {
        place::watch_paths(&self.cli.beads_dir)
    }

    fn change_mark(&self) -> Result<Option<String>, TrackerError> {
        place::change_mark(&self.cli.beads_dir)
    }
}

impl<D: Dialect> CliTracker<D> {
    fn write_notes(
        &self,
        id: &BeadId,
        text: &str,
        request: impl Fn(&str) -> Request,
        as_wanted: impl Fn(&str, &str) -> bool,
    ) -> Result<(), TrackerError> {
        check_text("notes", text)?;
        let turn = self.cli.turn();
        let row = self.look(&turn, id)?;
        self.ask(&turn, &request(&row.notes), id)?;
        let row = self.look(&turn, id)?;
        match as_wanted(row.notes.trim_end(), text.trim_end()) {
            true => Ok(()),
            false => Err(TrackerError::NotPersisted {
                operation: "writing the notes of",
                id: id.clone(),
                found: "other notes".to_owned(),
            }),
        }
    }
}

fn ids(maps: &[Map<String, Value>]) -> Vec<BeadId> {
    maps.iter().filter_map(|map| map.get("id")?.as_str()?.parse().ok()).collect()
}
