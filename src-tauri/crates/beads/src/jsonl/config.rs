//! The small files of an embedded `.beads` folder, as br writes them and bd accepts them.

use super::snapshot::Snapshot;
use bc_store::repository::{self, limits};
use std::{collections::BTreeMap, path::Path};

/// Local files that should not be committed: br's lines, and ours.
pub(crate) const GITIGNORE: &str = "# Database\n*.db\n*.db-shm\n*.db-wal\n\n# Lock files\n*.lock\n\n# Temporary\nlast-touched\n*.tmp\n.bc-tmp-*\n\n# Worktrees point elsewhere\nredirect\n";

/// The names that br expects.
pub(crate) const METADATA: &str =
    "{\n  \"database\": \"beads.db\",\n  \"jsonl_export\": \"issues.jsonl\"\n}\n";

/// The configuration of a project with this prefix. The first spelling is br's; bd reads the second when it
/// takes the file over.
pub(crate) fn config_yaml(prefix: &str) -> String {
    format!("# Beads: one line per bead in issues.jsonl\nissue_prefix: {prefix}\nissue-prefix: {prefix}\n")
}

/// Whether the text is a valid prefix of ids: letters, digits, `-` and `_`, starting with a letter or digit.
pub(crate) fn is_prefix(text: &str) -> bool {
    let good = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    (1..=32).contains(&text.len())
        && text.chars().all(good)
        && text.starts_with(|c: char| c.is_ascii_alphanumeric())
        && !text.ends_with('-')
}

/// The prefix of new ids: the configured one, or the most frequent one.
pub(crate) fn prefix(beads_dir: &Path, snapshot: &Snapshot) -> String {
    configured(beads_dir).or_else(|| usual(snapshot)).unwrap_or_else(|| "bd".to_owned())
}

/// `issue_prefix: x` or `issue-prefix: "x"` at the top level of config.yaml. No other YAML is needed.
pub(crate) fn configured(beads_dir: &Path) -> Option<String> {
    let bytes = repository::read(&beads_dir.join("config.yaml"), limits::SETTINGS).ok().flatten()?;
    let text = String::from_utf8_lossy(&bytes);
    let value = text.lines().find_map(|line| {
        let (key, value) = line.split_once(':')?;
        matches!(key, "issue_prefix" | "issue-prefix").then_some(value)
    })?;
    let value = value.split(" #").next().unwrap_or(value).trim().trim_matches(['"', '\'']);
    let value = value.trim_end_matches('-');
    is_prefix(value).then(|| value.to_owned())
}

fn usual(snapshot: &Snapshot) -> Option<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for (row, _) in snapshot.all() {
        if let Some((prefix, _)) = row.id.as_str().rsplit_once('-') {
            *counts.entry(prefix).or_default() += 1;
        }
    }
    let most = counts.into_iter().filter(|(prefix, _)| is_prefix(prefix)).max_by_key(|(_, count)| *count);
    most.map(|(prefix, _)| prefix.to_owned())
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "the files of a test's own folder")]
mod tests {
    use super::*;

    #[test]
    fn the_configured_prefix_wins_over_the_usual_one() {
        let check = |config: &str, expect: &str| {
            let dir = tempfile::tempdir().unwrap();
            std::fs::write(dir.path().join("config.yaml"), config).unwrap();
            let snapshot =
                Snapshot::parse(b"{\"id\":\"old-1\"}\n{\"id\":\"my-app-2\"}\n{\"id\":\"my-app-3.1\"}\n");
            assert_eq!(prefix(dir.path(), &snapshot), expect, "{config:?}");
        };
        check("issue_prefix: abc\n", "abc");
        check("# issue_prefix: no\nissue-prefix: \"abc-\"  # yes\n", "abc");
        check("nested:\n  issue_prefix: no\n", "my-app");
        check("issue_prefix: \"\"\n", "my-app");
        check("issue_prefix: --force\n", "my-app");
        check("\u{0}\u{1}", "my-app");
    }
}
