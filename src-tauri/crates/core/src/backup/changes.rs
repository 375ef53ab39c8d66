//! The effect of a restore on each record.

use super::records::{Kind, Record, Records, Tie, merge, moment, order};
use std::cmp::Ordering;

/// A backup's records compared with the local ones.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Changes {
    /// Records that are missing locally.
    pub added: Vec<Record>,
    /// Records that are older or incomplete locally, in their state after the restore.
    pub changed: Vec<Record>,
    /// The keys of records that are, or could be, newer locally. They stay unchanged.
    pub kept: Vec<String>,
    pub same: usize,
}

/// Compares the local records with a backup; newer local ones are never overwritten.
pub fn changes(local: &Records, backup: &Records) -> Changes {
    let kind = backup.kind();
    let mut changes = Changes::default();
    for (key, row) in backup.iter() {
        let Some(known) = local.get(key) else {
            // The tombstone of a bead that is missing locally is not restored.
            if kind != Kind::Beads || row.get("status").is_none_or(|status| status != "tombstone") {
                changes.added.push(row.clone());
            }
            continue;
        };
        let after = merge(kind, row.clone(), known.clone(), Tie::Newcomer);
        match order(kind, known, row) {
            // A local memory without a time could be newer.
            _ if kind == Kind::Memories && moment(kind, known).is_none() && known != row => {
                changes.kept.push(key.to_owned());
            }
            _ if after == *known && known == row => changes.same += 1,
            Ordering::Less => changes.changed.push(after),
            Ordering::Equal if after != *known => changes.changed.push(after),
            Ordering::Equal => changes.same += 1,
            Ordering::Greater => changes.kept.push(key.to_owned()),
        }
    }
    changes
}
