//! Converts a row to the domain's bead types.

use crate::{
    not_ready::{reasons, until},
    row::{Edge, Row, is_active},
};
use bc_core::{
    bead::{Bead, BeadDetail, BeadLink, LinkDirection, NotReady},
    query::Texts,
};
use chrono::Utc;

/// The bead and its neighbours, from a row of `show`.
pub(crate) fn detail(row: &Row) -> BeadDetail {
    let link = |edge: &Edge, direction| BeadLink {
        id: edge.id.clone(),
        title: edge.title.clone(),
        status: edge.status.clone(),
        issue_type: edge.issue_type.clone(),
        kind: edge.kind.clone(),
        direction,
    };
    let holding = |edge: &&Edge| edge.blocks() && edge.status.as_ref().is_some_and(is_active);
    let near = |edges: &[Edge]| match row.is_active() {
        true => edges.iter().filter(holding).map(|edge| edge.id.clone()).collect(),
        false => Vec::new(),
    };
    let blocked_by = |edge: &Edge| NotReady::BlockedBy {
        id: edge.id.clone(),
        title: edge.title.clone(),
        issue_type: edge.issue_type.clone().unwrap_or_default(),
        kind: edge.kind.clone(),
        parent: None,
    };
    let waiting = row.depends_on.iter().filter(holding).map(blocked_by).collect();
    let put_off = until(row, Utc::now().fixed_offset()).map(|until| (until, None));
    let links = row.depends_on.iter().map(|edge| link(edge, LinkDirection::DependsOn));
    let links = links.chain(row.depended_on_by.iter().map(|edge| link(edge, LinkDirection::DependedOnBy)));
    BeadDetail {
        bead: Bead {
            blocked_by: near(&row.depends_on),
            unblocks: near(&row.depended_on_by),
            not_ready: reasons(row, waiting, put_off),
            ..bead_of(row)
        },
        description: row.description.clone(),
        design: row.design.clone(),
        acceptance_criteria: row.acceptance_criteria.clone(),
        notes: row.notes.clone(),
        close_reason: row.close_reason.clone(),
        external_ref: row.external_ref.clone(),
        created_by: row.created_by.clone(),
        links: links.collect(),
        comments: row.comments.clone(),
    }
}

/// The text of a row that queries search.
pub(crate) fn texts(row: &Row) -> Texts {
    let has = |text: &str| !text.trim().is_empty();
    Texts {
        description: row.description.clone(),
        comments: row.comments.iter().map(|comment| comment.text.clone()).collect(),
        design: has(&row.design),
        acceptance: has(&row.acceptance_criteria),
        notes: has(&row.notes),
        reference: row.external_ref.as_deref().is_some_and(has),
    }
}

/// The bead of a row, without the data that depends on other rows.
pub(crate) fn bead_of(row: &Row) -> Bead {
    Bead {
        id: row.id.clone(),
        title: row.title.clone(),
        status: row.status(),
        priority: row.priority,
        issue_type: row.issue_type.clone(),
        assignee: row.assignee.clone(),
        labels: row.labels.clone(),
        parent: row.parent.clone(),
        blocked_by: Vec::new(),
        unblocks: Vec::new(),
        ready: false,
        not_ready: Vec::new(),
        created_at: row.created_at,
        updated_at: row.updated_at,
        closed_at: row.closed_at,
        due_at: row.due_at,
        defer_until: row.defer_until,
        estimated_minutes: row.estimated_minutes,
    }
}
