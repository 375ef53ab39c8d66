//! The default name of a bead's branch.

use crate::{bead::Bead, ids::BranchName, paths::is_reserved};
use deunicode::deunicode;

/// The maximum length of a slug, in characters.
const SLUG_MAX: usize = 40;

/// Returns `feat/{bead-id}-{slug}`, or a name with `fix/`, `chore/` or `docs/`, depending on the bead's type.
/// The slug is omitted if the title contains no usable word.
pub fn default_for(bead: &Bead) -> BranchName {
    let prefix = match bead.issue_type.to_ascii_lowercase().as_str() {
        "bug" => "fix",
        "chore" => "chore",
        "docs" => "docs",
        _ => "feat",
    };
    let id = ref_safe(bead.id.as_str());
    let slug = slug(&bead.title);
    let name = if slug.is_empty() { format!("{prefix}/{id}") } else { format!("{prefix}/{id}-{slug}") };
    BranchName::try_from(name).expect("ref_safe and slug leave nothing that git refuses")
}

/// Changes a bead id so that git and Windows accept it in a branch name. The trackers' usual ids stay
/// unchanged.
fn ref_safe(id: &str) -> String {
    let mut safe = id.replace(['~', '^', ':', '?', '*', '[', '\\', '{', '/', ' ', '<', '>', '|', '"'], "-");
    safe.truncate(safe.trim_end_matches('.').len());
    if let Some(stem) = safe.strip_suffix(".lock") {
        safe = format!("{stem}-lock");
    }
    // Git stores a branch as a file, and Windows reserves names such as `nul.1` for devices.
    if is_reserved(&safe) { format!("bead-{safe}") } else { safe }
}

/// Lower-case words joined by `-`, in ASCII. The slug ends before the first word that does not fit. If this
/// is the first word of the title, the word is cut.
fn slug(title: &str) -> String {
    let ascii = deunicode(&title.replace(['\'', '’'], "")).to_ascii_lowercase();
    let mut slug = String::new();
    for word in ascii.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()) {
        if slug.is_empty() {
            slug.push_str(&word[..word.len().min(SLUG_MAX)]);
        } else if slug.len() + 1 + word.len() <= SLUG_MAX {
            slug.push('-');
            slug.push_str(word);
        } else {
            break;
        }
    }
    slug
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ids::BeadId, ref_format::check_ref_format};
    use proptest::prelude::*;

    fn bead(id: &str, issue_type: &str, title: &str) -> Bead {
        serde_json::from_value(serde_json::json!({
            "id": id, "title": title, "status": "open", "priority": 2, "issue_type": issue_type,
        }))
        .unwrap()
    }

    #[test]
    fn the_default_branch_has_type_bead_and_title() {
        for (id, issue_type, title, expect) in [
            ("BC-001", "feature", "Implement login validation", "feat/BC-001-implement-login-validation"),
            ("bd-a3f8.2", "bug", "Fix: can't log in!", "fix/bd-a3f8.2-fix-cant-log-in"),
            ("BC-3", "chore", "  Bump   deps  ", "chore/BC-3-bump-deps"),
            ("BC-4", "docs", "Überblick für Größen", "docs/BC-4-uberblick-fur-grossen"),
            ("BC-5", "task", "日本語", "feat/BC-5-ri-ben-yu"),
            ("BC-6", "epic", "Use 日本語 in titles", "feat/BC-6-use-ri-ben-yu-in-titles"),
            ("BC-7", "task", "../../etc/passwd.lock", "feat/BC-7-etc-passwd-lock"),
            ("x.lock", "task", "", "feat/x-lock"),
            ("x.", "task", "", "feat/x"),
            ("con", "task", "", "feat/bead-con"),
            ("nul.1", "task", "One", "feat/bead-nul.1-one"),
            ("a<b|c", "task", "", "feat/a-b-c"),
        ] {
            assert_eq!(default_for(&bead(id, issue_type, title)).as_str(), expect);
        }
    }

    #[test]
    fn a_long_title_is_cut_at_a_word_boundary() {
        let title = "one two three four five six seven eight nine ten eleven";
        assert_eq!(slug(title), "one-two-three-four-five-six-seven-eight");
        assert_eq!(slug(&"x".repeat(100)), "x".repeat(40));
    }

    proptest! {
        #[test]
        fn the_default_branch_is_always_valid(
            id in "(con|nul\\.|[a-zA-Z0-9ä~^?*<>|\\[@{}._-]{1,30})(\\.lock)?\\.?", title in any::<String>(), issue_type in any::<String>()
        ) {
            prop_assume!(id.parse::<BeadId>().is_ok());
            let name = default_for(&bead(&id, &issue_type, &title));
            prop_assert_eq!(check_ref_format(name.as_str()), Ok(()));
            prop_assert_eq!(name.as_str().split('/').find_map(crate::paths::not_portable), None);
        }
    }
}
