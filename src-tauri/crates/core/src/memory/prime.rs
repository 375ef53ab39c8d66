//! Memories as text for an agent, within a budget.

use super::MemoryEntry;
use crate::text::{cut, one_line, plain, units};

/// How many characters memories get unless somebody says otherwise, as claude counts them ([`units`]).
pub const BUDGET: usize = 4_000;

/// The longest text of one memory, in characters; the rest is a `recall` away.
const ONE_MAX: usize = 800;
const HEADING: &str = "## What is known here\n";

/// What an agent is told of memories whether there are any or not: a text that waits for the end of a
/// session is lost with it.
pub const HOW: &str = "Remember what you find out or decide at once, while you work: `beads-console remember \"...\"` \
     (--type decision|pattern|learning|context, --tag T, --importance 1-10). Look up: `beads-console memories WORDS`, \
     `beads-console recall KEY`.";

/// Memories as text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Primed {
    /// The text; empty where there is nothing to tell.
    pub text: String,
    /// The keys of those that are in it, in order.
    pub keys: Vec<String>,
    /// How many are not.
    pub left_out: usize,
}

/// The memories in this order, each with its text, as many as `budget` characters hold. One that does not
/// fit is passed over for a shorter one after it.
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

/// What stands in a text before a memory: by this it is known that an agent was told it.
pub fn mark_in_text(key: &str) -> String {
    format!("- **{}** (", one_line(key))
}

fn footer(left_out: usize) -> String {
    format!("\n{left_out} more: `beads-console memories [WORDS]` finds them.\n")
}

/// `- **key** (decision, on BC-1): text`, with what follows the first line indented.
fn entry(memory: &MemoryEntry, content: &str) -> String {
    let text = plain(content.trim());
    let whole = text.chars().count() <= ONE_MAX;
    let text = if whole { text } else { cut(&text, ONE_MAX) };
    let text = text.replace('\n', "\n  ");
    let on = memory.bead_id.as_ref().map(|bead| format!(", on {bead}")).unwrap_or_default();
    let key = one_line(&memory.key);
    let rest = if whole { String::new() } else { format!(" (whole: `beads-console recall {key}`)") };
    format!("{}{}{on}): {text}{rest}\n", mark_in_text(&memory.key), memory.memory_type.as_str())
}
