//! The dependency graph over all rows of a tracker.

use crate::{
    facts::Facts,
    page::{bead_of, detail},
    readiness::{Derived, Links},
    row::Row,
    tracker::ListFilter,
};
use bc_core::{
    Timestamp,
    bead::{Bead, BeadDetail, BeadLink, BeadStatus, LinkDirection},
    ids::BeadId,
};
use chrono::Utc;
use std::collections::HashMap;

/// Rows with their edges in both directions.
pub(crate) struct Graph<'a> {
    rows: &'a [Row],
    /// The time for the reasons in `not_ready`: a deferral counts if it ends later. The callers determine readiness.
    now: Timestamp,
    by_id: HashMap<&'a BeadId, &'a Row>,
    children: HashMap<&'a BeadId, Vec<&'a Row>>,
    waiting: HashMap<&'a BeadId, Vec<&'a Row>>,
}

impl<'a> Graph<'a> {
    pub(crate) fn new(rows: &'a [Row]) -> Graph<'a> {
        Graph::at(rows, Utc::now().fixed_offset())
    }

    pub(crate) fn at(rows: &'a [Row], now: Timestamp) -> Graph<'a> {
        let mut graph = Graph {
            rows,
            now,
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

    /// The beads that match the filter, by priority, then oldest first.
    pub(crate) fn beads(&self, filter: &ListFilter, is_ready: impl Fn(&Row) -> bool) -> Vec<Bead> {
        let matches = |row: &&Row| filter.accepts(&row.status(), *row, &row.labels);
        let mut rows: Vec<&Row> = self.rows.iter().filter(matches).collect();
        rows.sort_by(|a, b| (a.priority, a.created_at, &a.id).cmp(&(b.priority, b.created_at, &b.id)));
        rows.into_iter().map(|row| self.bead(row, is_ready(row))).collect()
    }

    /// The bead of a row as lists show it.
    fn bead(&self, row: &'a Row, ready: bool) -> Bead {
        let Derived { ready, blocked_by, unblocks, not_ready } = self.derived(row, ready, self.now);
        Bead { ready, blocked_by, unblocks, not_ready, ..bead_of(row) }
    }

    pub(crate) fn detail(&self, row: &'a Row, ready: bool) -> BeadDetail {
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

impl Links for Graph<'_> {
    type Node = Row;

    fn get(&self, id: &BeadId) -> Option<&Row> {
        self.by_id.get(id).copied()
    }

    fn children(&self, of: &BeadId) -> impl Iterator<Item = &Row> {
        self.children.get(of).into_iter().flatten().copied()
    }

    fn waiting(&self, on: &Row) -> impl Iterator<Item = &Row> {
        self.waiting.get(&on.id).into_iter().flatten().copied()
    }
}

impl ListFilter {
    /// Whether the filter accepts a bead with this displayed status.
    pub(crate) fn accepts(&self, status: &BeadStatus, facts: &impl Facts, labels: &[String]) -> bool {
        match status {
            BeadStatus::Tombstone => return false,
            BeadStatus::Closed if !self.closed => return false,
            BeadStatus::Pinned if !self.pinned => return false,
            _ => {}
        }
        (self.pinned || !facts.is_pinned())
            && (self.memories || !bc_core::memory::is_memory(labels))
            && (self.system || !facts.is_system())
            && (self.statuses.is_empty() || self.statuses.contains(status))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bc_core::bead::NotReady;
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
    fn children_of_blocked_beads_are_not_ready_and_cycles_of_parents_end() {
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
    fn a_deferred_bead_hides_its_direct_children() {
        let all = [
            json!({"id": "e", "defer_until": "2030-01-01T00:00:00Z"}),
            json!({"id": "e.1", "parent": "e"}),
            json!({"id": "e.1.1", "parent": "e.1"}),
            json!({"id": "p", "defer_until": "2020-01-01T00:00:00Z"}),
        ];
        assert_eq!(ready_of(&all), ["e.1.1", "p"]);
    }

    #[test]
    fn waits_for_blocks_until_all_or_any_children_are_done() {
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

    /// The reasons why a bead is not ready, as text.
    fn reasons_of(values: &[Value], id: &str) -> Vec<String> {
        let rows = rows(values);
        let graph = Graph::new(&rows);
        let beads = graph.beads(&ListFilter::everything(), |row| graph.is_ready(row, graph.now));
        let bead = beads.iter().find(|bead| bead.id.as_str() == id).unwrap();
        assert_eq!(bead.ready, bead.not_ready.is_empty());
        let word = |reason: &NotReady| match reason {
            NotReady::Status { status } => format!("status {}", status.as_str()),
            NotReady::BlockedBy { id, title, issue_type, kind, parent } => {
                format!("{kind} {issue_type} {id} {title} {}", parent.as_ref().map_or("", BeadId::as_str))
            }
            NotReady::Deferred { until, parent } => {
                format!("until {} {}", until.date_naive(), parent.as_ref().map_or("", BeadId::as_str))
            }
            NotReady::Assigned { to } => format!("assigned {to}"),
            NotReady::Kind { issue_type } => format!("kind {issue_type}"),
        };
        bead.not_ready.iter().map(word).collect()
    }

    #[test]
    fn a_bead_lists_the_reasons_why_it_is_not_ready() {
        let all = [
            json!({"id": "o", "title": "First"}),
            json!({"id": "g", "title": "CI is green", "issue_type": "gate"}),
            json!({"id": "h", "status": "hooked", "assignee": "rig/polecat"}),
            json!({"id": "b", "status": "blocked"}),
            json!({"id": "e", "assignee": "mara", "dependencies": [needs("o", "blocks"), needs("g", "blocks")]}),
            json!({"id": "e.1", "parent": "e"}),
            json!({"id": "d", "defer_until": "2999-01-01T00:00:00Z"}),
            json!({"id": "d.1", "parent": "d"}),
            json!({"id": "r", "assignee": "mara"}),
            json!({"id": "w", "dependencies": [needs("e", "waits-for")]}),
        ];
        let reasons = |id| reasons_of(&all, id);
        assert_eq!(reasons("h"), ["status hooked", "assigned rig/polecat"]);
        assert_eq!(reasons("b"), ["status blocked"]);
        assert_eq!(reasons("e"), ["blocks task o First ", "blocks gate g CI is green ", "assigned mara"]);
        assert_eq!(reasons("e.1"), ["blocks task o First e", "blocks gate g CI is green e"]);
        assert_eq!(reasons("d"), ["until 2999-01-01 "]);
        assert_eq!(reasons("d.1"), ["until 2999-01-01 d"]);
        assert_eq!(reasons("w"), ["waits-for task e  "]);
        assert_eq!(reasons("g"), ["kind gate"]);
        assert!(reasons("r").is_empty(), "an assignee alone keeps no bead from being ready");
    }

    #[test]
    fn every_open_bead_of_a_real_file_is_ready_or_has_a_reason() {
        let data = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/beads");
        let mut hooked = 0;
        for file in std::fs::read_dir(data).unwrap().map(|entry| entry.unwrap().path()) {
            if file.extension().is_none_or(|ending| ending != "jsonl") {
                continue;
            }
            let rows = crate::jsonl::Snapshot::parse(&std::fs::read(&file).unwrap()).into_rows();
            let graph = Graph::new(&rows);
            for bead in graph.beads(&ListFilter::open(), |row| graph.is_ready(row, graph.now)) {
                let open = !matches!(bead.status, BeadStatus::InProgress | BeadStatus::InReview);
                assert_eq!(bead.ready || !open, bead.not_ready.is_empty(), "{}", bead.id);
                hooked += usize::from(bead.status == BeadStatus::Other("hooked".into()));
            }
        }
        assert!(hooked > 0, "the samples have hooked beads");
    }

    #[test]
    fn memories_gates_wisps_and_beads_in_progress_are_never_ready() {
        let all = [
            json!({"id": "m", "status": "pinned"}),
            json!({"id": "k", "status": "pinned", "labels": ["memory:learning", "agent:me"]}),
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
        assert_eq!(ids(&ListFilter::everything()).len(), 8);
        assert_eq!(ids(&ListFilter::all_but_memories()), ["f", "g", "i", "m", "r", "t", "w"]);
    }
}
