//! The graph of beads and their dependencies, with cycles and the critical path.

use super::query::matching;
use crate::context::{Context, errors::tracker_error};
use bc_beads::{Dependency, ListFilter};
use bc_core::{
    bead::Bead,
    bead_graph::{BlockingGraph, Waiting, binds, is_blocking},
    ids::BeadId,
};
use bc_wire::{ApiError, ErrorCode, bead::*};
use std::collections::{HashMap, HashSet};

pub(crate) fn graph(ctx: &Context, params: &BeadGraphParams) -> Result<BeadGraph, ApiError> {
    let tracker = ctx.tracker()?;
    let filter = if params.closed { ListFilter::board() } else { ListFilter::open() };
    let mut beads = tracker.list(&filter).map_err(tracker_error)?.beads;
    let mut edges = tracker.dependencies().map_err(tracker_error)?;
    let open: HashSet<BeadId> =
        beads.iter().filter(|bead| bead.is_open()).map(|bead| bead.id.clone()).collect();
    let waiting: HashMap<BeadId, u32> = {
        let waiting = Waiting::new(&beads);
        beads.iter().map(|bead| (bead.id.clone(), waiting.count(&bead.id))).collect()
    };
    if !params.query.trim().is_empty() {
        let (found, _) = matching(ctx, &params.query)?;
        beads.retain(|bead| found.contains(&bead.id));
    }
    if let Some(around) = &params.around {
        let near = connected(around, &beads, &edges);
        if near.is_empty() {
            // The bead can exist but be closed, or not match the query.
            let found = tracker.show(around).map_err(tracker_error)?;
            let text = format!("{around} is {} and not among these beads", found.bead.status.as_str());
            return Err(ApiError::new(ErrorCode::BeadState, text).hint("include closed beads"));
        }
        beads.retain(|bead| near.contains(&bead.id));
    }
    let nodes: HashSet<&BeadId> = beads.iter().map(|bead| &bead.id).collect();
    edges.retain(|edge| nodes.contains(&edge.from) && nodes.contains(&edge.to));
    let blocking = || edges.iter().filter(|edge| is_blocking(&edge.kind)).map(|edge| (&edge.from, &edge.to));
    let binding = edges.iter().filter(|edge| binds(&edge.kind)).map(|edge| (&edge.from, &edge.to));
    let cycles = BlockingGraph::new(beads.iter().map(|bead| &bead.id), binding).cycles();
    let critical_path = critical_path(&beads, &open, blocking);
    Ok(BeadGraph {
        nodes: beads.into_iter().map(|bead| node(bead, &waiting)).collect(),
        edges: edges.into_iter().map(|Dependency { from, to, kind }| GraphEdge { from, to, kind }).collect(),
        cycles,
        critical_path,
    })
}

/// The beads that are connected with `around` by dependencies of any kind; empty if it is not among `beads`.
fn connected(around: &BeadId, beads: &[Bead], edges: &[Dependency]) -> HashSet<BeadId> {
    let ids = beads.iter().map(|bead| &bead.id);
    BlockingGraph::new(ids, edges.iter().map(|edge| (&edge.from, &edge.to))).around(around)
}

/// The critical path. Its length is the sum of the estimates if every bead at either end of an open blocking
/// dependency has one, else the number of beads.
fn critical_path<'a, I: Iterator<Item = (&'a BeadId, &'a BeadId)>>(
    beads: &'a [Bead],
    open: &HashSet<BeadId>,
    blocking: impl Fn() -> I,
) -> Vec<BeadId> {
    let open_edges: Vec<(&BeadId, &BeadId)> =
        blocking().filter(|(from, to)| open.contains(from) && open.contains(to)).collect();
    let ends: HashSet<&BeadId> = open_edges.iter().flat_map(|(from, to)| [*from, *to]).collect();
    let minutes: HashMap<&BeadId, u32> = beads
        .iter()
        .filter(|bead| ends.contains(&bead.id))
        .filter_map(|bead| Some((&bead.id, bead.estimated_minutes?)))
        .collect();
    let estimated = minutes.len() == ends.len();
    let graph = BlockingGraph::new(beads.iter().map(|bead| &bead.id), open_edges);
    graph.critical_path(|id| match minutes.get(id) {
        Some(minutes) if estimated => u64::from(*minutes),
        _ => 1,
    })
}

