//! What waits for what, over all rows of a tracker; and readiness where no program computes it.
//!
//! The rule for readiness is bd's, not br's: a bead in progress is not ready, a blocker that is not
//! there does not block, and a parent that is put off hides its children.

use crate::{
    page::{detail, plain},
    row::Row,
    tracker::ListFilter,
};
use bc_core::{
    Timestamp,
    bead::{Bead, BeadDetail, BeadLink, BeadStatus, LinkDirection},
    ids::BeadId,
};
use std::collections::HashMap;

/// How far up a blocked ancestor is looked for; bd's own bound.
const MAX_DEPTH: usize = 50;

/// Rows with their edges in both directions.
pub(crate) struct Graph<'a> {
    rows: &'a [Row],
    by_id: HashMap<&'a BeadId, &'a Row>,
    children: HashMap<&'a BeadId, Vec<&'a Row>>,
    waiting: HashMap<&'a BeadId, Vec<&'a Row>>,
}

impl<'a> Graph<'a> {
    pub(crate) fn new(rows: &'a [Row]) -> Graph<'a> {
        let mut graph = Graph {
            rows,
            by_id: HashMap::with_capacity(rows.len()),
            children: HashMap::new(),
            waiting: HashMap::new(),
        };
        for row in rows {
            graph.by_id.insert(&row.id, row);
            if let Some(parent) = &row.parent {
                graph.children.entry(parent).or_default().push(row);
            }
            for edge in row.depends_on.iter().filter(|edge| edge.blocks()) {
                let waiting = graph.waiting.entry(&edge.id).or_default();
                if waiting.last().is_none_or(|last| last.id != row.id) {
                    waiting.push(row);
                }
            }
        }
        graph
    }

    /// The open beads that this one waits for itself.
    pub(crate) fn blockers(&self, row: &Row) -> Vec<BeadId> {
        if !row.is_active() {
            return Vec::new();
        }
        let mut blockers: Vec<BeadId> = Vec::new();
        for edge in row.depends_on.iter().filter(|edge| edge.blocks()) {
            let holds = match edge.kind.as_str() {
                "waits-for" => self.holds_by_children(&edge.id, edge.any_child),
                _ => self.by_id.get(&edge.id).is_some_and(|blocker| blocker.is_active()),
            };
            if holds && !blockers.contains(&edge.id) {
                blockers.push(edge.id.clone());
            }
        }
        blockers
    }

    /// A fan-out holds until all its children are done, or one where one is enough.
    fn holds_by_children(&self, spawner: &BeadId, any_child: bool) -> bool {
        let children = self.children.get(spawner).map_or(&[][..], Vec::as_slice);
        let active = children.iter().filter(|child| child.is_active()).count();
        active > 0 && !(any_child && active < children.len())
    }

    /// Whether it, or something that it is a part of, waits.
    pub(crate) fn is_blocked(&self, row: &Row) -> bool {
        let mut at = Some(row);
        for _ in 0..MAX_DEPTH {
            let Some(row) = at else { return false };
            if !self.blockers(row).is_empty() {
                return true;
            }
            at = row.parent.as_ref().and_then(|parent| self.by_id.get(parent).copied());
        }
        false
    }

    /// Whether it can be started now.
    pub(crate) fn is_ready(&self, row: &Row, now: Timestamp) -> bool {
        let put_off = |row: &Row| row.defer_until.is_some_and(|until| until > now);
        let parent = row.parent.as_ref().and_then(|parent| self.by_id.get(parent));
        row.stored_status == BeadStatus::Open
            && !row.pinned
            && !row.system
            && !put_off(row)
            && !parent.is_some_and(|parent| put_off(parent))
            && !self.is_blocked(row)
    }

    /// The beads that the filter lets through, by priority, then oldest first.
    pub(crate) fn beads(&self, filter: &ListFilter, is_ready: impl Fn(&Row) -> bool) -> Vec<Bead> {
        self.in_order(filter).into_iter().map(|row| self.bead(row, is_ready(row))).collect()
    }

    /// Their rows.
    pub(crate) fn in_order(&self, filter: &ListFilter) -> Vec<&'a Row> {
        let mut rows: Vec<&Row> = self.rows.iter().filter(|row| filter.lets_through(row)).collect();
        rows.sort_by(|a, b| (a.priority, a.created_at, &a.id).cmp(&(b.priority, b.created_at, &b.id)));
        rows
    }

    /// A row as lists show it. What the tracker counts as ready waits for nothing, whatever custom
    /// states its blockers are in.
    pub(crate) fn bead(&self, row: &Row, ready: bool) -> Bead {
        let waiting = self.waiting.get(&row.id).map_or(&[][..], Vec::as_slice);
        Bead {
            blocked_by: if ready { Vec::new() } else { self.blockers(row) },
            unblocks: waiting
                .iter()
                .filter(|other| self.blockers(other).contains(&row.id))
                .map(|other| other.id.clone())
                .collect(),
            ready,
            ..plain(row)
        }
    }

