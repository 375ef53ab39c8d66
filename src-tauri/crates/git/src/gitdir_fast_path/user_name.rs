//! Reads the user's name from common git configurations without running git. Every command on beads and
//! memories needs it, and a git process takes longer than the rest of a short command.
//!
//! Invariant: the answers equal git's. Anything unusual is left to git: includes, quotes and escapes, or
//! system settings in a place that only git knows.

use crate::{gitdir_fast_path::discovery, program::Git};
use std::{
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf},
};

/// The result of looking up `user.name` in git's files.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Name {
    /// The name that git would print; `None` if no name is configured.
    Known(Option<String>),
    /// Only git can determine the name.
    AskGit,
}

/// The user's name in the repository with this top level.
pub(crate) fn user_name(git: &Git, top_level: &Path) -> Name {
    match discovery::find(top_level) {
        Some(found) if found.top_level == top_level => {
            named(&found.main_root.join(".git/config"), |name| git.variable(name))
        }
        _ => Name::AskGit,
    }
}

fn named(local: &Path, variable: impl Fn(&str) -> Option<OsString>) -> Name {
    let Some(mut files) = personal(&variable) else { return Name::AskGit };
    files.insert(0, local.to_owned());
    // The first configuration with a name takes precedence.
    for file in files {
        match in_file(&file) {
            Ok(None) => {}
            Ok(Some(name)) => return Name::Known(Some(name).filter(|name| !name.is_empty())),
            Err(NotPlain) => return Name::AskGit,
        }
    }
    // The path of the system configuration is compiled into git.
    match variable("GIT_CONFIG_NOSYSTEM").is_some_and(|value| value == "1" || value == "true") {
        true => Name::Known(None),
        false => Name::AskGit,
    }
}

/// The user's own configuration files, highest precedence first; `None` if git must be run.
fn personal(variable: impl Fn(&str) -> Option<OsString>) -> Option<Vec<PathBuf>> {
    if let Some(only) = variable("GIT_CONFIG_GLOBAL") {
        return Some(vec![PathBuf::from(only)]);
    }
    let home = variable("HOME").filter(|home| !home.is_empty()).map(PathBuf::from)?;
    let folder = variable("XDG_CONFIG_HOME").filter(|folder| !folder.is_empty());
    let folder = folder.map_or_else(|| home.join(".config"), PathBuf::from);
    Some(vec![home.join(".gitconfig"), folder.join("git/config")])
}

struct NotPlain;

/// The last `user.name` of a file. Fails if only git can parse the file.
fn in_file(path: &Path) -> Result<Option<String>, NotPlain> {
    match fs::read_to_string(path) {
        Ok(text) => in_text(&text),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(_) => Err(NotPlain),
    }
}

fn in_text(text: &str) -> Result<Option<String>, NotPlain> {
    let mut name = None;
    let mut of_user = false;
    for line in text.lines().map(str::trim) {
        // The next line continues this one.
        if line.ends_with('\\') {
            return Err(NotPlain);
        }
        if line.starts_with('[') {
            let section = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')).ok_or(NotPlain)?;
            if section.to_ascii_lowercase().starts_with("include") {
                return Err(NotPlain);
            }
            of_user = section.eq_ignore_ascii_case("user");
        } else if of_user {
            let key = line.split(|c: char| !c.is_ascii_alphanumeric() && c != '-').next().unwrap_or_default();
            if key.eq_ignore_ascii_case("name") {
                let (key, value) = line.split_once('=').ok_or(NotPlain)?;
                let value = value.trim_start();
                let odd = |c: char| matches!(c, '"' | '\\' | '#' | ';') || c.is_control();
                if !key.trim_end().eq_ignore_ascii_case("name") || value.contains(odd) || value.contains("  ")
                {
                    return Err(NotPlain);
                }
                name = Some(value.to_owned());
            }
        }
    }
    Ok(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Sandbox;

    #[allow(clippy::disallowed_methods, reason = "a file of a test's own folder")]
    fn write(path: &Path, text: &str) {
        fs::write(path, text).unwrap();
    }

    /// Our answer for these settings, and git's.
    fn of(local: &str, personal: &str) -> (Name, Option<String>) {
        let sandbox = Sandbox::with_commit();
        let config = sandbox.root().join(".git/config");
        let text = fs::read_to_string(&config).unwrap();
        sandbox.write(".git/config", &format!("{text}{local}"));
        sandbox.write("own", personal);
        let own = sandbox.root().join("own");
        let variable = |name: &str| match name {
            "GIT_CONFIG_GLOBAL" => Some(own.clone().into_os_string()),
            "GIT_CONFIG_NOSYSTEM" => Some("1".into()),
            _ => None,
        };
        let git = sandbox.git().env("GIT_CONFIG_GLOBAL", &own).env("GIT_CONFIG_NOSYSTEM", "1");
        let asked = git.ask("ask", sandbox.root(), ["config", "--get", "user.name"]).unwrap();
        let said = asked.ok().then(|| asked.out().trim().to_owned()).filter(|name| !name.is_empty());
        (named(&config, variable), said)
    }

    #[test]
    fn user_names_match_git() {
        for (local, own) in [
            ("", ""),
            ("", "[user]\n\tname = Ann Example\n\temail = a@example.org\n"),
            ("[user]\n name=Bob\n", "[user]\n\tname = Ann\n"),
            ("[USER]\nName =  Größe Ünal  \n[core]\nname = no\n", ""),
            ("[user]\nname = one\nname = two\nnamesake = three\n# name = four\n", ""),
            ("[user \"x\"]\nname = no\n", "[user]\nname = Ann\n"),
            ("[user]\nname =\n", "[user]\nname = Ann\n"),
        ] {
            let (found, said) = of(local, own);
            assert_eq!(found, Name::Known(said), "{local:?} {own:?}");
        }
    }

    #[test]
    fn unusual_settings_are_left_to_git() {
        for local in [
            "[user]\nname = \"Ann\"\n",
            "[user]\nname = Ann # her\n",
            "[user]\nname\n",
            "[user]\nname = A\\\nnn\n",
            "[user] name = Ann\n",
            "[include]\npath = more\n",
            "[includeIf \"gitdir:/\"]\npath = more\n",
            "[user]\nname = Ann  Example\n",
        ] {
            assert_eq!(of(local, "").0, Name::AskGit, "{local:?}");
        }
    }

    #[test]
    fn without_a_name_the_system_settings_are_left_to_git() {
        let empty = tempfile::tempdir().unwrap();
        let home = |name: &str| (name == "HOME").then(|| empty.path().as_os_str().to_owned());
        assert_eq!(named(&empty.path().join("none"), home), Name::AskGit);
        write(&empty.path().join(".gitconfig"), "[user]\nname = Ann\n");
        assert_eq!(named(&empty.path().join("none"), home), Name::Known(Some("Ann".to_owned())));
        assert_eq!(named(&empty.path().join("none"), |_| None), Name::AskGit);
    }
}
