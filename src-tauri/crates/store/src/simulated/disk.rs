//! A simulated file system with a cache: the state on disk, and later changes that may not have reached the
//! disk.

use super::{
    contents::possible,
    prove::Grain,
    recorder::Change,
    rules::Rules,
    tree::{Thing, Tree, scan},
};
use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    ffi::OsString,
    fs,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
    sync::Arc,
};

/// The location of a folder entry: the folder and the entry's name.
type Place = (usize, OsString);

#[derive(Debug, Clone)]
enum Node {
    Folder(BTreeMap<OsString, usize>),
    File(Vec<u8>),
}

/// A change that may not be on disk yet.
#[derive(Debug, Clone)]
enum Step {
    Link { place: Place, node: usize },
    Unlink { place: Place },
    Move { from: Place, to: Place, node: usize },
    Write { node: usize, at: usize, bytes: Vec<u8> },
    Cut { node: usize, len: usize },
}

/// A simulated disk that contains one folder.
#[derive(Debug, Clone)]
pub(super) struct Disk {
    root: PathBuf,
    rules: Rules,
    durable: Vec<Node>,
    live: Vec<Node>,
    pending: Vec<Step>,
    inodes: HashMap<u64, usize>,
}

impl Disk {
    /// Creates a disk with the folder's current content, all of it synced.
    pub(super) fn of(root: &Path, rules: Rules) -> Disk {
        let mut disk = Disk {
            root: root.into(),
            rules,
            durable: vec![Node::Folder(BTreeMap::new())],
            live: vec![Node::Folder(BTreeMap::new())],
            pending: Vec::new(),
            inodes: HashMap::new(),
        };
        for (path, thing) in scan(root) {
            let path = root.join(path);
            match thing {
                Thing::Folder => disk.take(&Change::MadeDir { path }),
                Thing::File(bytes) => {
                    let inode = fs::metadata(&path).unwrap().ino();
                    disk.take(&Change::Made { path, inode });
                    disk.take(&Change::Written { inode, at: 0, bytes: bytes.to_vec() });
                }
            }
        }
        disk.durable = disk.live.clone();
        disk.pending.clear();
        disk
    }

    /// Returns the same disk with the same pending changes, after its visible state was copied to another
    /// folder.
    pub(super) fn moved(&self, root: &Path) -> Disk {
        let mut disk = Disk { root: root.into(), inodes: HashMap::new(), ..self.clone() };
        for path in self.seen().into_keys() {
            let path = root.join(path);
            let (folder, name) = disk.place(&path);
            disk.inodes.insert(fs::metadata(&path).unwrap().ino(), disk.entries(folder)[&name]);
        }
        disk
    }

    pub(super) fn take(&mut self, change: &Change) {
        match change {
            Change::Made { path, inode } => {
                let node = self.add(Node::File(Vec::new()));
                self.inodes.insert(*inode, node);
                self.wait(Step::Link { place: self.place(path), node });
            }
            Change::MadeDir { path } => {
                let node = self.add(Node::Folder(BTreeMap::new()));
                self.wait(Step::Link { place: self.place(path), node });
            }
            Change::Written { inode, at, bytes } => {
                let (node, at) = (self.inodes[inode], usize::try_from(*at).unwrap());
                self.wait(Step::Write { node, at, bytes: bytes.clone() });
            }
            Change::Cut { inode, len } => {
                self.wait(Step::Cut { node: self.inodes[inode], len: usize::try_from(*len).unwrap() });
            }
            Change::Renamed { from, to } => {
                let (from, to) = (self.place(from), self.place(to));
                let node = self.entries(from.0)[&from.1];
                self.wait(Step::Move { from, to, node });
            }
            Change::Removed { path } => self.wait(Step::Unlink { place: self.place(path) }),
            Change::Synced { inode } if self.rules.sync_reaches_disk() => {
                let synced = self.inodes[inode];
                self.settle(|step| step.content_of() == Some(synced));
            }
            Change::SyncedDir { path } if self.rules.folder_sync_reaches_disk() => self.sync_dir(path),
            Change::Synced { .. } | Change::SyncedDir { .. } | Change::Acknowledged => {}
        }
    }

