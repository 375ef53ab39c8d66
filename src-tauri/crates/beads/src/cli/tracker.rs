//! A tracker that is a program. Most changes read the bead first, and verify the result.

use super::{
    answer_cache::AnswerCache,
    call::{CallError, Cli},
    dialect::Dialect,
    exchange_bd,
    listed::Listed,
    verify::{ask, check_stored, new_difference},
};
use crate::{
    Actor, TrackerError,
    error::refused,
    graph::Graph,
    input::{check_changes, check_new, check_words},
    json,
    jsonl::{maps, texts_of},
    kinds::check_dependency,
    page::{bead_of, detail},
    place,
    row::Row,
    tracker::{
        Capabilities, Close, CustomStatus, Dependency, FieldChanges, ListFilter, Listing, NewBead, Part,
        PartialListing, Tracker, TrackerEvent, TrackerInfo, TrackerKind, latest_of,
    },
};
use bc_core::{
    Timestamp,
    bead::{Bead, BeadComment, BeadDetail, BeadStatus},
    ids::{BeadId, ProjectId},
    query::Texts,
};
use chrono::Utc;
use std::{
    collections::{HashMap, HashSet},
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
};

/// `bd` or `br` in a workspace.
pub(crate) struct CliTracker<D> {
    pub(super) cli: Cli,
    version: String,
    pub(super) dialect: D,
    pub(super) known: AnswerCache,
    /// The row from the last change's answer and the mark after it, until the bead is shown once.
    pub(super) answer: Mutex<Option<(String, Row)>>,
    listed: Listed,
    /// The program's capabilities, and the mark and the state of the configuration when they were read.
    capabilities: Mutex<Option<(String, Capabilities)>>,
}

impl<D: Dialect> CliTracker<D> {
    pub(crate) fn new(cli: Cli, version: String, dialect: D) -> Self {
        let known = AnswerCache::new(cli.cache.as_deref(), &cli.beads_dir);
        let (answer, capabilities, listed) = Default::default();
        CliTracker { cli, version, dialect, known, answer, capabilities, listed }
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
        let PartialListing { beads, warnings, .. } = self.list_part(filter, Part::All)?;
        Ok(Listing { beads: beads.into_iter().map(Arc::unwrap_or_clone).collect(), warnings })
    }

    fn list_part(&self, filter: &ListFilter, part: Part<'_>) -> Result<PartialListing, TrackerError> {
        let turn = self.cli.turn();
        let (now, mark) = (Utc::now().fixed_offset(), self.mark());
        if let Some(unchanged) = self.listed.unchanged(mark.as_deref(), filter, part, now) {
            return Ok(unchanged);
        }
        let rows = self.everything(&turn)?;
        let ready = self.ready_ids(&turn)?.into_iter().collect();
        let mark = mark.filter(|mark| self.mark().as_ref() == Some(mark));
        Ok(self.listed.put(rows, &ready, mark, (filter, part), now))
    }

    fn ready(&self) -> Result<Vec<Bead>, TrackerError> {
        let turn = self.cli.turn();
        let (rows, _) = self.everything(&turn)?;
        let order = self.ready_ids(&turn)?;
        let ready: HashSet<BeadId> = order.iter().cloned().collect();
        let mut beads = Graph::new(&rows).beads(&ListFilter::open(), |row| ready.contains(&row.id));
        beads.retain(|bead| bead.ready);
        let places: HashMap<&BeadId, usize> = order.iter().enumerate().map(|(n, id)| (id, n)).collect();
        beads.sort_by_key(|bead| places.get(&bead.id).copied());
        Ok(beads)
    }

    fn in_progress(&self, assignee: Option<&str>) -> Result<Vec<Bead>, TrackerError> {
        let turn = self.cli.turn();
        let maps = self.dialect.in_progress(&turn, assignee).map_err(self.explain("list", None))?;
        // Unreadable beads are skipped here; the full list reports them.
        let rows = maps.iter().filter_map(|map| Row::read(map).ok()).filter(|row| !row.system && !row.pinned);
        Ok(latest_of(rows.map(|row| bead_of(&row)).collect(), assignee))
    }

