//! Finds the scripts of a hook: the repository's files that its command runs, and the scripts that these
//! files name in turn. The user allows the command together with all of them.
//!
//! The search looks for words that name files. It cannot find files that a program selects itself, such as
//! the makefile of `make`; the documentation for users mentions this.

use crate::{
    read::{self, FILE_MAX, ReadError},
    words::{normal, words},
};
use sha2::{Digest, Sha256};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

/// The maximum number of scripts that one permission covers.
const SCRIPTS_MAX: usize = 64;
/// The maximum total size of the scripts that one permission covers, in bytes.
const BYTES_MAX: u64 = 8 * FILE_MAX;
/// The maximum number of folders named in a command that are searched for its scripts.
const FOLDERS_MAX: usize = 16;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Script {
    /// The script's path with links resolved.
    pub(crate) path: PathBuf,
    pub(crate) bytes: Vec<u8>,
}

#[derive(Debug, thiserror::Error)]
pub(crate) enum ScriptError {
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error("its commands name more files of the repository than can be checked")]
    TooMany,
}

/// All scripts of these commands, by path. Each command has its own working folder.
pub(crate) fn scripts<'a>(
    commands: impl IntoIterator<Item = (&'a str, &'a Path)>,
    boundary: &Path,
) -> Result<BTreeMap<PathBuf, Script>, ScriptError> {
    let mut found = BTreeMap::new();
    let mut left = BYTES_MAX;
    for (command, cwd) in commands {
        let folders = folders(command, cwd, boundary);
        let mut add = Vec::new();
        for word in words(command) {
            let run = is_run(command, word.start);
            for folder in &folders {
                let named = file_named(&command[word.clone()], folder, boundary)?;
                add.extend(named.filter(|named| run || is_script(named)));
            }
        }
        while let Some(script) = add.pop() {
            if found.contains_key(&script.path) {
                continue;
            }
            left = left.checked_sub(script.bytes.len() as u64).ok_or(ScriptError::TooMany)?;
            add.extend(named_by(&script, &folders, boundary));
            found.insert(script.path.clone(), script);
            if found.len() > SCRIPTS_MAX {
                return Err(ScriptError::TooMany);
            }
        }
    }
    Ok(found)
}

/// Whether the word at this position is the argument of a program that runs files, such as an interpreter.
/// Any other named file is included only if it is a script, so that data files can change without a new
/// permission.
fn is_run(command: &str, at: usize) -> bool {
    const PROGRAMS: [&str; 20] = [
        ".",
        "source",
        "sh",
        "bash",
        "dash",
        "zsh",
        "ksh",
        "pwsh",
        "powershell",
        "python",
        "node",
        "deno",
        "bun",
        "ruby",
        "perl",
        "php",
        "lua",
        "make",
        "awk",
        "exec",
    ];
    let before = &command[..at];
    let of_this = before.rsplit([';', '&', '|', '(', '\n']).next().unwrap_or_default();
    let name = |word: &str| {
        let name = word.rsplit('/').next().unwrap_or_default();
        // `python3.12` is treated like `python`.
        let plain = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
        if plain.is_empty() { name.to_owned() } else { plain.to_owned() }
    };
    let writes = before.trim_end().ends_with('>');
    !writes && of_this.split_whitespace().any(|word| PROGRAMS.contains(&name(word).as_str()))
}

/// The folders in which a command's words are looked up: its working folder, and the folders of the
/// repository that the command names, because it may change to them.
pub(crate) fn folders(command: &str, cwd: &Path, boundary: &Path) -> Vec<PathBuf> {
    let named = words(command).into_iter().map(|word| normal(&cwd.join(&command[word])));
    let named = named.filter(|path| path.starts_with(boundary) && path.is_dir()).take(FOLDERS_MAX);
    let mut folders: Vec<PathBuf> = [cwd.to_owned()].into_iter().chain(named).collect();
    folders.dedup();
    folders
}

/// The file of the repository that a word names. `None` if no such file exists, or if the path is outside the
/// repository.
pub(crate) fn file_named(word: &str, cwd: &Path, boundary: &Path) -> Result<Option<Script>, ReadError> {
    let path = normal(&cwd.join(word));
    // A file outside the repository belongs to the user.
    if !path.starts_with(boundary) || path.is_dir() {
        return Ok(None);
    }
    Ok(read::read(&path, Some(boundary))?.map(|(path, bytes)| Script { path, bytes }))
}