fn node(bead: Bead, waiting: &HashMap<BeadId, u32>) -> GraphNode {
    GraphNode {
        unblocks_all: waiting.get(&bead.id).copied().unwrap_or_default(),
        id: bead.id,
        title: bead.title,
        status: bead.status,
        ready: bead.ready,
        priority: bead.priority,
        issue_type: bead.issue_type,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Fixture;
    use bc_wire::api::Api;

    fn graph(fixture: &Fixture, params: BeadGraphParams) -> BeadGraph {
        fixture.engine.bead_graph(params).unwrap()
    }

    /// A project with closed beads, estimates, and a cycle that another program created.
    fn fixture() -> Fixture {
        let fixture = Fixture::new();
        let line = |id: &str, more: &str, on: &[(&str, &str)]| {
            let edge = |(to, kind): &(&str, &str)| {
                format!(r#"{{"issue_id":"{id}","depends_on_id":"{to}","type":"{kind}"}}"#)
            };
            let edges = on.iter().map(edge).collect::<Vec<_>>().join(",");
            format!("{{\"id\":\"{id}\",\"title\":\"{id}\"{more},\"dependencies\":[{edges}]}}\n")
        };
        let text = [
            line("a", "", &[("b", "blocks")]),
            line("b", "", &[("c", "blocks"), ("done", "blocks")]),
            line("c", "", &[("a", "blocks")]),
            line("d", r#","estimated_minutes":5"#, &[("e", "blocks"), ("a", "related")]),
            line("e", r#","estimated_minutes":90"#, &[("f", "blocks")]),
            line("f", "", &[]),
            line("done", r#","status":"closed""#, &[]),
            line("alone", "", &[]),
        ];
        let file = fixture.ctx.project.beads_dir.join("issues.jsonl");
        bc_store::file::replace(&file, text.concat().as_bytes()).unwrap();
        fixture
    }

    fn ids(ids: &[BeadId]) -> Vec<&str> {
        ids.iter().map(BeadId::as_str).collect()
    }

    #[test]
    fn a_graph_has_every_kind_of_dependency_cycles_and_the_critical_path() {
        let fixture = fixture();
        let all = graph(&fixture, BeadGraphParams::default());
        assert_eq!((all.nodes.len(), all.edges.len()), (7, 6), "{all:#?}");
        assert!(all.edges.iter().any(|edge| edge.kind == "related"));
        assert_eq!(all.cycles.len(), 1);
        assert_eq!(ids(&all.cycles[0]), ["a", "b", "c"]);
        assert_eq!(ids(&all.critical_path), ["f", "e", "d"]);
        let waiting = |id: &str| all.nodes.iter().find(|node| node.id.as_str() == id).unwrap().unblocks_all;
        assert_eq!((waiting("f"), waiting("a"), waiting("alone")), (2, 2, 0));
    }

    #[test]
    fn a_graph_is_limited_to_a_query_or_a_neighbourhood() {
        let fixture = fixture();
        let around = |id: &str, closed: bool| BeadGraphParams {
            around: Some(id.parse().unwrap()),
            closed,
            ..BeadGraphParams::default()
        };
        assert_eq!(graph(&fixture, around("f", false)).nodes.len(), 6, "related beads are connected");
        assert_eq!(graph(&fixture, around("done", true)).nodes.len(), 7);
        let query = BeadGraphParams { query: "id:d,e,alone".into(), ..BeadGraphParams::default() };
        let few = graph(&fixture, query);
        assert_eq!((few.nodes.len(), few.edges.len()), (3, 1));
        let code = |id: &str| fixture.engine.bead_graph(around(id, false)).unwrap_err().code;
        assert_eq!((code("done"), code("gone")), (ErrorCode::BeadState, ErrorCode::BeadNotFound));
    }
}
