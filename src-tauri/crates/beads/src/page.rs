//! One row as the rest of the program sees it.

use crate::row::{Edge, Row, is_active};
use bc_core::bead::{Bead, BeadDetail, BeadLink, LinkDirection};

/// A row from `show`, which brings its neighbours along.
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
    let links = row.depends_on.iter().map(|edge| link(edge, LinkDirection::DependsOn));
    let links = links.chain(row.depended_on_by.iter().map(|edge| link(edge, LinkDirection::DependedOnBy)));
    BeadDetail {
        bead: Bead { blocked_by: near(&row.depends_on), unblocks: near(&row.depended_on_by), ..plain(row) },
        description: row.description.clone(),
        design: row.design.clone(),
        acceptance_criteria: row.acceptance_criteria.clone(),
        notes: row.notes.clone(),
        close_reason: row.close_reason.clone(),
        links: links.collect(),
        comments: row.comments.clone(),
    }
}

/// A row without what other rows say of it.
pub(crate) fn plain(row: &Row) -> Bead {
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
        created_at: row.created_at,
        updated_at: row.updated_at,
        closed_at: row.closed_at,
    }
}
