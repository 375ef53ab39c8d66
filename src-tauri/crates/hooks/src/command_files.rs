//! Finds the repository's files that a user's command names. The user allows the command together with the
//! content of these files, as for a repository's hooks.

use crate::{
    inspect::chain,
    scripts::{file_named, fingerprint, scripts},
};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

/// The files of a repository that a command names, and the files that these files name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandFiles {
    /// The digest of the command, and of the paths and contents of all files.
    pub fingerprint: String,
    /// The contents of the files, by path in the repository.
    pub texts: BTreeMap<PathBuf, String>,
}

/// Finds the repository's files that a command names. `None` if the command names no such files, because then
/// the repository cannot change the command's effect. Returns the reason if a file was refused.
pub fn command_files(words: &[String], cwd: &Path, boundary: &Path) -> Result<Option<CommandFiles>, String> {
    let command = words.join(" ");
    let mut found = scripts([(command.as_str(), cwd)], boundary).map_err(|e| chain(&e))?;
    // The program itself is also added, because the path of a program may contain spaces.
    if let Some(program) = words.first().filter(|word| word.contains('/'))
        && let Some(script) = file_named(program, cwd, boundary).map_err(|e| chain(&e))?
    {
        found.entry(script.path.clone()).or_insert(script);
    }
    if found.is_empty() {
        return Ok(None);
    }
    let fingerprint = fingerprint(words.join("\0").as_bytes(), &found, boundary);
    let texts = found.values().map(|script| {
        let path = script.path.strip_prefix(boundary).unwrap_or(&script.path).to_owned();
        (path, String::from_utf8_lossy(&script.bytes).into_owned())
    });
    Ok(Some(CommandFiles { fingerprint, texts: texts.collect() }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Repo;

    #[test]
    fn repository_programs_are_fingerprinted_and_others_trusted() {
        let repo = Repo::new();
        let of = |line: &[&str]| {
            let words: Vec<String> = line.iter().map(|word| (*word).to_owned()).collect();
            command_files(&words, repo.root(), repo.root()).unwrap()
        };
        assert_eq!(of(&["npm", "ci"]), None);
        repo.write("bin/setup", "#!/bin/sh\n. ./lib.sh\n");
        repo.write("lib.sh", "true\n");
        let first = of(&["./bin/setup", "--fast"]).unwrap();
        assert_eq!(first.texts.len(), 2, "{first:?}");
        assert_ne!(
            of(&["./bin/setup"]).unwrap().fingerprint,
            first.fingerprint,
            "other words are another command"
        );
        repo.write("a b", "true\n");
        assert_eq!(of(&["./a b"]).unwrap().texts.len(), 1);
        repo.write("lib.sh", "curl evil\n");
        assert_ne!(of(&["./bin/setup", "--fast"]).unwrap().fingerprint, first.fingerprint);
    }
}
