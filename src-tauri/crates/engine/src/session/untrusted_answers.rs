//! Checks answers of a place, which is not trusted: names that this machine prints or uses as keys have their known
//! form, and occur once.

use bc_git::ObjectId;
use bc_wire::session::*;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::collections::HashSet;

/// The maximum length of a name, in bytes.
const NAME_MAX: usize = 200;

/// An answer from a place.
pub(super) trait UntrustedAnswer: DeserializeOwned {
    /// The answer without unusable parts.
    fn checked(self) -> Self;
}

/// The content of a file.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct FileContent {
    pub(super) base64: String,
}

/// Whether the text has only characters of references and file names that need no quotes.
fn is_name(text: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || "-_./".contains(c);
    !text.is_empty() && text.len() <= NAME_MAX && text.chars().all(fits)
}

fn is_hash(text: &str) -> bool {
    ObjectId::parsed(text).is_some()
}

fn keep_once<T>(list: &mut Vec<T>, key: impl Fn(&T) -> &str) {
    let mut seen = HashSet::new();
    list.retain(|one| seen.insert(key(one).to_owned()));
}

impl UntrustedAnswer for SessionChanges {
    fn checked(mut self) -> Self {
        self.commits.retain(|commit| is_hash(&commit.hash));
        keep_once(&mut self.commits, |commit| &commit.hash);
        keep_once(&mut self.files, |file| &file.path);
        keep_once(&mut self.notes, |note| note);
        self
    }
}

impl UntrustedAnswer for FileLines {
    fn checked(self) -> Self {
        self
    }
}

impl UntrustedAnswer for Attached {
    fn checked(self) -> Self {
        self
    }
}

impl UntrustedAnswer for FileContent {
    fn checked(self) -> Self {
        self
    }
}

impl UntrustedAnswer for CommitPreview {
    fn checked(mut self) -> Self {
        self.skipped_hooks.retain(|hook| is_name(hook));
        keep_once(&mut self.skipped_hooks, |hook| hook);
        keep_once(&mut self.files, |file| &file.path);
        self
    }
}

impl UntrustedAnswer for Committed {
    fn checked(mut self) -> Self {
        if !is_hash(&self.hash) {
            self.hash.clear();
        }
        self
    }
}

impl UntrustedAnswer for KeptRevert {
    fn checked(mut self) -> Self {
        if !is_name(&self.revert) {
            self.revert.clear();
        }
        self
    }
}

impl UntrustedAnswer for KeptReverts {
    fn checked(mut self) -> Self {
        self.reverts.retain(|one| is_name(&one.revert));
        keep_once(&mut self.reverts, |one| &one.revert);
        self
    }
}

impl UntrustedAnswer for SessionCheckpoints {
    fn checked(mut self) -> Self {
        self.checkpoints.retain(|line| is_name(&line.reference) && line.head.as_deref().is_none_or(is_hash));
        self.checkpoints.dedup_by_key(|line| line.number);
        keep_once(&mut self.notes, |note| note);
        self
    }
}

impl UntrustedAnswer for CheckpointChanges {
    fn checked(mut self) -> Self {
        keep_once(&mut self.files, |file| &file.path);
        self
    }
}

impl UntrustedAnswer for FilesRestored {
    fn checked(mut self) -> Self {
        self.reference = self.reference.filter(|reference| is_name(reference));
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_and_hashes_in_their_known_form_remain() {
        let commit = |hash: &str| {
            let text = format!(r#"{{"hash":"{hash}","subject":"x","files":1}}"#);
            serde_json::from_str::<Committed>(&text).unwrap().checked().hash
        };
        let hash = "0123456789abcdef0123456789abcdef01234567";
        assert_eq!([commit(hash), commit("--all"), commit(&hash[1..])], [hash, "", ""]);
        for (name, fits) in
            [("refs/beads-console/x-1", true), ("a b", false), ("\u{1b}c", false), ("", false)]
        {
            assert_eq!(is_name(name), fits, "{name:?}");
        }
        assert!(!is_name(&"x".repeat(NAME_MAX + 1)));
        let mut list = vec!["a".to_owned(), "b".to_owned(), "a".to_owned()];
        keep_once(&mut list, |one| one);
        assert_eq!(list, ["a", "b"]);
    }
}
