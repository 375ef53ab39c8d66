//! The types of beads and kinds of dependencies that trackers share: those of bd 1.3.

use crate::TrackerError;

/// The built-in types of beads.
pub(crate) const TYPES: [&str; 9] =
    ["task", "bug", "feature", "chore", "epic", "decision", "spike", "story", "milestone"];

/// Types of bd's own rows, which it also accepts for beads.
const OWN_TYPES: [&str; 4] = ["message", "molecule", "gate", "event"];

pub(crate) const DEPENDENCIES: [&str; 19] = [
    "blocks",
    "parent-child",
    "conditional-blocks",
    "waits-for",
    "related",
    "discovered-from",
    "replies-to",
    "relates-to",
    "duplicates",
    "supersedes",
    "authored-by",
    "assigned-to",
    "approved-by",
    "attests",
    "tracks",
    "until",
    "caused-by",
    "validates",
    "delegated-from",
];

/// Refuses unknown kinds, as bd does.
pub(crate) fn check_dependency(kind: &str) -> Result<(), TrackerError> {
    if DEPENDENCIES.contains(&kind) {
        return Ok(());
    }
    let kind = bc_core::text::cut(&bc_core::text::one_line(kind), 60);
    let why = format!("{kind} is not one of {}", DEPENDENCIES.join(", "));
    Err(TrackerError::InvalidInput { field: "kind of dependency", why })
}

/// Whether the type is valid without configuration.
pub(crate) fn is_known_type(issue_type: &str) -> bool {
    TYPES.contains(&issue_type) || OWN_TYPES.contains(&issue_type)
}

/// The type for one of bd's alternative names; other names stay unchanged.
pub(crate) fn full_type(issue_type: &str) -> &str {
    match issue_type {
        "enhancement" | "feat" => "feature",
        "dec" | "adr" => "decision",
        other => other,
    }
}
