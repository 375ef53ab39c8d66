//! Cycles of dependencies. Performs no I/O.

use crate::{TrackerError, row::Row};
use bc_core::{bead_graph::binds, ids::BeadId};
use std::collections::{HashMap, VecDeque, hash_map::Entry};

/// Fails if a dependency of `from` on `to` with this kind would close a cycle of blocking dependencies and
/// parents, or if both are the same bead. Existing cycles are ignored.
pub(crate) fn refuse<'a>(
    rows: impl Iterator<Item = &'a Row>,
    from: &'a BeadId,
    to: &'a BeadId,
    kind: &str,
) -> Result<(), TrackerError> {
    if from == to {
        return Err(TrackerError::Cycle { path: vec![from.clone()] });
    }
    if !binds(kind) {
        return Ok(());
    }
    match path(rows, to, from) {
        None => Ok(()),
        Some(back) => {
            let mut path = vec![from.clone()];
            path.extend(back.into_iter().filter(|&id| id != from).cloned());
            Err(TrackerError::Cycle { path })
        }
    }
}

/// The shortest chain of blocking dependencies and parents from one bead to another, both included. `None`
/// without such a chain.
fn path<'a>(
    rows: impl Iterator<Item = &'a Row>,
    from: &'a BeadId,
    to: &'a BeadId,
) -> Option<Vec<&'a BeadId>> {
    let mut edges: HashMap<&BeadId, Vec<&BeadId>> = HashMap::new();
    for row in rows {
        let blocking = row.depends_on.iter().filter(|edge| binds(&edge.kind)).map(|edge| &edge.id);
        let on: Vec<&BeadId> = blocking.chain(&row.parent).collect();
        if !on.is_empty() {
            edges.insert(&row.id, on);
        }
    }
    let mut came_from: HashMap<&BeadId, &BeadId> = HashMap::from([(from, from)]);
    let mut waiting = VecDeque::from([from]);
    while let Some(at) = waiting.pop_front() {
        if at == to {
            let mut path = vec![at];
            let mut at = at;
            while at != from {
                at = came_from[at];
                path.push(at);
            }
            path.reverse();
            return Some(path);
        }
        for &next in edges.get(at).map_or(&[][..], Vec::as_slice) {
            if let Entry::Vacant(new) = came_from.entry(next) {
                new.insert(at);
                waiting.push_back(next);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn refused(rows: &[Value], from: &str, to: &str, kind: &str) -> Option<String> {
        let rows: Vec<Row> = rows.iter().map(|row| Row::read(row.as_object().unwrap()).unwrap()).collect();
        let (from, to) = (from.parse().unwrap(), to.parse().unwrap());
        match refuse(rows.iter(), &from, &to, kind) {
            Ok(()) => None,
            Err(TrackerError::Cycle { path }) => {
                Some(path.iter().map(BeadId::as_str).collect::<Vec<_>>().join(" "))
            }
            Err(other) => panic!("{other}"),
        }
    }

    #[test]
    fn cycles_of_blocking_kinds_are_named_and_other_cycles_allowed() {
        let on = |id: &str, kind: &str| json!([{"depends_on_id": id, "type": kind}]);
        let rows = [
            json!({"id": "a", "dependencies": on("b", "blocks")}),
            json!({"id": "b", "dependencies": on("c", "waits-for")}),
            json!({"id": "c", "parent": "d"}),
            json!({"id": "d", "dependencies": on("e", "related")}),
            // A cycle that another program created.
            json!({"id": "x", "dependencies": on("y", "blocks")}),
            json!({"id": "y", "dependencies": on("x", "conditional-blocks")}),
        ];
        assert_eq!(refused(&rows, "d", "a", "blocks").as_deref(), Some("d a b c"));
        assert_eq!(refused(&rows, "d", "a", "parent-child").as_deref(), Some("d a b c"));
        assert_eq!(refused(&rows, "d", "a", "related"), None);
        assert_eq!(refused(&rows, "e", "a", "blocks"), None, "a related dependency closes no cycle");
        assert_eq!(refused(&rows, "a", "a", "related").as_deref(), Some("a"));
        assert_eq!(refused(&rows, "a", "x", "blocks"), None, "the search ends in a cycle");
        assert_eq!(refused(&rows, "x", "y", "waits-for").as_deref(), Some("x y"));
    }
}
