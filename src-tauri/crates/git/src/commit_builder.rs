//! Builds commits without a checkout: creates blobs, trees and commits directly, and moves a branch only
//! from its expected commit. The index, HEAD and the working tree stay unchanged. If the process is killed, the
//! branch is at its old or its new commit.

use crate::{
    error::GitError,
    program::{refusal, succeeded, text_line},
    repo::Repo,
};
use std::{collections::BTreeMap, fmt::Write, time::Duration};

/// An object of the repository, by its hash.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId(String);

impl ObjectId {
    /// The hash.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The object with this hash. `None` if it is not a full hash.
    pub fn parsed(hash: &str) -> Option<ObjectId> {
        let full = matches!(hash.len(), 40 | 64) && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
        full.then(|| ObjectId(hash.to_owned()))
    }
}

/// The result of moving a branch or another reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RefMove {
    /// The reference is at its new commit.
    Done,
    /// Another process moved the reference first, or is moving it now.
    Raced,
}

struct Entry {
    mode: String,
    kind: String,
    id: ObjectId,
    name: Vec<u8>,
}

/// The age at which a reference's lock counts as left by a crash, because git holds such a lock only briefly.
const STALE_LOCK_AGE: Duration = Duration::from_secs(60);

/// The author and committer of checkpoints, and of our other commits if git finds no identity and would refuse
/// to commit.
pub(crate) const FALLBACK_IDENTITY: [(&str, &str); 4] = [
    ("GIT_AUTHOR_NAME", "Beads Console"),
    ("GIT_AUTHOR_EMAIL", "beads-console@localhost"),
    ("GIT_COMMITTER_NAME", "Beads Console"),
    ("GIT_COMMITTER_EMAIL", "beads-console@localhost"),
];

impl Repo {
    /// The commit of a reference, given by its full name; `None` if the reference does not exist.
    pub fn reference(&self, name: &str) -> Result<Option<ObjectId>, GitError> {
        Ok(self.resolve(name)?.map(ObjectId))
    }

    /// The commit that a revision names.
    pub fn commit_of(&self, revision: &str) -> Result<ObjectId, GitError> {
        self.commit(revision).map(ObjectId)
    }

    /// The files below a folder of a commit, by their paths relative to the folder. Empty if the commit lacks
    /// the folder. Paths that are not UTF-8 are left out.
    pub fn files_of(&self, commit: &ObjectId, folder: &str) -> Result<BTreeMap<String, ObjectId>, GitError> {
        const DOING: &str = "list the files of a commit";
        let tree = format!("{}:{folder}", commit.0);
        if !self.git.ask(DOING, self.top_level(), ["cat-file", "-e", &tree])?.ok() {
            return Ok(BTreeMap::new());
        }
        let done = self.git.read(DOING, self.top_level(), ["ls-tree", "-r", "-z", "--full-tree", &tree])?;
        let entries = entries(&done.stdout).ok_or_else(|| self.unreadable(DOING))?;
        let blobs = entries.into_iter().filter(|entry| entry.kind == "blob");
        Ok(blobs.filter_map(|entry| Some((String::from_utf8(entry.name).ok()?, entry.id))).collect())
    }

    /// The empty tree, which represents the state before the first commit.
    pub fn empty_tree(&self) -> Result<ObjectId, GitError> {
        self.object("name the empty tree", &["hash-object", "-t", "tree", "--stdin"], b"", &[])
    }

    /// The bytes of a blob.
    pub fn blob(&self, id: &ObjectId) -> Result<Vec<u8>, GitError> {
        self.git.read_blob(self.top_level(), &id.0)
    }

    /// Stores bytes as a blob.
    pub fn write_blob(&self, bytes: &[u8]) -> Result<ObjectId, GitError> {
        let args = ["hash-object", "-w", "--no-filters", "--stdin"];
        self.object("store a file", &args, bytes, &[])
    }

    /// Creates a commit with these parents, in which the folder has exactly these files. All files outside
    /// the folder come from the first parent.
    pub fn commit_folder(
        &self,
        parents: &[ObjectId],
        folder: &str,
        files: &BTreeMap<String, ObjectId>,
        message: &str,
    ) -> Result<ObjectId, GitError> {
        let root = match parents.first() {
            Some(parent) => self.tree(&parent.0)?,
            None => Vec::new(),
        };
        let names: Vec<&str> = folder.split('/').filter(|name| !name.is_empty()).collect();
        let inner = self.folder_tree(files)?;
        let tree = self.placed(root, &names, inner)?;
        let mut args = vec!["commit-tree", tree.as_str()];
        for parent in parents {
            args.extend(["-p", parent.as_str()]);
        }
        self.object("make a commit", &args, message.as_bytes(), self.identity()?)
    }

