//! The small files of an embedded `.beads` folder, in the form that br writes and bd accepts.

use super::snapshot::Snapshot;
use bc_core::bead::BeadStatus;
use bc_store::repository::{self, limits};
use std::{collections::BTreeMap, path::Path};

/// Content of `.gitignore`: local files that should not be committed, br's and ours.
pub(crate) const GITIGNORE: &str = "# Database\n*.db\n*.db-shm\n*.db-wal\n\n# Lock files\n*.lock\n\n# Temporary\nlast-touched\n*.tmp\n.bc-tmp-*\n\n# Worktrees point elsewhere\nredirect\n";

/// Content of `metadata.json`: the file names that br expects.
pub(crate) const METADATA: &str =
    "{\n  \"database\": \"beads.db\",\n  \"jsonl_export\": \"issues.jsonl\"\n}\n";

/// The configuration of a project with this prefix. The first spelling is br's; bd reads the second when it
/// takes the file over.
pub(crate) fn config_yaml(prefix: &str) -> String {
    format!("# Beads: one line per bead in issues.jsonl\nissue_prefix: {prefix}\nissue-prefix: {prefix}\n")
}

/// Whether the text is a valid prefix of ids: at most 32 letters, digits, `-` and `_`, starting with a letter
/// or digit and not ending with `-`.
pub(crate) fn is_prefix(text: &str) -> bool {
    let good = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    (1..=32).contains(&text.len())
        && text.chars().all(good)
        && text.starts_with(|c: char| c.is_ascii_alphanumeric())
        && !text.ends_with('-')
}

/// The prefix of new ids: the configured one, else the most frequent one in the file, else `bd`.
pub(crate) fn prefix(beads_dir: &Path, snapshot: &Snapshot) -> String {
    configured(beads_dir).or_else(|| usual(snapshot)).unwrap_or_else(|| "bd".to_owned())
}

/// `issue_prefix: x` or `issue-prefix: "x"` at the top level of config.yaml; `None` without a valid prefix.
/// No other YAML is needed.
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

/// The types of `types.custom`, in the order of the file.
pub(crate) fn custom_types(beads_dir: &Path) -> Vec<String> {
    custom(beads_dir, "types")
}

/// The statuses of `status.custom`, without their categories. Built-in statuses are left out.
pub(crate) fn custom_statuses(beads_dir: &Path) -> Vec<BeadStatus> {
    let names = custom(beads_dir, "status");
    let names = names.iter().map(|name| name.split(':').next().unwrap_or(name).trim());
    names.map(BeadStatus::from).filter(|status| matches!(status, BeadStatus::Other(_))).collect()
}

/// The list `custom` of a section: `section.custom: "a,b"`, or `custom:` below `section:`, as `a,b`, `[a, b]` or lines
/// of `- a`.
fn custom(beads_dir: &Path, section: &str) -> Vec<String> {
    let Ok(Some(bytes)) = repository::read(&beads_dir.join("config.yaml"), limits::SETTINGS) else {
        return Vec::new();
    };
    let text = String::from_utf8_lossy(&bytes);
    let mut found: Vec<String> = Vec::new();
    // Whether the line is in the section, and whether it is in the list.
    let (mut inside, mut listing) = (false, false);
    for line in text.lines() {
        let line = line.split(" #").next().unwrap_or(line).trim_end();
        let (word, indented) = (line.trim_start(), line.starts_with([' ', '\t', '-']));
        if word.is_empty() || word.starts_with('#') {
            continue;
        }
        if listing && let Some(item) = word.strip_prefix('-') {
            found.push(unquoted(item).to_owned());
            continue;
        }
        listing = false;
        let Some((name, value)) = word.split_once(':') else { continue };
        if !indented {
            inside = name == section;
        }
        let is_it = if indented { inside && name == "custom" } else { name == format!("{section}.custom") };
        if is_it {
            let value = value.trim().trim_start_matches('[').trim_end_matches(']');
            found.extend(unquoted(value).split(',').map(|item| unquoted(item).to_owned()));
            listing = true;
        }
    }
    let is_name = |name: &String| {
        (1..=60).contains(&name.len()) && !name.chars().any(|c| c.is_control() || c.is_whitespace())
    };
    found.retain(is_name);
    found
}

fn unquoted(text: &str) -> &str {
    text.trim().trim_matches(['"', '\''])
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

    #[test]
    fn custom_types_and_statuses_are_read_in_every_form() {
        let check = |config: &str, types: &[&str], statuses: &[&str]| {
            let dir = tempfile::tempdir().unwrap();
            std::fs::write(dir.path().join("config.yaml"), config).unwrap();
            assert_eq!(custom_types(dir.path()), types, "{config:?}");
            let found: Vec<String> =
                custom_statuses(dir.path()).iter().map(|status| status.as_str().to_owned()).collect();
            assert_eq!(found, statuses, "{config:?}");
        };
        check(
            "types.custom: \"pig, cow\"\nstatus.custom: qa:wip,in_review:wip,done\n",
            &["pig", "cow"],
            &["qa", "done"],
        );
        check(
            "types:\n  custom: pig # comment\nstatus:\n  custom: [qa, 'on_hold']\n",
            &["pig"],
            &["qa", "on_hold"],
        );
        check(
            "types:\n  other: x\n  custom:\n  - pig\n  - \"cow\"\n  last: y\nother:\n  custom: no\n",
            &["pig", "cow"],
            &[],
        );
        check("# types.custom: pig\ncustom: pig\ntypes.custom: ''\n", &[], &[]);
        check("\u{0}\u{1}:\n - \n", &[], &[]);
    }
}
