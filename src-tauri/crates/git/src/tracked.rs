//! Which files a working tree tracks, as its index says: whoever only wants to know that of some files needs no git.
//!
//! Invariant: what is found here git would list as well. An index of another kind, or that is cut off, is left to git.

use std::{collections::HashSet, path::Path};

/// What an entry has before its name: the file's times and numbers, its hash (SHA-1), flags.
const BEFORE_NAME: usize = 62;
/// The flag of an entry that has more flags, and the bits with the length of its name.
const MORE_FLAGS: u16 = 0x4000;
const LENGTH: u16 = 0x0fff;

/// Whether an index has all of these files.
pub(crate) fn has_all(index: &[u8], files: &HashSet<&Path>) -> bool {
    let mut missing: HashSet<&[u8]> = files.iter().map(|file| file.as_os_str().as_encoded_bytes()).collect();
    let Some(names) = Names::of(index) else { return false };
    for name in names {
        missing.remove(name);
        if missing.is_empty() {
            return true;
        }
    }
    missing.is_empty()
}

/// The names of an index's entries, as far as it can be read.
struct Names<'a> {
    rest: &'a [u8],
    left: u32,
}

impl<'a> Names<'a> {
    fn of(index: &'a [u8]) -> Option<Names<'a>> {
        let (head, rest) = index.split_at_checked(12)?;
        let known = head.starts_with(b"DIRC") && matches!(number(&head[4..8]), 2 | 3);
        known.then(|| Names { rest, left: number(&head[8..12]) })
    }
}

impl<'a> Iterator for Names<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        self.left = self.left.checked_sub(1)?;
        let flags = u16::from_be_bytes(self.rest.get(BEFORE_NAME - 2..BEFORE_NAME)?.try_into().ok()?);
        let begin = BEFORE_NAME + if flags & MORE_FLAGS == 0 { 0 } else { 2 };
        let named = self.rest.get(begin..)?;
        let length = match flags & LENGTH {
            // It does not fit: the name ends with a zero, as all do.
            LENGTH => named.iter().position(|&byte| byte == 0)?,
            length => length.into(),
        };
        let name = named.get(..length)?;
        // One to eight zeros bring the next entry to a multiple of eight.
        self.rest = self.rest.get((begin + length + 8) & !7..)?;
        Some(name)
    }
}

fn number(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0, |number, &byte| number << 8 | u32::from(byte))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Git, Repo, fixture::Sandbox};

    fn has(sandbox: &Sandbox, files: &[&str]) -> bool {
        let index = std::fs::read(sandbox.root().join(".git/index")).unwrap();
        has_all(&index, &files.iter().map(Path::new).collect())
    }

    #[test]
    fn what_is_in_the_index_is_found_and_nothing_else() {
        let sandbox = Sandbox::with_commit();
        let long = "long/".repeat(900) + "name";
        // Names of every length modulo eight.
        let names: Vec<String> = (1..=17).map(|n| "x".repeat(n)).collect();
        for name in &names {
            sandbox.write(name, "x");
        }
        sandbox.write("new, to be added", "x");
        sandbox.run(&["add", "x*"]);
        sandbox.run(&["add", "-N", "new, to be added"]);
        sandbox.run(&["update-index", "--add", "--cacheinfo", &format!("100644,{},{long}", blob(&sandbox))]);
        let all: Vec<&str> = names.iter().map(String::as_str).collect();
        assert!(has(&sandbox, &all));
        assert!(has(&sandbox, &["README.md", "xxx", "new, to be added", &long]));
        assert!(!has(&sandbox, &["README.md", "untracked"]) && !has(&sandbox, &["READM"]));
    }

    fn blob(sandbox: &Sandbox) -> String {
        sandbox.run_any(&["rev-parse", "HEAD:README.md"]).out().trim().to_owned()
    }

    #[test]
    fn an_index_that_is_cut_off_or_of_another_kind_has_nothing_for_sure() {
        let sandbox = Sandbox::with_commit();
        let index = std::fs::read(sandbox.root().join(".git/index")).unwrap();
        let files = HashSet::from([Path::new("README.md")]);
        assert!(has_all(&index, &files));
        assert!((0..BEFORE_NAME + 12).all(|len| !has_all(&index[..len], &files)));
        sandbox.run(&["update-index", "--index-version", "4"]);
        assert!(!has(&sandbox, &["README.md"]));
    }

    #[test]
    fn tracked_files_are_not_ignored_and_git_is_not_asked() {
        let sandbox = Sandbox::with_commit();
        let repo = Repo::discover_with(Git::at("/no/such/git"), sandbox.root()).unwrap();
        assert_eq!(repo.not_ignored(&["README.md"]).unwrap().len(), 1);
        assert!(repo.not_ignored(&["README.md", "untracked"]).is_err());
        sandbox.run(&["config", "extensions.objectFormat", "sha256"]);
        let repo = Repo::discover_with(Git::at("/no/such/git"), sandbox.root()).unwrap();
        assert!(repo.not_ignored(&["README.md"]).is_err(), "its entries are longer");
    }
}