    /// Returns the state that programs see while the power stays on.
    pub(super) fn seen(&self) -> Tree {
        tree(&self.live, &|node| match &self.live[node] {
            Node::File(bytes) => Arc::from(&bytes[..]),
            Node::Folder(_) => unreachable!("only called for files"),
        })
    }

    /// Calls `each` with every possible state after a power cut. Some states are passed repeatedly.
    pub(super) fn after_a_power_cut(&self, grain: Grain, mut each: impl FnMut(Tree)) {
        let entries: Vec<&Step> = self.pending.iter().filter(|step| step.content_of().is_none()).collect();
        let choices: Vec<u32> = match self.rules.has_journal() {
            true => (0..=entries.len()).map(|first| (1 << first) - 1).collect(),
            false => {
                assert!(entries.len() <= 14, "too many unsynced names to enumerate: {entries:?}");
                (0..1 << entries.len()).collect()
            }
        };
        let contents: HashMap<usize, Vec<Arc<[u8]>>> = self
            .pending
            .iter()
            .filter_map(Step::content_of)
            .map(|node| (node, self.contents(node, grain)))
            .collect();
        for chosen in choices {
            let mut nodes = self.durable.clone();
            for (at, step) in entries.iter().enumerate() {
                if chosen & 1 << at != 0 {
                    perform(&mut nodes, step);
                }
            }
            let unsynced: Vec<usize> =
                reachable(&nodes).into_iter().filter(|node| contents.contains_key(node)).collect();
            self.mix(&nodes, &unsynced, &contents, &mut HashMap::new(), &mut each);
        }
    }

    /// Calls `each` with every combination of the unsynced files' possible contents.
    fn mix(
        &self,
        nodes: &[Node],
        unsynced: &[usize],
        contents: &HashMap<usize, Vec<Arc<[u8]>>>,
        chosen: &mut HashMap<usize, Arc<[u8]>>,
        each: &mut impl FnMut(Tree),
    ) {
        let Some((&first, rest)) = unsynced.split_first() else {
            return each(tree(nodes, &|node| match (chosen.get(&node), &nodes[node]) {
                (Some(bytes), _) => bytes.clone(),
                (None, Node::File(bytes)) => Arc::from(&bytes[..]),
                (None, Node::Folder(_)) => unreachable!("only called for files"),
            }));
        };
        for bytes in &contents[&first] {
            chosen.insert(first, bytes.clone());
            self.mix(nodes, rest, contents, chosen, each);
        }
    }

    fn contents(&self, file: usize, grain: Grain) -> Vec<Arc<[u8]>> {
        let mut nodes = self.durable.clone();
        let bytes = |nodes: &[Node]| match &nodes[file] {
            Node::File(bytes) => bytes.clone(),
            Node::Folder(_) => unreachable!("only files are written"),
        };
        let mut versions = vec![bytes(&nodes)];
        for step in self.pending.iter().filter(|step| step.content_of() == Some(file)) {
            perform(&mut nodes, step);
            versions.push(bytes(&nodes));
        }
        possible(&versions, grain).into_iter().collect()
    }

    /// Syncs a folder. This includes earlier changes to the same entries in other folders or, with a journal,
    /// all earlier changes to entries.
    fn sync_dir(&mut self, path: &Path) {
        let folder = if path == self.root {
            0
        } else {
            let (parent, name) = self.place(path);
            self.entries(parent)[&name]
        };
        if self.rules.has_journal() {
            let last =
                self.pending.iter().rposition(|step| step.places().iter().any(|place| place.0 == folder));
            let later = self.pending.split_off(last.map_or(0, |last| last + 1));
            self.settle(|step| step.content_of().is_none());
            return self.pending.extend(later);
        }
        let mut settled: BTreeSet<Place> = BTreeSet::new();
        for step in self.pending.iter().rev() {
            let places = step.places();
            if places.iter().any(|place| place.0 == folder || settled.contains(*place)) {
                settled.extend(places.into_iter().cloned());
            }
        }
        self.settle(|step| step.places().iter().any(|place| settled.contains(*place)));
    }

