//! Edits of fields and dependencies in the embedded store. Each is checked and written under the file's lock.

use super::{
    config,
    embedded::{Embedded, alive},
    snapshot::Snapshot,
};
use crate::{
    Actor, TrackerError, cycles,
    error::refused,
    kinds::{self, full_type, is_known_type},
    row::Row,
    tracker::{Capabilities, Deletion, FieldChanges},
};
use bc_core::{Timestamp, bead::BeadStatus, ids::BeadId};

/// Built-in statuses that a bead can be set to.
const STATUSES: [BeadStatus; 5] =
    [BeadStatus::Open, BeadStatus::InProgress, BeadStatus::Blocked, BeadStatus::Deferred, BeadStatus::Pinned];

impl Embedded {
    pub(super) fn can(&self) -> Capabilities {
        let beads_dir = &self.place.beads_dir;
        let mut types: Vec<String> = kinds::TYPES.map(str::to_owned).into();
        types.extend(config::custom_types(beads_dir));
        let mut statuses = STATUSES.to_vec();
        statuses.extend(config::custom_statuses(beads_dir));
        Capabilities {
            unsupported: Vec::new(),
            types,
            statuses,
            dependency_kinds: kinds::DEPENDENCIES.map(str::to_owned).into(),
            delete: Deletion::Undoable,
            audit: "The beads file records when a bead was created and closed, and its comments.".to_owned(),
        }
    }

    /// Checks bd's rule: a type is built in, or is in the configuration.
    pub(super) fn check_type(&self, issue_type: &str) -> Result<(), TrackerError> {
        let custom = || config::custom_types(&self.place.beads_dir);
        if is_known_type(issue_type) || custom().iter().any(|custom| custom == issue_type) {
            return Ok(());
        }
        let known = kinds::TYPES.join(", ");
        let why =
            format!("{issue_type} is not one of {known}; add others to types.custom in .beads/config.yaml");
        Err(TrackerError::InvalidInput { field: "type", why })
    }

    pub(super) fn check_status(&self, status: &BeadStatus) -> Result<(), TrackerError> {
        if !matches!(status, BeadStatus::Other(_) | BeadStatus::Tombstone)
            || config::custom_statuses(&self.place.beads_dir).contains(status)
        {
            return Ok(());
        }
        let why = format!(
            "{} is no status that a bead can have here; add it to status.custom in .beads/config.yaml",
            status.as_str()
        );
        Err(TrackerError::InvalidInput { field: "status", why })
    }

    pub(super) fn change_fields(
        &self,
        id: &BeadId,
        changes: &FieldChanges,
        expected: Option<Timestamp>,
        actor: &Actor,
    ) -> Result<(), TrackerError> {
        let full = |issue_type: &String| full_type(issue_type).to_owned();
        let changes = FieldChanges { issue_type: changes.issue_type.as_ref().map(full), ..changes.clone() };
        self.change(id, "changing", |row, edit, snapshot| {
            if expected.is_some_and(|expected| row.updated_at != Some(expected)) {
                return Err(TrackerError::Changed { id: id.clone() });
            }
            // A bead may keep an unknown type or status that it already has.
            if let Some(issue_type) = changes.issue_type.as_ref().filter(|new| **new != row.issue_type) {
                self.check_type(issue_type)?;
            }
            if let Some(status) = changes.status.as_ref().filter(|new| **new != row.stored_status) {
                self.check_status(status)?;
            }
            if let Some(Some(parent)) = changes.parent.as_ref().filter(|parent| **parent != row.parent) {
                may_depend(row, parent, "parent-child", snapshot)?;
            }
            Ok(Some(edit.fields(&changes, row, actor)))
        })
    }

    pub(super) fn depend(
        &self,
        id: &BeadId,
        on: &BeadId,
        kind: &str,
        actor: &Actor,
    ) -> Result<(), TrackerError> {
        self.change(id, "linking", |row, edit, snapshot| {
            if row.depends_on.iter().any(|edge| edge.id == *on && edge.kind == kind) {
                return Ok(None);
            }
            may_depend(row, on, kind, snapshot)?;
            match (kind, &row.parent) {
                ("parent-child", Some(parent)) => {
                    refused("linking", id, format!("its parent is {parent}; change the parent instead"))
                }
                ("parent-child", None) => Ok(Some(edit.parent(Some(on), actor))),
                _ => Ok(Some(edit.with_edge(on, kind, actor))),
            }
        })
    }

    pub(super) fn undepend(&self, id: &BeadId, on: &BeadId, actor: &Actor) -> Result<(), TrackerError> {
        self.change(id, "unlinking", |row, edit, _| {
            let is_parent = row.parent.as_ref() == Some(on);
            if !is_parent && !row.depends_on.iter().any(|edge| edge.id == *on) {
                return refused("unlinking", id, format!("it does not depend on {on}"));
            }
            let edit = if is_parent { edit.parent(None, actor) } else { edit };
            Ok(Some(edit.without_edges(|_, target| target == on.as_str())))
        })
    }
}

/// Checks the rules that bd and br share: both beads exist, at most one dependency per pair, no cycle.
fn may_depend(row: &Row, on: &BeadId, kind: &str, snapshot: &Snapshot) -> Result<(), TrackerError> {
    alive(snapshot, on)?;
    if let Some(edge) = row.depends_on.iter().find(|edge| edge.id == *on && edge.kind != kind) {
        let why = format!("it depends on {on} already, as {}; remove that first", edge.kind);
        return refused("linking", &row.id, why);
    }
    let rows = snapshot.all().map(|(row, _)| row).filter(|row| row.stored_status != BeadStatus::Tombstone);
    cycles::refuse(rows, &row.id, on, kind)
}