    /// A row as its page shows it.
    pub(crate) fn detail(&self, row: &Row, ready: bool) -> BeadDetail {
        let mut whole = row.clone();
        for edge in &mut whole.depends_on {
            if let Some(other) = self.by_id.get(&edge.id) {
                edge.title.clone_from(&other.title);
                edge.status = Some(other.status());
                edge.issue_type = Some(other.issue_type.clone());
            }
        }
        let mut detail = detail(&whole);
        detail.bead = self.bead(row, ready);
        for other in self.rows {
            for edge in other.depends_on.iter().filter(|edge| edge.id == row.id) {
                detail.links.push(BeadLink {
                    id: other.id.clone(),
                    title: other.title.clone(),
                    status: Some(other.status()),
                    issue_type: Some(other.issue_type.clone()),
                    kind: edge.kind.clone(),
                    direction: LinkDirection::DependedOnBy,
                });
            }
        }
        detail
    }
}

impl ListFilter {
    fn lets_through(&self, row: &Row) -> bool {
        let status = row.status();
        match status {
            BeadStatus::Tombstone => return false,
            BeadStatus::Closed if !self.closed => return false,
            BeadStatus::Pinned if !self.pinned => return false,
            _ => {}
        }
        (self.pinned || !row.pinned)
            && (self.system || !row.system)
            && (self.statuses.is_empty() || self.statuses.contains(&status))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn rows(values: &[Value]) -> Vec<Row> {
        values.iter().map(|value| Row::read(value.as_object().unwrap()).unwrap()).collect()
    }

    fn needs(id: &str, kind: &str) -> Value {
        json!({"depends_on_id": id, "type": kind})
    }

    fn ready_of(values: &[Value]) -> Vec<String> {
        let rows = rows(values);
        let graph = Graph::new(&rows);
        let now = chrono::DateTime::parse_from_rfc3339("2026-01-01T00:00:00Z").unwrap();
        rows.iter().filter(|row| graph.is_ready(row, now)).map(|row| row.id.to_string()).collect()
    }

    #[test]
    fn a_bead_waits_for_open_blockers_and_not_for_closed_pinned_or_missing_ones() {
        let blocker = |id: &str, status: &str| json!({"id": id, "status": status});
        let all = [
            blocker("o", "open"),
            blocker("c", "closed"),
            blocker("p", "pinned"),
            json!({"id": "a", "dependencies": [needs("o", "blocks")]}),
            json!({"id": "b", "dependencies": [needs("c", "blocks"), needs("p", "blocks"), needs("gone", "blocks")]}),
            json!({"id": "d", "dependencies": [needs("o", "related"), needs("o", "discovered-from")]}),
        ];
        assert_eq!(ready_of(&all), ["o", "b", "d"]);
        let rows = rows(&all);
        let graph = Graph::new(&rows);
        let beads = graph.beads(&ListFilter::open(), |_| false);
        let by_id = |id: &str| beads.iter().find(|bead| bead.id.as_str() == id).unwrap();
        assert_eq!(by_id("a").blocked_by[0].as_str(), "o");
        assert_eq!(by_id("o").unblocks[0].as_str(), "a");
        assert!(by_id("b").blocked_by.is_empty());
    }

    #[test]
    fn a_part_of_something_blocked_is_not_ready_and_a_loop_of_parents_ends() {
        let all = [
            json!({"id": "o"}),
            json!({"id": "e", "dependencies": [needs("o", "blocks")]}),
            json!({"id": "e.1", "dependencies": [needs("e", "parent-child")]}),
            json!({"id": "e.1.1", "dependencies": [needs("e.1", "parent-child")]}),
            json!({"id": "x", "dependencies": [needs("y", "parent-child")]}),
            json!({"id": "y", "dependencies": [needs("x", "parent-child")]}),
        ];
        assert_eq!(ready_of(&all), ["o", "x", "y"]);
    }

    #[test]
    fn what_is_put_off_hides_its_direct_parts() {
        let all = [
            json!({"id": "e", "defer_until": "2030-01-01T00:00:00Z"}),
            json!({"id": "e.1", "parent": "e"}),
            json!({"id": "e.1.1", "parent": "e.1"}),
            json!({"id": "p", "defer_until": "2020-01-01T00:00:00Z"}),
        ];
        assert_eq!(ready_of(&all), ["e.1.1", "p"]);
    }

    #[test]
    fn a_fan_out_holds_until_its_children_are_done() {
        let all = [
            json!({"id": "s", "status": "closed"}),
            json!({"id": "s.1", "parent": "s", "status": "in_progress"}),
            json!({"id": "s.2", "parent": "s", "status": "closed"}),
            json!({"id": "w", "dependencies": [needs("s", "waits-for")]}),
            json!({"id": "v", "dependencies": [
                {"depends_on_id": "s", "type": "waits-for", "metadata": "{\"gate\":\"any-children\"}"}]}),
        ];
        assert_eq!(ready_of(&all), ["v"]);
    }

    #[test]
    fn memories_gates_wisps_and_what_is_in_progress_are_never_ready() {
        let all = [
            json!({"id": "m", "status": "pinned"}),
            json!({"id": "g", "issue_type": "gate"}),
            json!({"id": "w", "ephemeral": true}),
            json!({"id": "t", "is_template": true}),
            json!({"id": "f", "pinned": true}),
            json!({"id": "i", "status": "in_progress"}),
            json!({"id": "r"}),
        ];
        assert_eq!(ready_of(&all), ["r"]);
        let rows = rows(&all);
        let ids = |filter: &ListFilter| -> Vec<String> {
            Graph::new(&rows).beads(filter, |_| false).iter().map(|b| b.id.to_string()).collect()
        };
        assert_eq!(ids(&ListFilter::board()), ["i", "r"]);
        assert_eq!(ids(&ListFilter::everything()).len(), 7);
    }
}
