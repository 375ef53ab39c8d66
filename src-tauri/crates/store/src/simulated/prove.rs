//! Records every operation once, then simulates crashes after each of its changes.

use super::{
    disk::Disk,
    operations::{ALL, Operation},
    recorder::{Change, record, tell},
    rules::Rules,
    seen::{Going, Seen, take_over},
    tree::{Tree, lay_out, scan},
};
use std::{
    collections::HashSet,
    fs,
    panic::catch_unwind,
    path::{Path, PathBuf},
};

/// The granularity of torn writes.
#[derive(Debug, Clone, Copy)]
pub(super) enum Grain {
    /// A write can be torn after any byte.
    Byte,
    /// A write can be torn at about this many positions, and at block boundaries.
    Places(usize),
}

impl Grain {
    /// The maximum number of combinations of a file's old and new blocks. If more are possible, larger blocks
    /// are used.
    pub(super) fn mixtures(self) -> usize {
        match self {
            Grain::Byte => 4096,
            Grain::Places(_) => 64,
        }
    }

    /// The distance in bytes between two tear positions in a write of this length.
    pub(super) fn step(self, bytes: usize) -> usize {
        match self {
            Grain::Byte => 1,
            Grain::Places(n) => (bytes / n).max(1),
        }
    }
}

/// The granularity for the second crash, for which a few tear positions per write suffice.
const FEW: Grain = Grain::Places(4);

/// The numbers of recorded changes and of distinct states that were opened.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Count {
    changes: usize,
    /// States after a power cut during the operation.
    cut: usize,
    /// States after a kill, a takeover by another process, and a power cut.
    taken_over: usize,
    /// States after a power cut during a takeover.
    cut_again: usize,
}

impl std::fmt::Display for Count {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Count { changes, cut, taken_over, cut_again } = self;
        write!(f, "{changes} changes; states after a power cut {cut}, ")?;
        write!(f, "after a kill and one {taken_over}, after two {cut_again}")
    }
}

#[test]
fn nothing_acknowledged_is_lost_by_any_crash_of_any_operation() {
    prove(Rules::Posix, FEW, &["let go of the texts"]);
}

#[test]
#[ignore = "takes minutes"]
fn nothing_acknowledged_is_lost_by_any_crash_of_any_operation_torn_at_every_byte() {
    prove(Rules::Posix, Grain::Byte, &all_names());
}

#[test]
fn nothing_acknowledged_is_lost_on_apfs_and_ntfs() {
    for rules in [Rules::Apfs, Rules::Ntfs] {
        prove(rules, FEW, &["let go of the texts"]);
    }
}

#[test]
#[ignore = "takes minutes"]
fn nothing_acknowledged_is_lost_on_apfs_and_ntfs_torn_at_every_byte() {
    for rules in [Rules::Apfs, Rules::Ntfs] {
        prove(rules, Grain::Byte, &all_names());
    }
}

/// Verifies the simulation itself: with a weaker sync call, at least one operation must lose acknowledged
/// data.
#[test]
fn weaker_syncs_lose_acknowledged_data() {
    for rules in [Rules::ApfsByFsync, Rules::NtfsByFlush] {
        let loses = |operation: &&Operation| catch_unwind(|| crash(rules, operation, FEW, false)).is_err();
        assert!(ALL.iter().any(|operation| loses(&operation)), "{rules:?}");
    }
}

fn all_names() -> Vec<&'static str> {
    ALL.iter().map(|operation| operation.name).collect()
}

/// Tests all operations. For the operations in `twice`, also simulates a second crash during the takeover.
fn prove(rules: Rules, grain: Grain, twice: &[&str]) {
    let mut all = Count::default();
    for operation in ALL {
        let count = crash(rules, operation, grain, twice.contains(&operation.name));
        println!("COUNTED crashes of {:?} on {rules:?}: {count}", operation.name);
        assert!(count.cut > 0 && count.taken_over > 0, "{} changes nothing", operation.name);
        all.changes += count.changes;
        all.cut += count.cut;
        all.taken_over += count.taken_over;
        all.cut_again += count.cut_again;
    }
    println!("COUNTED crashes of {} operations on {rules:?}: {all}", ALL.len());
}

/// Creates a folder, in a memory file system if available, because the test creates thousands of files.
fn folder() -> tempfile::TempDir {
    let memory = Path::new("/dev/shm");
    tempfile::tempdir_in(memory).or_else(|_| tempfile::tempdir()).unwrap()
}

struct Desk {
    folder: tempfile::TempDir,
    laid_out: usize,
}

impl Desk {
    /// Writes the tree as real files, calls `look`, and removes the files.
    fn lay_out<T>(&mut self, tree: &Tree, look: impl FnOnce(&Path) -> T) -> T {
        self.laid_out += 1;
        let root: PathBuf = self.folder.path().join(self.laid_out.to_string());
        lay_out(tree, &root);
        let seen = look(&root);
        fs::remove_dir_all(&root).unwrap();
        seen
    }
}

