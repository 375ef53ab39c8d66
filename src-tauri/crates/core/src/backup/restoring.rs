//! What a restore would do with each record.

use super::records::{Kind, Record, Records, Tie, has_moment, merge, order};
use std::cmp::Ordering;

/// Records of a backup beside those that are here.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Changes {
    /// Not here.
    pub added: Vec<Record>,
    /// Here in an earlier state, or without something that is in the backup: as they would be.
    pub changed: Vec<Record>,
    /// Here in a later state: they stay. Their keys.
    pub kept: Vec<String>,
    /// As many are the same.
    pub same: usize,
}

/// What becomes of what is here; nothing that is newer here is overwritten.
pub fn changes(here: &Records, backup: &Records) -> Changes {
    let kind = backup.kind();
    let mut changes = Changes::default();
    for (key, row) in backup.iter() {
        let Some(known) = here.get(key) else {
            // One that was deleted before the backup was made is not brought here to be deleted.
            if kind != Kind::Beads || row.get("status").is_none_or(|status| status != "tombstone") {
                changes.added.push(row.clone());
            }
            continue;
        };
        let after = merge(kind, row.clone(), known.clone(), Tie::Newcomer);
        match order(kind, known, row) {
            // Nobody can tell when it came to be as it is here.
            _ if kind == Kind::Memories && !has_moment(kind, known) && known != row => {
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