/// The scripts that a script names, relative to the working folders or to its own folder. Data files are
/// omitted, so that they can change without a new permission.
fn named_by(script: &Script, folders: &[PathBuf], boundary: &Path) -> Vec<Script> {
    let Ok(text) = std::str::from_utf8(&script.bytes) else { return Vec::new() };
    let beside = script.path.parent().unwrap_or(boundary).to_owned();
    let mut found = Vec::new();
    for word in words(text) {
        // In `"$(dirname "$0")/lib.sh"`, the word is `/lib.sh`.
        let word = text[word].trim_start_matches('/');
        for folder in folders.iter().chain([&beside]) {
            // Ignore unreadable files and links out of the repository, because a script may name a file
            // without running it.
            let named = file_named(word, folder, boundary).ok().flatten();
            found.extend(named.filter(is_script));
        }
    }
    found
}

fn is_script(script: &Script) -> bool {
    const ENDINGS: [&str; 13] =
        ["sh", "bash", "zsh", "ps1", "py", "rb", "pl", "js", "mjs", "cjs", "ts", "mts", "lua"];
    let ending = script.path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    ENDINGS.contains(&ending) || script.bytes.starts_with(b"#!") || crate::os::is_executable(&script.path)
}

pub(crate) fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// The digest of a hooks file and all its scripts with their paths. It identifies the content that the user
/// allows.
pub(crate) fn fingerprint(file: &[u8], scripts: &BTreeMap<PathBuf, Script>, boundary: &Path) -> String {
    let mut digest = Sha256::new();
    digest.update(Sha256::digest(file));
    for (path, script) in scripts {
        let relative = path.strip_prefix(boundary).unwrap_or(path);
        digest.update(Sha256::digest(relative.as_os_str().as_encoded_bytes()));
        digest.update(Sha256::digest(&script.bytes));
    }
    hex(&digest.finalize())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Repo;

    fn names(repo: &Repo, command: &str) -> Vec<String> {
        let found = scripts([(command, repo.root())], repo.root()).unwrap();
        let relative = |path: &PathBuf| bc_core::paths::recorded(path.strip_prefix(repo.root()).unwrap());
        found.keys().map(relative).collect()
    }

    #[test]
    fn the_files_of_a_command_and_the_scripts_of_its_scripts_are_found() {
        let repo = Repo::new();
        repo.write(
            "hooks/a.sh",
            "#!/bin/sh\n. \"$(dirname \"$0\")/lib.sh\"\ncat data.json\npython3 tools/b.py\n",
        );
        repo.write("hooks/lib.sh", "exec ./hooks/a.sh\n");
        repo.write("tools/b.py", "print(1)");
        repo.write("data.json", "{}");
        assert_eq!(names(&repo, "./hooks/a.sh --fast"), ["hooks/a.sh", "hooks/lib.sh", "tools/b.py"]);
        assert_eq!(names(&repo, "jq .x data.json >> data.json"), [""; 0], "data may change");
        assert_eq!(names(&repo, "x && python3 -u data.json > data.json"), ["data.json"]);
        assert_eq!(names(&repo, ". data.json"), ["data.json"]);
        assert_eq!(names(&repo, "cd tools && python3 b.py"), ["tools/b.py"]);
        assert_eq!(names(&repo, "git status; ls /etc/passwd hooks"), [""; 0]);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_out_of_the_repository_is_refused_and_one_within_is_its_target() {
        let repo = Repo::new();
        let outside = repo.outside("elsewhere.sh", "echo");
        repo.link("out.sh", &outside);
        let error = scripts([("./out.sh", repo.root())], repo.root()).unwrap_err();
        assert!(matches!(error, ScriptError::Read(ReadError::Outside { .. })), "{error}");
        repo.write("real.sh", "echo");
        repo.link("in.sh", &repo.root().join("real.sh"));
        assert_eq!(names(&repo, "./in.sh"), ["real.sh"]);
        repo.link("nowhere.sh", &repo.root().join("not there"));
        assert!(scripts([("./nowhere.sh", repo.root())], repo.root()).is_err());
    }

    #[test]
    fn every_byte_of_a_script_is_in_the_fingerprint() {
        let repo = Repo::new();
        let print = |text: &str| {
            repo.write("a.sh", text);
            let found = scripts([("./a.sh", repo.root())], repo.root()).unwrap();
            fingerprint(b"{}", &found, repo.root())
        };
        let first = print("echo 1");
        assert_ne!(first, print("echo 2"));
        assert_eq!(first, print("echo 1"));
    }
}
