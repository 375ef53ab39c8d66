//! The rules for readiness, for trackers that do not compute it, and the reasons why a bead is not ready.
//! Works on any collection of beads with their links. Performs no I/O.
//!
//! The rule is bd's, not br's: a bead in progress is not ready, a missing blocker does not block, and a
//! deferred parent hides its children.

use crate::{
    facts::Facts,
    not_ready::{reasons, until},
    row::Edge,
};
use bc_core::{
    Timestamp,
    bead::{BeadStatus, NotReady},
    ids::BeadId,
};

/// The maximum number of ancestors that are searched for a blocked one, as in bd.
pub(crate) const MAX_DEPTH: usize = 50;
/// The maximum number of blockers that are listed as reasons; `blocked_by` has all blockers.
const MOST_BLOCKERS: usize = 8;

/// The data of a bead's list entry that depends on other beads and on the time.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Derived {
    pub(crate) ready: bool,
    pub(crate) blocked_by: Vec<BeadId>,
    pub(crate) unblocks: Vec<BeadId>,
    pub(crate) not_ready: Vec<NotReady>,
}

/// Beads with their links in both directions.
pub(crate) trait Links {
    type Node: Facts;

    fn get(&self, id: &BeadId) -> Option<&Self::Node>;
    /// The bead's children.
    fn children(&self, of: &BeadId) -> impl Iterator<Item = &Self::Node>;
    /// The beads with a blocking edge to this one, each once.
    fn waiting(&self, on: &Self::Node) -> impl Iterator<Item = &Self::Node>;

    /// The beads that currently block this one directly.
    fn blockers(&self, node: &Self::Node) -> Vec<BeadId> {
        let mut blockers: Vec<BeadId> = Vec::new();
        if !node.blocks() {
            return blockers;
        }
        for edge in node.blocking_edges() {
            if self.holds(edge) && !blockers.contains(&edge.id) {
                blockers.push(edge.id.clone());
            }
        }
        blockers
    }

    /// Whether the bead at the other end of the edge currently blocks.
    fn holds(&self, edge: &Edge) -> bool {
        match edge.kind.as_str() {
            "waits-for" => self.holds_by_children(&edge.id, edge.any_child),
            _ => self.get(&edge.id).is_some_and(Facts::blocks),
        }
    }

    /// Whether the children of `spawner` block: until all are done, or with `any_child` until one is done.
    fn holds_by_children(&self, spawner: &BeadId, any_child: bool) -> bool {
        let (mut all, mut active) = (0, 0);
        for child in self.children(spawner) {
            all += 1;
            active += usize::from(child.blocks());
        }
        active > 0 && !(any_child && active < all)
    }

    /// The nearest blocked bead among this one and its ancestors, if any.
    fn blocked_at<'a>(&'a self, node: &'a Self::Node) -> Option<&'a Self::Node> {
        let mut at = Some(node);
        for _ in 0..MAX_DEPTH {
            let node = at?;
            if node.blocks() && node.blocking_edges().any(|edge| self.holds(edge)) {
                return Some(node);
            }
            at = self.parent_of(node);
        }
        None
    }

    fn parent_of(&self, node: &Self::Node) -> Option<&Self::Node> {
        self.get(node.parent()?)
    }

    fn is_ready(&self, node: &Self::Node, now: Timestamp) -> bool {
        *node.state() == BeadStatus::Open && !node.is_pinned() && self.not_ready(node, now).is_empty()
    }

    /// Why the bead cannot be started now. Empty for beads that are ready, in progress, in review, done or
    /// pinned.
    fn not_ready(&self, node: &Self::Node, now: Timestamp) -> Vec<NotReady> {
        let waiting = self.blocked_at(node).map(|waiting| {
            let parent = (waiting.id() != node.id()).then(|| waiting.id().clone());
            let blockers = self.blockers(waiting);
            blockers.iter().take(MOST_BLOCKERS).map(|id| self.blocked_by(waiting, id, &parent)).collect()
        });
        let put_off = until(node, now).map(|until| (until, None)).or_else(|| {
            let parent = self.parent_of(node)?;
            Some((until(parent, now)?, Some(parent.id().clone())))
        });
        reasons(node, waiting.unwrap_or_default(), put_off)
    }

    fn blocked_by(&self, waiting: &Self::Node, id: &BeadId, parent: &Option<BeadId>) -> NotReady {
        let blocker = self.get(id);
        let edge = waiting.blocking_edges().find(|edge| edge.id == *id);
        NotReady::BlockedBy {
            id: id.clone(),
            title: blocker.map(|node| node.title().to_owned()).unwrap_or_default(),
            issue_type: blocker.map(|node| node.issue_type().to_owned()).unwrap_or_default(),
            kind: edge.map(|edge| edge.kind.clone()).unwrap_or_default(),
            parent: parent.clone(),
        }
    }

    /// The derived data of a list entry. A bead that its tracker counts as ready has no blockers, even if it
    /// depends on a bead in a custom status.
    fn derived(&self, node: &Self::Node, ready: bool, now: Timestamp) -> Derived {
        let held = |other: &&Self::Node| {
            other.blocks() && other.blocking_edges().any(|edge| edge.id == *node.id() && self.holds(edge))
        };
        let mut unblocks: Vec<BeadId> =
            self.waiting(node).filter(held).map(|other| other.id().clone()).collect();
        unblocks.sort();
        Derived {
            ready,
            blocked_by: if ready { Vec::new() } else { self.blockers(node) },
            unblocks,
            not_ready: if ready { Vec::new() } else { self.not_ready(node, now) },
        }
    }
}