    fn settle(&mut self, which: impl Fn(&Step) -> bool) {
        let (now, later) = std::mem::take(&mut self.pending).into_iter().partition(which);
        self.pending = later;
        let now: Vec<Step> = now;
        now.iter().for_each(|step| perform(&mut self.durable, step));
    }

    fn wait(&mut self, step: Step) {
        perform(&mut self.live, &step);
        self.pending.push(step);
    }

    fn add(&mut self, node: Node) -> usize {
        self.durable.push(node.clone());
        self.live.push(node);
        self.live.len() - 1
    }

    fn place(&self, path: &Path) -> Place {
        let below =
            path.strip_prefix(&self.root).unwrap_or_else(|_| panic!("{} is not in the root", path.display()));
        let folder = below.parent().expect("the root itself has no entry");
        let folder = folder.iter().fold(0, |folder, name| self.entries(folder)[name]);
        (folder, below.file_name().expect("the path has a name").into())
    }

    fn entries(&self, folder: usize) -> &BTreeMap<OsString, usize> {
        match &self.live[folder] {
            Node::Folder(entries) => entries,
            Node::File(_) => panic!("a file has no entries"),
        }
    }
}

impl Step {
    /// Returns the file whose content this change affects, if any.
    fn content_of(&self) -> Option<usize> {
        match self {
            Step::Write { node, .. } | Step::Cut { node, .. } => Some(*node),
            Step::Link { .. } | Step::Unlink { .. } | Step::Move { .. } => None,
        }
    }

    /// Returns the entries that this change affects.
    fn places(&self) -> Vec<&Place> {
        match self {
            Step::Link { place, .. } | Step::Unlink { place } => vec![place],
            Step::Move { from, to, .. } => vec![from, to],
            Step::Write { .. } | Step::Cut { .. } => vec![],
        }
    }
}

fn perform(nodes: &mut [Node], step: &Step) {
    let mut entry = |place: &Place, node: Option<usize>| {
        let Node::Folder(entries) = &mut nodes[place.0] else { panic!("a file has no entries") };
        match node {
            Some(node) => drop(entries.insert(place.1.clone(), node)),
            None => drop(entries.remove(&place.1)),
        }
    };
    match step {
        Step::Link { place, node } => entry(place, Some(*node)),
        Step::Unlink { place } => entry(place, None),
        Step::Move { from, to, node } => {
            entry(from, None);
            entry(to, Some(*node));
        }
        Step::Write { node, at, bytes } => {
            let Node::File(content) = &mut nodes[*node] else { panic!("a folder is not written") };
            content.resize(content.len().max(at + bytes.len()), 0);
            content[*at..at + bytes.len()].copy_from_slice(bytes);
        }
        Step::Cut { node, len } => {
            let Node::File(content) = &mut nodes[*node] else { panic!("a folder is not cut") };
            content.resize(*len, 0);
        }
    }
}

fn reachable(nodes: &[Node]) -> BTreeSet<usize> {
    let (mut found, mut next) = (BTreeSet::new(), vec![0]);
    while let Some(node) = next.pop() {
        if found.insert(node)
            && let Node::Folder(entries) = &nodes[node]
        {
            next.extend(entries.values());
        }
    }
    found
}

fn tree(nodes: &[Node], content: &dyn Fn(usize) -> Arc<[u8]>) -> Tree {
    let mut found = Tree::new();
    let mut folders = vec![(PathBuf::new(), 0)];
    while let Some((path, folder)) = folders.pop() {
        let Node::Folder(entries) = &nodes[folder] else { unreachable!("only folders are queued") };
        for (name, &node) in entries {
            let path = path.join(name);
            match &nodes[node] {
                Node::Folder(_) => {
                    folders.push((path.clone(), node));
                    found.insert(path, Thing::Folder);
                }
                Node::File(_) => drop(found.insert(path, Thing::File(content(node)))),
            }
        }
    }
    found
}