    fn blocked(&self) -> Result<Vec<Bead>, TrackerError> {
        let turn = self.cli.turn();
        let maps = self.dialect.blocked(&turn).map_err(self.explain("blocked", None))?;
        let waiting: HashMap<BeadId, Row> =
            maps.iter().filter_map(|map| Row::read(map).ok()).map(|row| (row.id.clone(), row)).collect();
        let (rows, _) = self.everything(&turn)?;
        let mut beads = Graph::new(&rows).beads(&ListFilter::open(), |_| false);
        beads.retain_mut(|bead| match waiting.get(&bead.id) {
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
        let row = self.take_answer(id).map_or_else(|| self.read_whole_bead(&turn, id), Ok)?;
        self.after(&turn, &row)
    }

    fn texts(&self, found: &mut dyn FnMut(BeadId, Texts)) -> Result<(), TrackerError> {
        let rows = match self.kind() {
            TrackerKind::Bd => exchange_bd::rows(&self.cli)?,
            // br keeps its file current.
            _ => maps(&place::jsonl_file(&self.cli.beads_dir))?,
        };
        rows.iter().filter_map(texts_of).for_each(|(id, texts)| found(id, texts));
        Ok(())
    }

    fn dependencies(&self) -> Result<Vec<Dependency>, TrackerError> {
        Ok(Dependency::of_rows(&self.everything(&self.cli.turn())?.0))
    }

    fn create(&self, new: &NewBead, actor: &Actor) -> Result<BeadDetail, TrackerError> {
        check_new(new)?;
        self.dialect.check_title(&new.title)?;
        let turn = self.cli.turn();
        let request = self.dialect.create(new, actor);
        let before = self.mark();
        let value = turn.ask(&request).map_err(self.explain("create", None))?;
        let said = value.to_string();
        let made = json::objects(value).and_then(|maps| maps.into_iter().next()).unwrap_or_default();
        let id = json::ids(std::slice::from_ref(&made)).pop();
        let id = id.ok_or_else(|| self.cli.unreadable("create", &said))?;
        for request in self.dialect.after_create(&id, new, actor) {
            ask(&turn, &request, Some(&id))?;
        }
        let row = self.made(before.as_deref(), &made, new).map_or_else(|| self.read_bead(&turn, &id), Ok)?;
        match new_difference(&row, new) {
            None => self.after(&turn, &row),
            Some(found) => Err(TrackerError::NotPersisted { operation: "creating", id, found }),
        }
    }

    fn claim(&self, id: &BeadId, actor: &Actor) -> Result<Bead, TrackerError> {
        let turn = self.cli.turn();
        let row = self.read_open_bead(&turn, id)?;
        let mine = |held: &str| match row.stored_status {
            BeadStatus::Open => actor.may_take_open(Some(held)),
            _ => actor.may_take_started(held),
        };
        let other_name = row.assignee.as_deref().filter(|held| *held != actor.as_str());
        if let Some(by) = other_name.filter(|held| !mine(held)) {
            return Err(TrackerError::ClaimedByOther { id: id.clone(), by: by.to_owned() });
        }
        if row.status() == BeadStatus::InReview {
            return refused("claiming", id, "it is in review; set it in progress first");
        }
        if let Some(name) = other_name {
            ask(&turn, &self.dialect.hand_over(id, name, actor), Some(id))?;
        }
        let row = self.change(&turn, &self.dialect.claim(id, actor), id)?;
        match row.assignee.as_deref() {
            Some(held) if held == actor.as_str() && row.stored_status == BeadStatus::InProgress => {
                // A reopened bead may still have the label of an earlier review.
                self.drop_review_label(&turn, &row, actor)?;
                let row = if row.has_review_label() { self.read_bead(&turn, id)? } else { row };
                let bead = detail(&row).bead;
                self.keep_answer(row);
                Ok(bead)
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

    fn unclaim(&self, id: &BeadId, actor: &Actor, before: Option<&str>) -> Result<Bead, TrackerError> {
        let turn = self.cli.turn();
        let row = self.read_open_bead(&turn, id)?;
        match row.assignee.as_deref() {
            Some(held) if held == actor.as_str() => {}
            Some(held) => {
                return Err(TrackerError::ClaimedByOther { id: id.clone(), by: held.to_owned() });
            }
            None => return Ok(self.after(&turn, &row)?.bead),
        }
        let row = self.change(&turn, &self.dialect.unclaim(id, actor, before), id)?;
        let before = before.filter(|name| !name.is_empty());
        let is_stored = row.stored_status == BeadStatus::Open && row.assignee.as_deref() == before;
        let found = format!("the state {} and another holder", row.stored_status.as_str());
        check_stored(is_stored, "releasing", id, found)?;
        Ok(self.answered(&turn, row)?.bead)
    }

    fn renew_claim(&self, id: &BeadId, actor: &Actor) -> Result<(), TrackerError> {
        let Some(request) = self.dialect.renew(id, actor) else { return Ok(()) };
        match self.cli.turn().ask(&request) {
            // Versions without expiring claims need no renewal.
            Err(CallError::Refused(refusal)) if refusal.message.contains("unknown command") => Ok(()),
            answer => answer.map(|_| ()).map_err(self.explain("heartbeat", Some(id))),
        }
    }

    fn set_status(&self, id: &BeadId, status: &BeadStatus, actor: &Actor) -> Result<Bead, TrackerError> {
        let turn = self.cli.turn();
        match status {
            BeadStatus::InReview => return self.submit_in(&turn, id, CustomStatus::Ask, actor),
            BeadStatus::Closed => return self.close_in(&turn, id, &Close::default(), actor),
            BeadStatus::Tombstone => {
                return refused("deleting", id, "a bead is deleted with its tracker's own command");
            }
            _ => {}
        }
        let row = self.read_bead(&turn, id)?;
        self.drop_review_label(&turn, &row, actor)?;
        self.move_to(&turn, row, &[self.dialect.status(id, status, actor)], status, "moving")
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
        self.comment(&self.cli.turn(), id, text, actor)
    }

    fn set_notes(&self, id: &BeadId, text: &str, actor: &Actor) -> Result<(), TrackerError> {
        self.write_notes(id, text, |_| self.dialect.set_notes(id, text, actor), str::eq)
    }

    fn append_notes(&self, id: &BeadId, text: &str, actor: &Actor) -> Result<(), TrackerError> {
        check_words("notes", text)?;
        let append = |now: &str| self.dialect.append_notes(id, text, now, actor);
        self.write_notes(id, text, append, |notes, text| notes.ends_with(text))
    }

    fn capabilities(&self) -> Result<Capabilities, TrackerError> {
        // bd keeps types in config.yaml, and statuses in its database, whose changes alter the mark.
        let config = std::fs::metadata(self.cli.beads_dir.join("config.yaml"));
        let config = config.ok().and_then(|config| Some((config.len(), config.modified().ok()?)));
        let mark = self.mark().map(|mark| format!("{mark} {config:?}"));
        let mut known = self.capabilities.lock().unwrap_or_else(PoisonError::into_inner);
        if let (Some((at, capabilities)), Some(mark)) = (known.as_ref(), &mark)
            && at == mark
        {
            return Ok(capabilities.clone());
        }
        let read = self.dialect.capabilities(&self.cli.turn()).map_err(self.explain("types", None))?;
        *known = mark.map(|mark| (mark, read.clone()));
        Ok(read)
    }

    fn update(
        &self,
        id: &BeadId,
        changes: &FieldChanges,
        expected: Option<Timestamp>,
        actor: &Actor,
    ) -> Result<BeadDetail, TrackerError> {
        check_changes(changes)?;
        self.change_fields(&self.cli.turn(), id, changes, expected, actor)
    }

    fn reopen(&self, id: &BeadId, actor: &Actor) -> Result<Bead, TrackerError> {
        let turn = self.cli.turn();
        let row = self.read_bead(&turn, id)?;
        if row.stored_status != BeadStatus::Closed {
            return refused("reopening", id, "it is not closed");
        }
        self.drop_review_label(&turn, &row, actor)?;
        self.move_to(&turn, row, &[self.dialect.reopen(id, actor)], &BeadStatus::Open, "reopening")
    }

    fn delete(&self, id: &BeadId, actor: &Actor) -> Result<bool, TrackerError> {
        self.delete_now(id, actor).map(|()| false)
    }

    fn undelete(&self, _id: &BeadId, _actor: &Actor) -> Result<BeadDetail, TrackerError> {
        Err(TrackerError::Unsupported { why: format!("{} deletes beads for good", self.cli.name) })
    }

    fn add_dependency(
        &self,
        id: &BeadId,
        on: &BeadId,
        kind: &str,
        actor: &Actor,
    ) -> Result<(), TrackerError> {
        check_dependency(kind)?;
        self.depend(id, on, kind, actor)
    }

    fn remove_dependency(&self, id: &BeadId, on: &BeadId, actor: &Actor) -> Result<(), TrackerError> {
        self.undepend(id, on, actor)
    }

    fn events(&self, id: &BeadId) -> Result<Vec<TrackerEvent>, TrackerError> {
        let turn = self.cli.turn();
        self.read_bead(&turn, id)?;
        self.dialect.events(&turn, id).map_err(self.explain("history", Some(id)))
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
