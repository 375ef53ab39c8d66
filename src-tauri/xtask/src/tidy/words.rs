//! Checks for forbidden text: marks of postponed work, paths that exist only on one machine, and a registry's
//! host name in an npm lock file.

use super::source::{SourceFile, Violation};

/// The marks of postponed work, split so that this file does not contain them.
const POSTPONED: &[&str] =
    &[concat!("TO", "DO"), concat!("FIX", "ME"), concat!("todo", "!("), concat!("unimplemented", "!(")];

/// Files of other projects, which are kept unchanged.
const FOREIGN: &[&str] = &["src-tauri/crates/redact/gitleaks/"];

/// Prefixes of paths that exist only on one machine.
const MACHINE: &[&str] = &[concat!("/wo", "rk/"), concat!("/ro", "ot/")];

pub(super) fn check(file: &SourceFile) -> Vec<Violation> {
    let mut broken = Vec::new();
    if FOREIGN.iter().any(|folder| file.path.starts_with(folder)) {
        return broken;
    }
    for (number, line) in file.text.lines().enumerate() {
        let place = || format!("{}:{}", file.path, number + 1);
        if let Some(word) = POSTPONED.iter().find(|word| has_word(line, word)) {
            broken.push(Violation::new(place(), format!("`{word}`: do it now, or create a bead")));
        }
        if let Some(path) = MACHINE.iter().find(|path| has_path(line, path)) {
            broken.push(Violation::new(place(), format!("`{path}` is a path of one machine")));
        }
        if file.path.ends_with("package-lock.json") && line.contains("\"resolved\": \"http") {
            let message = "names a registry's host: set omit-lockfile-registry-resolved=true in .npmrc";
            broken.push(Violation::new(place(), message));
        }
    }
    broken
}

fn has_word(line: &str, word: &str) -> bool {
    let part_of_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    line.match_indices(word).any(|(at, _)| {
        let after = line[at + word.len()..].chars().next();
        !part_of_word(line[..at].chars().next_back()) && (word.ends_with('(') || !part_of_word(after))
    })
}

/// Whether the line contains an absolute path with the prefix `start`. Parts of longer or relative paths do
/// not count.
fn has_path(line: &str, start: &str) -> bool {
    line.match_indices(start).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        !before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '.' | '~' | '_' | '-' | '}' | ')' | '*'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn broken(path: &str, text: &str) -> Vec<String> {
        check(&SourceFile::new(path, text)).iter().map(Violation::to_string).collect()
    }

    #[test]
    fn foreign_files_are_exempt() {
        let text = format!("# {} later", POSTPONED[0]);
        assert!(broken(&format!("{}rules.toml", FOREIGN[0]), &text).is_empty());
        assert_eq!(broken("rules.toml", &text).len(), 1);
    }

    #[test]
    fn postponed_work_is_reported_with_its_line() {
        for word in POSTPONED {
            let messages = broken("a.rs", &format!("fn a() {{\n    // {word} later\n}}"));
            assert_eq!(messages.len(), 1, "{word}");
            assert!(messages[0].starts_with("a.rs:2: "), "{messages:?}");
        }
        assert_eq!(broken("a.rs", &format!("MASTO{}N", POSTPONED[0])), Vec::<String>::new());
    }

    #[test]
    fn only_absolute_paths_of_one_machine_are_reported() {
        for path in MACHINE {
            assert_eq!(broken("docs/a.md", &format!("see `{path}main`")).len(), 1, "{path}");
            assert_eq!(broken("docs/a.md", &format!("{path}main")).len(), 1, "{path}");
            assert_eq!(broken("docs/a.md", &format!("feat{path}x and ~{path}x")), Vec::<String>::new());
        }
    }

    #[test]
    fn a_registry_in_a_lock_file_is_named() {
        let text = "  \"resolved\": \"https://registry.example/x.tgz\",";
        assert_eq!(broken("tests/tools/package-lock.json", text).len(), 1);
        assert_eq!(broken("docs/a.md", text), Vec::<String>::new());
    }
}
