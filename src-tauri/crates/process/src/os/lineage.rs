//! Tracks a process's descendants on systems where the init process adopts orphans.
//!
//! Descendants are recorded while they still have their parents. Later, an orphan is recognized by its pid
//! and start time. An orphan that was never recorded is recognized by its process group, if a known
//! descendant is alive in that group: a group id is not reused while the group has a member.

use crate::process_entry::{Identity, ProcessEntry};
use std::collections::{HashMap, HashSet};

/// The pid of the init process, the parent of orphans.
const INIT: u32 = 1;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Listed {
    pub(super) entry: ProcessEntry,
    pub(super) group: u32,
}

#[derive(Debug, Default)]
pub(super) struct Lineage(HashMap<u32, Identity>);

impl Lineage {
    /// Records the descendants of `root` in this list, removes descendants that have exited, and makes `root`
    /// the parent of orphaned descendants in the list. Returns the pids of new descendants.
    pub(super) fn observe(&mut self, root: u32, list: &mut [Listed]) -> Vec<u32> {
        let alive: HashSet<Identity> =
            list.iter().filter(|l| !l.entry.ended).map(|l| l.entry.identity).collect();
        self.0.retain(|_, identity| alive.contains(identity));
        let own_group = list.iter().find(|l| l.entry.identity.pid == root).map(|l| l.group);
        let mut new = Vec::new();
        loop {
            let known = |pid: u32| self.0.contains_key(&pid);
            let groups: HashSet<u32> = list
                .iter()
                .filter(|l| known(l.entry.identity.pid) && Some(l.group) != own_group)
                .map(|l| l.group)
                .collect();
            let joins = |listed: &&Listed| {
                let ProcessEntry { identity, parent, ended, .. } = &listed.entry;
                let descends = *parent == root || known(*parent);
                let orphan = *parent == INIT && groups.contains(&listed.group);
                !ended && identity.pid != root && !known(identity.pid) && (descends || orphan)
            };
            let found: Vec<Identity> = list.iter().filter(joins).map(|l| l.entry.identity).collect();
            if found.is_empty() {
                break;
            }
            new.extend(found.iter().map(|identity| identity.pid));
            self.0.extend(found.into_iter().map(|identity| (identity.pid, identity)));
        }
        for Listed { entry, .. } in list.iter_mut() {
            if entry.parent == INIT && self.0.get(&entry.identity.pid) == Some(&entry.identity) {
                entry.parent = root;
            }
        }
        new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Parses a recorded process list: `pid ppid pgid start name`, one process per line.
    fn recorded(text: &str) -> Vec<Listed> {
        let parse = |line: &str| {
            let mut words = line.split_whitespace();
            let mut number = || words.next().unwrap().parse::<u32>().unwrap();
            let (pid, parent, group, start) = (number(), number(), number(), u64::from(number()));
            let name = words.next().unwrap().to_owned();
            Listed {
                entry: ProcessEntry { identity: Identity { pid, start }, parent, name, ended: false },
                group,
            }
        };
        text.lines().map(parse).collect()
    }

    fn children_of(root: u32, list: &[Listed]) -> Vec<u32> {
        list.iter().filter(|l| l.entry.parent == root).map(|l| l.entry.identity.pid).collect()
    }

    const BEFORE: &str = "1 0 1 0 launchd\n\
                          500 1 500 7 Finder\n\
                          600 1 600 10 host\n\
                          601 600 601 11 claude\n\
                          610 601 610 12 zsh\n\
                          611 610 610 13 sleep\n\
                          700 500 700 14 zsh";

    #[test]
    fn an_orphan_seen_below_its_parent_stays_a_descendant() {
        let mut lineage = Lineage::default();
        let new = lineage.observe(600, &mut recorded(BEFORE));
        assert_eq!(new, [601, 610, 611]);
        let mut after =
            recorded("1 0 1 0 launchd\n600 1 600 10 host\n601 600 601 11 claude\n611 1 610 13 sleep");
        assert_eq!(lineage.observe(600, &mut after), Vec::<u32>::new());
        assert_eq!(children_of(600, &after), [601, 611]);
    }

    #[test]
    fn a_reused_pid_is_not_a_descendant() {
        let mut lineage = Lineage::default();
        lineage.observe(600, &mut recorded(BEFORE));
        let mut after =
            recorded("1 0 1 0 launchd\n600 1 600 10 host\n611 1 611 99 Music\n612 611 611 99 helper");
        lineage.observe(600, &mut after);
        assert_eq!(children_of(600, &after), Vec::<u32>::new());
    }

    #[test]
    fn an_unseen_orphan_is_found_only_by_a_living_member_of_its_group() {
        let mut lineage = Lineage::default();
        lineage.observe(600, &mut recorded(BEFORE));
        let lines = "1 0 1 0 launchd\n600 1 600 10 host\n611 1 610 13 sleep\n612 1 610 15 tail";
        let mut together = recorded(lines);
        assert_eq!(lineage.observe(600, &mut together), [612]);
        assert_eq!(children_of(600, &together), [611, 612]);
        let mut later = Lineage::default();
        later.observe(600, &mut recorded(BEFORE));
        let mut alone = recorded("1 0 1 0 launchd\n600 1 600 10 host\n612 1 610 15 tail");
        assert_eq!(later.observe(600, &mut alone), Vec::<u32>::new());
    }

    #[test]
    fn processes_in_the_roots_own_group_are_not_adopted() {
        // A shell started the root, so the whole pipeline is one group.
        let list = "1 0 1 0 launchd\n600 500 600 10 host\n601 600 600 11 git\n650 1 600 12 other";
        let mut list = recorded(list);
        assert_eq!(Lineage::default().observe(600, &mut list), [601]);
        assert_eq!(children_of(600, &list), [601]);
    }
}