fn crash(rules: Rules, operation: &Operation, grain: Grain, twice: bool) -> Count {
    let mut desk = Desk { folder: folder(), laid_out: 0 };
    let root = desk.folder.path().join("beads");
    fs::create_dir(&root).unwrap();
    (operation.before)(&root).unwrap();
    let before = Disk::of(&root, rules);
    let mut steps = vec![Seen::of(&root)];
    let changes = record(|| {
        (operation.run)(&root, &mut || {
            tell(|| Change::Acknowledged);
            steps.push(Seen::of(&root));
        })
        .unwrap();
    });
    let mut after = before.clone();
    changes.iter().for_each(|change| after.take(change));
    assert_eq!(after.seen(), scan(&root), "{}: something bypassed the recorded calls", operation.name);

    let mut count = Count { changes: changes.len(), ..Count::default() };
    let (mut disk, mut acknowledged) = (before, 0);
    let (mut cut, mut cut_twice, mut killed) = (HashSet::new(), HashSet::new(), HashSet::new());
    for done in 0..=changes.len() {
        if let Some(change) = done.checked_sub(1).map(|last| &changes[last]) {
            disk.take(change);
            acknowledged += usize::from(matches!(change, Change::Acknowledged));
        }
        let (was, becomes) = (&steps[acknowledged], &steps[(acknowledged + 1).min(steps.len() - 1)]);
        let at = format!("{} crashed after {:?}", operation.name, &changes[..done]);
        disk.after_a_power_cut(grain, |tree| {
            if cut.insert((tree.clone(), acknowledged)) {
                count.cut += 1;
                power_cut(&mut desk, &tree, (was, becomes), None, &at);
            }
        });
        disk.after_a_power_cut(FEW, |tree| {
            if twice && cut_twice.insert((tree.clone(), acknowledged)) {
                count.cut_again += power_cut(&mut desk, &tree, (was, becomes), Some(rules), &at);
            }
        });
        if killed.insert((disk.seen(), acknowledged)) {
            for going in [Going::On, Going::Nowhere] {
                count.taken_over += kill(&mut desk, &disk, was, becomes, going, &at);
            }
        }
    }
    count
}

/// Opens the state after a power cut and takes over the store. If `twice` contains rules, a second power cut
/// under these rules occurs during the takeover. Returns the number of states after the second power cut.
fn power_cut(
    desk: &mut Desk,
    tree: &Tree,
    (was, becomes): (&Seen, &Seen),
    twice: Option<Rules>,
    at: &str,
) -> usize {
    let mut left = HashSet::new();
    let (found, then) = desk.lay_out(tree, |root| {
        let found = Seen::of(root);
        let told = |why: String| panic!("{at}: {why}\nleft: {tree:?}\nwas: {was:#?}\nis: {found:#?}");
        found.is_between(was, becomes).unwrap_or_else(told);
        let mut disk = twice.map(|rules| Disk::of(root, rules));
        let changes = record(|| drop(take_over(root, Going::On)));
        for change in &changes {
            let Some(disk) = &mut disk else { break };
            disk.take(change);
            disk.after_a_power_cut(FEW, |tree| {
                left.insert(tree);
            });
        }
        let then = Seen::of(root);
        (found, then)
    });
    for tree in &left {
        desk.lay_out(tree, |root| {
            let seen = Seen::of(root);
            let told = |why| {
                panic!("{at}, taken over, cut again: {why}\nleft: {tree:?}\nwas: {found:#?}\nis: {seen:#?}")
            };
            seen.is_on_the_way(&found, &then).unwrap_or_else(told);
            take_over(root, Going::On);
        });
    }
    left.len()
}

/// Simulates a kill while the power stays on, so that the next process sees all changes. All data that the
/// next process saw, or that was acknowledged to it, must survive a power cut.
fn kill(desk: &mut Desk, disk: &Disk, was: &Seen, becomes: &Seen, going: Going, at: &str) -> usize {
    let mut states = HashSet::new();
    let (changes, mut disk, saw, now) = desk.lay_out(&disk.seen(), |root| {
        let disk = disk.moved(root);
        let mut saw = None;
        let changes = record(|| saw = Some(take_over(root, going)));
        (changes, disk, saw.expect("the takeover was recorded"), Seen::of(root))
    });
    saw.is_between(was, becomes).unwrap_or_else(|why| panic!("{at}, killed: {why}"));
    changes.iter().for_each(|change| disk.take(change));
    disk.after_a_power_cut(FEW, |tree| {
        states.insert(tree);
    });
    for tree in &states {
        desk.lay_out(tree, |root| {
            let seen = Seen::of(root);
            let told = |why| {
                panic!("{at}, killed, taken over going {going:?}: {why}\nleft: {seen:#?}\nwas: {now:#?}")
            };
            // No process relied on the removal from the trash, so the session may have reappeared.
            seen.is_between(&now, &now.with_bin_of(was)).unwrap_or_else(told);
        });
    }
    states.len()
}
