//! The dependencies among beads as a graph: cycles, the critical path, and how many beads wait for another.
//!
//! All algorithms handle cycles, which other programs can create. None is recursive, because chains can be
//! long.

use crate::{bead::Bead, ids::BeadId};
use petgraph::{
    Direction,
    algo::kosaraju_scc,
    graph::{DiGraph, NodeIndex},
};
use std::collections::{HashMap, HashSet, VecDeque, hash_map::Entry};

/// The maximum number of beads that are counted as waiting for one bead.
const MOST_WAITING: usize = 5_000;

/// Whether a dependency of this kind keeps a bead from being ready.
pub fn is_blocking(kind: &str) -> bool {
    matches!(kind, "blocks" | "conditional-blocks" | "waits-for")
}

/// Whether dependencies of this kind can form a cycle in which no bead can be finished. `parent-child` can,
/// because the children of a blocked bead wait with it.
pub fn binds(kind: &str) -> bool {
    is_blocking(kind) || kind == "parent-child"
}

/// Blocking dependencies among beads.
#[derive(Debug)]
pub struct BlockingGraph<'a> {
    graph: DiGraph<&'a BeadId, ()>,
    /// Groups of beads that depend on each other in cycles (strongly connected components), dependencies
    /// first.
    components: Vec<Vec<NodeIndex>>,
}

impl<'a> BlockingGraph<'a> {
    /// Creates the graph of these beads and of the dependencies `(from, to)` among them.
    pub fn new(
        beads: impl IntoIterator<Item = &'a BeadId>,
        dependencies: impl IntoIterator<Item = (&'a BeadId, &'a BeadId)>,
    ) -> BlockingGraph<'a> {
        let mut graph = DiGraph::new();
        let places: HashMap<&BeadId, NodeIndex> =
            beads.into_iter().map(|bead| (bead, graph.add_node(bead))).collect();
        for (from, to) in dependencies {
            if let (Some(&from), Some(&to)) = (places.get(from), places.get(to)) {
                graph.update_edge(from, to, ());
            }
        }
        let components = kosaraju_scc(&graph);
        BlockingGraph { graph, components }
    }

    /// One cycle for each group of beads that depend on each other: a shortest cycle through the group's
    /// first bead. Every bead of a cycle depends on the next, and the last on the first.
    pub fn cycles(&self) -> Vec<Vec<BeadId>> {
        let mut cycles: Vec<Vec<NodeIndex>> =
            self.components.iter().filter_map(|component| self.cycle_in(component)).collect();
        cycles.sort();
        cycles.into_iter().map(|cycle| self.ids(&cycle)).collect()
    }

    fn cycle_in(&self, component: &[NodeIndex]) -> Option<Vec<NodeIndex>> {
        let inside: HashSet<NodeIndex> = component.iter().copied().collect();
        let start = *component.iter().min()?;
        let mut from: HashMap<NodeIndex, NodeIndex> = HashMap::new();
        let mut next = VecDeque::from([start]);
        while let Some(at) = next.pop_front() {
            for to in self.graph.neighbors(at).filter(|to| inside.contains(to)) {
                if to == start {
                    let back = std::iter::successors(Some(at), |at| from.get(at).copied());
                    let mut cycle: Vec<NodeIndex> = back.collect();
                    cycle.reverse();
                    return Some(cycle);
                }
                if let Entry::Vacant(vacant) = from.entry(to) {
                    vacant.insert(at);
                    next.push_back(to);
                }
            }
        }
        None
    }

    /// The longest chain of dependencies, in the order of work; empty without dependencies. `weight` returns
    /// the length of one bead. Dependencies within a cycle do not count.
    pub fn critical_path(&self, weight: impl Fn(&BeadId) -> u64) -> Vec<BeadId> {
        let mut component_of = vec![0; self.graph.node_count()];
        for (n, component) in self.components.iter().enumerate() {
            component.iter().for_each(|place| component_of[place.index()] = n);
        }
        let mut length = vec![0_u64; self.graph.node_count()];
        let mut before: Vec<Option<NodeIndex>> = vec![None; self.graph.node_count()];
        for place in self.components.iter().flatten().copied() {
            let n = place.index();
            let needed = self.graph.neighbors(place);
            let needed = needed.filter(|other| component_of[other.index()] != component_of[n]);
            let longest = needed.max_by_key(|other| (length[other.index()], std::cmp::Reverse(*other)));
            before[n] = longest;
            length[n] = weight(self.graph[place]).saturating_add(longest.map_or(0, |l| length[l.index()]));
        }
        let chains = self.graph.node_indices().filter(|place| before[place.index()].is_some());
        let Some(last) = chains.max_by_key(|place| (length[place.index()], std::cmp::Reverse(*place))) else {
            return Vec::new();
        };
        let mut path: Vec<NodeIndex> =
            std::iter::successors(Some(last), |place| before[place.index()]).collect();
        path.reverse();
        self.ids(&path)
    }

    /// The beads that are connected to this one by dependencies in either direction, including the bead
    /// itself.
    pub fn around(&self, bead: &BeadId) -> HashSet<BeadId> {
        let start = self.graph.node_indices().find(|place| self.graph[*place] == bead);
        let mut found: HashSet<NodeIndex> = start.into_iter().collect();
        let mut next: Vec<NodeIndex> = start.into_iter().collect();
        while let Some(at) = next.pop() {
            for direction in [Direction::Outgoing, Direction::Incoming] {
                next.extend(
                    self.graph.neighbors_directed(at, direction).filter(|other| found.insert(*other)),
                );
            }
        }
        found.into_iter().map(|place| self.graph[place].clone()).collect()
    }

    fn ids(&self, places: &[NodeIndex]) -> Vec<BeadId> {
        places.iter().map(|place| self.graph[*place].clone()).collect()
    }
}

