//! Generates ids as br and bd do: `{prefix}-{hash}`, with the shortest safe hash, and `{parent}.{n}` for
//! children.

use super::snapshot::Snapshot;
use crate::TrackerError;
use bc_core::ids::{BeadId, base_36};
use sha2::{Digest, Sha256};
use std::collections::HashSet;

const SHORTEST: usize = 3;
const LONGEST: usize = 8;
/// The maximum depth of nested children, as in bd and br.
const MAX_DEPTH: usize = 3;

/// The input of an id's hash. A second bead with the same seed gets another id, because ids in use are skipped.
pub(crate) struct Seed<'a> {
    pub(crate) title: &'a str,
    pub(crate) description: &'a str,
    pub(crate) creator: &'a str,
    pub(crate) nanoseconds: i64,
}

/// An id that is unused in the file, deleted beads included.
pub(crate) fn fresh(prefix: &str, seed: &Seed<'_>, snapshot: &Snapshot) -> BeadId {
    let taken: HashSet<&str> = snapshot.all().map(|(row, _)| row.id.as_str()).collect();
    let mut length = length_for(taken.len());
    for nonce in 0u32.. {
        let id = format!("{prefix}-{}", hash(seed, nonce, length));
        if !taken.contains(id.as_str())
            && let Ok(id) = id.parse()
        {
            return id;
        }
        if nonce % 10 == 9 && length < LONGEST {
            length += 1;
        }
    }
    unreachable!("a file with four billion beads")
}

/// The next child id: the highest number plus one, deleted children included.
pub(crate) fn child(parent: &BeadId, snapshot: &Snapshot) -> Result<BeadId, TrackerError> {
    if parent.as_str().split('.').count() > MAX_DEPTH {
        return Err(TrackerError::InvalidInput {
            field: "parent",
            why: format!("{parent} is a part of a part already, {MAX_DEPTH} levels deep"),
        });
    }
    let start = format!("{parent}.");
    let numbers = snapshot
        .all()
        .filter_map(|(row, _)| row.id.as_str().strip_prefix(&start)?.split('.').next()?.parse::<u64>().ok());
    let next = numbers.max().unwrap_or(0) + 1;
    format!("{parent}.{next}").parse().map_err(|e: bc_core::ids::InvalidId| TrackerError::InvalidInput {
        field: "parent",
        why: e.to_string(),
    })
}

/// The shortest hash length, up to [`LONGEST`], at which the probability of a collision among this number of
/// beads is below one in four.
fn length_for(beads: usize) -> usize {
    let pairs = (beads as f64 + 1.0).powi(2) / 2.0;
    (SHORTEST..LONGEST)
        .find(|&length| 1.0 - (-pairs / 36f64.powf(length as f64)).exp() < 0.25)
        .unwrap_or(LONGEST)
}

fn hash(seed: &Seed<'_>, nonce: u32, length: usize) -> String {
    let text = format!("{}|{}|{}|{}|{nonce}", seed.title, seed.description, seed.creator, seed.nanoseconds);
    let digest = Sha256::digest(text.as_bytes());
    let number = digest.iter().take(8).fold(0u64, |number, &byte| number << 8 | u64::from(byte));
    base_36(number, length)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn snapshot(ids: &[&str]) -> Snapshot {
        let lines: Vec<String> = ids.iter().map(|id| format!("{{\"id\":\"{id}\"}}")).collect();
        Snapshot::parse(lines.join("\n").as_bytes())
    }

    #[test]
    fn ids_grow_with_the_number_of_beads() {
        for (beads, length) in
            [(0, 3), (100, 3), (200, 4), (1_000, 5), (5_000, 5), (50_000, 7), (usize::MAX, 8)]
        {
            assert_eq!(length_for(beads), length, "{beads}");
        }
    }

    #[test]
    fn the_same_seed_never_gives_the_same_id_twice() {
        let seed = Seed { title: "t", description: "", creator: "c", nanoseconds: 1 };
        let mut ids: Vec<String> = Vec::new();
        for _ in 0..50 {
            let known: Vec<&str> = ids.iter().map(String::as_str).collect();
            let id = fresh("x", &seed, &snapshot(&known)).to_string();
            assert!(!ids.contains(&id));
            ids.push(id);
        }
    }

    #[test]
    fn children_are_numbered_after_the_highest_up_to_a_maximum_depth() {
        let parent = "a-1".parse().unwrap();
        let next = child(&parent, &snapshot(&["a-1", "a-1.1", "a-1.9", "a-1.9.30", "a-12.50"])).unwrap();
        assert_eq!(next.as_str(), "a-1.10");
        assert!(child(&"a-1.1.1".parse().unwrap(), &snapshot(&[])).is_ok());
        assert!(child(&"a-1.1.1.1".parse().unwrap(), &snapshot(&[])).is_err());
    }
}
