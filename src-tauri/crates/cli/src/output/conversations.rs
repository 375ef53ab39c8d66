//! Claude's own conversations, and decoded transcripts.

use super::{
    Cell, Style, Table, Tone, moment, transcript,
    units::{count, size},
};
use bc_core::{session::unknown_in_words, text::one_line};
use bc_wire::session::{Conversations, TranscriptDecoded};

/// The conversations, with excerpts around the searched text.
pub(crate) fn list(found: &Conversations, style: &Style) -> String {
    if found.conversations.is_empty() {
        return "No conversations outside sessions.\n".to_owned();
    }
    let mut table = Table::new(&["ID", "LAST", "SIZE", "BRANCH", "STATE", "TITLE"], 5);
    for one in &found.conversations {
        table.row(vec![
            Cell::new(Tone::Strong, one.id.to_string().get(..8).unwrap_or_default()),
            Cell::plain(&moment(style, &one.last_at)),
            Cell::plain(&size(one.bytes)),
            Cell::plain(one.branch.as_deref().unwrap_or_default()),
            Cell::new(Tone::Attention, if one.in_use { "in use" } else { "" }),
            Cell::plain(&one.title),
        ]);
    }
    let mut out = table.print(style);
    for one in found.conversations.iter().filter(|one| !one.found.is_empty()) {
        let short = one.id.to_string();
        out.push_str(&format!("\n{}\n", style.paint(Tone::Strong, short.get(..8).unwrap_or_default())));
        one.found.iter().for_each(|place| out.push_str(&format!("  {}\n", one_line(place))));
    }
    out
}

/// A transcript, with its totals at the end.
pub(crate) fn decoded(decoded: &TranscriptDecoded, style: &Style) -> String {
    let tokens = &decoded.tokens;
    let mut out = transcript::conversation(&decoded.messages, style);
    out.push_str(&format!(
        "\n{} messages; tokens: {} input, {} output, {} read from the cache, {} written to it\n",
        count(decoded.messages.len() as u64),
        count(tokens.input),
        count(tokens.output),
        count(tokens.cache_read),
        count(tokens.cache_creation)
    ));
    if !decoded.unknown.is_empty() {
        out.push_str(&format!("Lines of unknown kinds: {}\n", unknown_in_words(&decoded.unknown)));
    }
    out
}
