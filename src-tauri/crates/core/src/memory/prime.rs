//! Renders memories as text for an agent, within a budget.

use super::MemoryEntry;
use crate::text::{cut, one_line, plain, shell_quoted, units};

/// The default budget in characters, as claude counts them ([`units`]).
pub const BUDGET: usize = 4_000;

/// The maximum length of one memory's text, in characters; `recall` shows the rest.
const ONE_MAX: usize = 800;
const HEADING: &str = "## Memories of this project\n";

/// The instructions for an agent, with or without memories. They ask the agent to store a finding
/// immediately, because a finding that is only stored at the end of a session may be lost with the session.
pub const HOW: &str = "Remember what you find out or decide at once, while you work: `beads-console remember -- \"...\"` \
     (before `--`: --type decision|pattern|learning|context, --tag T, --importance 1-10). Look up: `beads-console memories -- WORDS`, \
     `beads-console recall -- KEY`.";

/// The memories, rendered for an agent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Primed {
    /// The text; empty if no memory is included.
    pub text: String,
    /// The keys of the included memories, in order.
    pub keys: Vec<String>,
    pub left_out: usize,
}

/// Renders the memories in this order with their text, as many as fit into `budget` characters. A memory
/// that does not fit is skipped in favour of later, shorter ones.
pub fn primed<'a>(memories: impl IntoIterator<Item = (&'a MemoryEntry, &'a str)>, budget: usize) -> Primed {
    let mut body = String::new();
    let (mut keys, mut left_out) = (Vec::new(), 0usize);
    let mut room = budget.saturating_sub(units(HEADING) + units(&footer(usize::MAX)));
    for (memory, content) in memories {
        let entry = entry(memory, content);
        let size = units(&entry);
        if size > room {
            left_out += 1;
            continue;
        }
        room -= size;
        body.push_str(&entry);
        keys.push(memory.key.clone());
    }
    if keys.is_empty() {
        return Primed { text: String::new(), keys, left_out };
    }
    let footer = if left_out > 0 { footer(left_out) } else { String::new() };
    Primed { text: format!("{HEADING}{body}{footer}").trim_end().to_owned(), keys, left_out }
}

/// The beginning of a memory's entry in the rendered text, by which an injected memory is recognized.
pub fn mark_in_text(key: &str) -> String {
    format!("- **{}** (", one_line(key))
}

fn footer(left_out: usize) -> String {
    format!("\n{left_out} more: `beads-console memories [WORDS]` finds them.\n")
}

/// Formats `- **key** (decision, on BC-1): text`, with the following lines indented.
fn entry(memory: &MemoryEntry, content: &str) -> String {
    let text = plain(content.trim());
    let whole = text.chars().count() <= ONE_MAX;
    let text = if whole { text } else { cut(&text, ONE_MAX) };
    let text = text.replace('\n', "\n  ");
    let on = memory.bead_id.as_ref().map(|bead| format!(", on {bead}")).unwrap_or_default();
    let key = one_line(&memory.key);
    let rest = if whole {
        String::new()
    } else {
        format!(" (whole: `beads-console recall -- {}`)", shell_quoted(&key))
    };
    format!("{}{}{on}): {text}{rest}\n", mark_in_text(&memory.key), memory.memory_type.as_str())
}