/// Counts the beads that wait for a given bead.
#[derive(Debug)]
pub struct Waiting<'a> {
    by_id: HashMap<&'a BeadId, &'a Bead>,
    children: HashMap<&'a BeadId, Vec<&'a BeadId>>,
}

impl<'a> Waiting<'a> {
    /// Prepares to count the beads that wait for each of these beads.
    pub fn new(beads: impl IntoIterator<Item = &'a Bead>) -> Waiting<'a> {
        let (mut by_id, mut children) = (HashMap::new(), HashMap::<_, Vec<_>>::new());
        for bead in beads {
            by_id.insert(&bead.id, bead);
            if let Some(parent) = &bead.parent {
                children.entry(parent).or_default().push(&bead.id);
            }
        }
        Waiting { by_id, children }
    }

    /// The number of open beads that wait for this one, directly or through others. The children of a blocked
    /// bead wait with it. At most 5,000 are counted.
    pub fn count(&self, bead: &BeadId) -> u32 {
        let mut found: HashSet<&BeadId> = HashSet::new();
        let direct = self.by_id.get(bead).map_or(&[][..], |bead| &bead.unblocks);
        let mut next: Vec<&BeadId> = direct.iter().collect();
        while let Some(at) = next.pop() {
            if at == bead || !found.insert(at) {
                continue;
            }
            if found.len() >= MOST_WAITING {
                break;
            }
            next.extend(self.by_id.get(at).into_iter().flat_map(|bead| &bead.unblocks));
            let open = |child: &&&BeadId| self.by_id.get(**child).is_some_and(|child| child.is_open());
            next.extend(self.children.get(at).into_iter().flatten().filter(open));
        }
        u32::try_from(found.len()).unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn id(n: usize) -> BeadId {
        format!("b-{n}").parse().unwrap()
    }

    fn graph_of<T>(n: usize, edges: &[(usize, usize)], run: impl FnOnce(&BlockingGraph<'_>) -> T) -> T {
        let ids: Vec<BeadId> = (0..n).map(id).collect();
        let edges = edges.iter().map(|(from, to)| (&ids[*from], &ids[*to]));
        run(&BlockingGraph::new(&ids, edges))
    }

    fn numbers(ids: &[BeadId]) -> Vec<usize> {
        ids.iter().map(|id| id.as_str()[2..].parse().unwrap()).collect()
    }

    #[test]
    fn the_critical_path_is_the_longest_chain_in_the_order_of_work() {
        let edges = [(0, 1), (1, 2), (3, 2), (4, 5)];
        let path =
            |weight: fn(&BeadId) -> u64| graph_of(6, &edges, |graph| numbers(&graph.critical_path(weight)));
        assert_eq!(path(|_| 1), [2, 1, 0]);
        assert_eq!(path(|id| if id.as_str() == "b-5" { 9 } else { 1 }), [5, 4]);
        assert!(graph_of(3, &[], |graph| graph.critical_path(|_| 1)).is_empty());
    }

    #[test]
    fn cycles_are_found_and_do_not_affect_the_critical_path() {
        let edges = [(0, 1), (1, 2), (2, 0), (3, 3), (4, 0), (2, 5), (0, 9)];
        graph_of(6, &edges[..6], |graph| {
            let cycles: Vec<_> = graph.cycles().iter().map(|cycle| numbers(cycle)).collect();
            assert_eq!(cycles, [vec![0, 1, 2], vec![3]]);
            assert_eq!(numbers(&graph.critical_path(|_| 1)), [5, 2]);
            assert_eq!(graph.around(&id(5)).len(), 5);
        });
    }

    #[test]
    fn a_chain_of_a_hundred_thousand_beads_needs_no_recursion() {
        let edges: Vec<(usize, usize)> = (1..100_000).map(|n| (n, n - 1)).collect();
        graph_of(100_000, &edges, |graph| {
            assert!(graph.cycles().is_empty());
            assert_eq!(graph.critical_path(|_| 1).len(), 100_000);
        });
    }

    #[test]
    fn waiting_beads_and_children_of_blocked_beads_are_counted_once() {
        let bead = |id: &str, parent: Option<&str>, status: &str, unblocks: &[&str]| -> Bead {
            serde_json::from_value(json!({"id": id, "title": id, "status": status, "priority": 2,
                "issue_type": "task", "parent": parent, "unblocks": unblocks}))
            .unwrap()
        };
        let beads = [
            bead("a", None, "open", &["e", "b"]),
            bead("b", None, "open", &["e"]),
            bead("e", None, "open", &["a"]),
            bead("e.1", Some("e"), "open", &[]),
            bead("e.2", Some("e"), "closed", &[]),
            bead("e.1.1", Some("e.1"), "open", &[]),
        ];
        let waiting = Waiting::new(&beads);
        assert_eq!(["a", "b", "e.1"].map(|id| waiting.count(&id.parse().unwrap())), [4, 4, 0]);
    }

    proptest! {
        #[test]
        fn cycles_are_closed_and_paths_follow_dependencies(
            edges in prop::collection::vec((0usize..12, 0usize..12), 0..40)
        ) {
            let (cycles, path) = graph_of(12, &edges, |graph| {
                let cycles: Vec<_> = graph.cycles().iter().map(|cycle| numbers(cycle)).collect();
                (cycles, numbers(&graph.critical_path(|_| 1)))
            });
            for cycle in &cycles {
                for (n, from) in cycle.iter().enumerate() {
                    let to = cycle[(n + 1) % cycle.len()];
                    prop_assert!(edges.contains(&(*from, to)), "{cycle:?}");
                }
            }
            for pair in path.windows(2) {
                prop_assert!(edges.contains(&(pair[1], pair[0])), "{path:?}");
            }
            let in_order = edges.iter().all(|(from, to)| from > to);
            prop_assert!(!in_order || cycles.is_empty());
        }
    }
}
