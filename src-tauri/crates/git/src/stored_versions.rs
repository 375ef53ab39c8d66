//! Keeps versions of files under private references, which protect them from garbage collection, so that our
//! changes can be undone even after a restart.
//!
//! A version is a commit without parents. Its files are the kept contents, and its message is a record of the
//! change. References are outside `refs/heads`, so that by default no fetch or push includes them.

use crate::{ObjectId, RefMove, error::GitError, repo::Repo};
use std::collections::BTreeMap;

/// A kept version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptVersion {
    /// The last component of its reference.
    pub name: String,
    pub commit: ObjectId,
    /// The commit's message: a record of the change, in the caller's format.
    pub record: String,
}

impl Repo {
    /// Keeps these blobs with a record under `{folder}/{name}`; `seen` is the commit of the replaced version,
    /// if any. Fails if the reference is at another commit.
    pub fn keep_version(
        &self,
        folder: &str,
        name: &str,
        files: &BTreeMap<String, ObjectId>,
        record: &str,
        seen: Option<&ObjectId>,
    ) -> Result<ObjectId, GitError> {
        let commit = self.commit_folder(&[], "", files, record)?;
        match self.move_reference(&format!("{folder}/{name}"), &commit, seen)? {
            RefMove::Done => Ok(commit),
            RefMove::Raced => Err(GitError::Failed {
                doing: "store a version",
                dir: self.top_level().to_owned(),
                said: format!("another process changed {folder}/{name}"),
            }),
        }
    }

    /// Parses a full hash, for example of a kept blob. Does not check that the object exists.
    pub fn object_named(&self, hash: &str) -> Result<ObjectId, GitError> {
        ObjectId::parsed(hash).ok_or_else(|| GitError::NoSuchCommit {
            revision: bc_core::text::cut(hash, 80),
            path: self.main_root().to_owned(),
        })
    }

    /// The versions kept in this folder of references, in the order of their names.
    pub fn stored_versions(&self, folder: &str) -> Result<Vec<KeptVersion>, GitError> {
        let prefix = format!("{folder}/");
        // Records contain no NUL byte, and the names of references contain no space.
        let format = "--format=%(refname) %(objectname)%00%(contents)%00";
        let args = ["for-each-ref", format, &prefix];
        let done = self.git.read("list kept versions", self.top_level(), args)?;
        let out = done.out();
        let mut fields = out.split('\0');
        let mut versions = Vec::new();
        while let (Some(head), Some(record)) = (fields.next(), fields.next()) {
            let Some((name, commit)) = head.trim_start_matches('\n').split_once(' ') else { continue };
            if let Some(name) = name.strip_prefix(&prefix) {
                let commit = self.commit_of(commit)?;
                versions.push(KeptVersion { name: name.to_owned(), commit, record: record.to_owned() });
            }
        }
        Ok(versions)
    }

    /// Removes a kept version; fails if it was replaced meanwhile.
    pub fn drop_version(&self, folder: &str, version: &KeptVersion) -> Result<(), GitError> {
        let name = format!("{folder}/{}", version.name);
        let args = ["update-ref", "-d", &name, version.commit.as_str()];
        self.git.execute("remove a kept version", self.top_level(), args)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Sandbox;

    #[test]
    fn versions_are_listed_replaced_and_removed() {
        let sandbox = Sandbox::with_commit();
        let repo = sandbox.repo();
        let folder = "refs/beads-console/test/one";
        assert_eq!(repo.stored_versions(folder).unwrap(), []);
        let blob = repo.write_blob(b"bytes\r\n\0").unwrap();
        let files: BTreeMap<_, _> = [("0".to_owned(), blob.clone())].into();
        let first = repo.keep_version(folder, "b", &files, "{\"n\": 1}\n", None).unwrap();
        assert!(repo.keep_version(folder, "b", &files, "other", None).is_err(), "it exists");
        repo.keep_version(folder, "b", &files, "{\"n\": 2}\n", Some(&first)).unwrap();
        repo.keep_version(folder, "a", &files, "first line\n\nsecond\n", None).unwrap();
        let all = repo.stored_versions(folder).unwrap();
        let told: Vec<_> = all.iter().map(|one| (one.name.as_str(), one.record.trim())).collect();
        assert_eq!(told, [("a", "first line\n\nsecond"), ("b", "{\"n\": 2}")]);
        sandbox.run(&["gc", "-q", "--prune=now"]);
        assert_eq!(repo.blob(&repo.files_of(&all[1].commit, "").unwrap()["0"]).unwrap(), b"bytes\r\n\0");
        repo.drop_version(folder, &all[0]).unwrap();
        assert_eq!(repo.stored_versions(folder).unwrap().len(), 1);
        assert!(sandbox.run_any(&["branch", "--list"]).out().lines().count() == 1);
    }
}
