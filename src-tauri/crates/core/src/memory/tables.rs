//! Mappings between the attributes of memories and of the beads that store them.

use super::MemoryType;

/// The priority (0 to 4) for an importance (1 to 10); 2 by default.
pub fn priority_of(importance: Option<u8>) -> u8 {
    match importance {
        None => 2,
        Some(9..) => 0,
        Some(7 | 8) => 1,
        Some(4..=6) => 2,
        Some(2 | 3) => 3,
        Some(0 | 1) => 4,
    }
}

/// The importance that corresponds to a priority.
pub fn importance_of(priority: u8) -> u8 {
    match priority {
        0 => 9,
        1 => 7,
        2 => 5,
        3 => 3,
        4.. => 1,
    }
}

/// The type of the bead that stores a memory.
pub fn issue_type_of(kind: MemoryType) -> &'static str {
    match kind {
        MemoryType::Conversation | MemoryType::Context | MemoryType::Artifact => "task",
        MemoryType::Decision => "feature",
        MemoryType::Pattern | MemoryType::Learning => "chore",
    }
}

/// The memory type of a row whose labels do not name one, from the bead's type.
pub fn type_of_issue(issue_type: &str) -> MemoryType {
    match issue_type {
        "feature" => MemoryType::Decision,
        "chore" => MemoryType::Learning,
        "bug" => MemoryType::Conversation,
        "epic" => MemoryType::Artifact,
        _ => MemoryType::Context,
    }
}