    /// Variables with the author and committer of our commits; empty if git finds an identity.
    pub(crate) fn identity(&self) -> Result<&'static [(&'static str, &'static str)], GitError> {
        let known =
            self.git.ask("read the committer", self.top_level(), ["var", "GIT_COMMITTER_IDENT"])?.ok();
        Ok(if known { &[] } else { &FALLBACK_IDENTITY })
    }

    /// Moves a reference, given by its full name, from its expected commit `seen`. If `seen` is `None`,
    /// creates the reference, which must not exist.
    pub fn move_reference(
        &self,
        name: &str,
        to: &ObjectId,
        seen: Option<&ObjectId>,
    ) -> Result<RefMove, GitError> {
        const DOING: &str = "move a branch";
        let seen_as = seen.map_or("", ObjectId::as_str);
        let args = ["update-ref", "-m", "beads-console backup", name, to.as_str(), seen_as];
        let done = self.git.change(DOING, self.top_level(), args)?;
        if done.ok() {
            return Ok(RefMove::Done);
        }
        // A recent lock belongs to a process that is moving the branch now. A crash left an old one, which is
        // an error.
        let refused = refusal(DOING, self.top_level(), &done);
        let held =
            matches!(&refused, GitError::Busy { age, .. } if age.is_none_or(|age| age < STALE_LOCK_AGE));
        match held || self.reference(name)?.as_ref() != seen {
            true => Ok(RefMove::Raced),
            false => Err(refused),
        }
    }

    /// Whether `older` is an ancestor of `commit`, or the same commit.
    pub fn is_ancestor(&self, older: &ObjectId, commit: &ObjectId) -> Result<bool, GitError> {
        let args = ["merge-base", "--is-ancestor", older.as_str(), commit.as_str()];
        self.answers_yes("compare two commits", args)
    }

    /// The number of commits that only the first has, and the number that only the second has.
    pub fn divergence(&self, one: &ObjectId, other: &ObjectId) -> Result<(u32, u32), GitError> {
        const DOING: &str = "compare two commits";
        let range = format!("{}...{}", one.0, other.0);
        let done =
            self.git.read(DOING, self.top_level(), ["rev-list", "--left-right", "--count", &range, "--"])?;
        let out = done.out();
        let mut counts = out.split_whitespace().map(str::parse);
        match (counts.next(), counts.next()) {
            (Some(Ok(left)), Some(Ok(right))) => Ok((left, right)),
            _ => Err(self.unreadable(DOING)),
        }
    }

    /// Creates a tree with these files and the folders on their paths.
    fn folder_tree(&self, files: &BTreeMap<String, ObjectId>) -> Result<ObjectId, GitError> {
        let mut below: BTreeMap<&str, BTreeMap<String, ObjectId>> = BTreeMap::new();
        let mut entries = Vec::new();
        for (path, id) in files {
            match path.split_once('/') {
                Some((folder, rest)) => {
                    below.entry(folder).or_default().insert(rest.to_owned(), id.clone());
                }
                None => entries.push(Entry::file(path, id)),
            }
        }
        for (folder, files) in below {
            entries.push(Entry::folder(folder, &self.folder_tree(&files)?));
        }
        self.write_tree(&entries)
    }

    /// Creates a copy of `tree` with `inner` at this path.
    fn placed(&self, mut tree: Vec<Entry>, names: &[&str], inner: ObjectId) -> Result<ObjectId, GitError> {
        let Some((name, rest)) = names.split_first() else { return Ok(inner) };
        let at = tree.iter().position(|entry| entry.name == name.as_bytes());
        let replaced = at.map(|at| tree.swap_remove(at));
        let below = match replaced.filter(|entry| entry.kind == "tree" && !rest.is_empty()) {
            Some(entry) => self.tree(entry.id.as_str())?,
            None => Vec::new(),
        };
        let id = self.placed(below, rest, inner)?;
        tree.push(Entry::folder(name, &id));
        self.write_tree(&tree)
    }

    fn tree(&self, of: &str) -> Result<Vec<Entry>, GitError> {
        const DOING: &str = "read a tree";
        let done = self.git.read(DOING, self.top_level(), ["ls-tree", "-z", "--full-tree", of])?;
        entries(&done.stdout).ok_or_else(|| self.unreadable(DOING))
    }

    fn write_tree(&self, entries: &[Entry]) -> Result<ObjectId, GitError> {
        let mut input = Vec::new();
        for Entry { mode, kind, id, name } in entries {
            let mut head = String::new();
            write!(head, "{mode} {kind} {}\t", id.0).expect("writing to a String cannot fail");
            input.extend_from_slice(head.as_bytes());
            input.extend_from_slice(name);
            input.push(0);
        }
        self.object("store a tree", &["mktree", "-z"], &input, &[])
    }

    /// Runs a git command that prints the id of a new object.
    pub(crate) fn object(
        &self,
        doing: &'static str,
        args: &[&str],
        input: &[u8],
        env: &[(&str, &str)],
    ) -> Result<ObjectId, GitError> {
        let done = self.git.make(doing, self.top_level(), args, input, env)?;
        self.object_id(doing, &succeeded(doing, self.top_level(), done)?.stdout)
    }

    /// Parses git's output as the id of an object.
    pub(crate) fn object_id(&self, doing: &'static str, output: &[u8]) -> Result<ObjectId, GitError> {
        ObjectId::parsed(&text_line(output)).ok_or_else(|| self.unreadable(doing))
    }
}

impl Entry {
    fn file(name: &str, id: &ObjectId) -> Entry {
        Entry { mode: "100644".to_owned(), kind: "blob".to_owned(), id: id.clone(), name: name.into() }
    }

    fn folder(name: &str, id: &ObjectId) -> Entry {
        Entry { mode: "040000".to_owned(), kind: "tree".to_owned(), id: id.clone(), name: name.into() }
    }
}

/// Parses the output of `ls-tree -z`: mode, kind, hash, a tab, the name. `None` if it has another form.
fn entries(bytes: &[u8]) -> Option<Vec<Entry>> {
    let lines = bytes.split(|byte| *byte == 0).filter(|line| !line.is_empty());
    lines
        .map(|line| {
            let tab = line.iter().position(|byte| *byte == b'\t')?;
            let mut head = std::str::from_utf8(&line[..tab]).ok()?.split(' ').map(str::to_owned);
            let (mode, kind, id) = (head.next()?, head.next()?, ObjectId(head.next()?));
            Some(Entry { mode, kind, id, name: line[tab + 1..].to_vec() })
        })
        .collect()
}

#[cfg(test)]
mod tests;
