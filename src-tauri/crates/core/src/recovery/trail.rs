//! The checkpoint trail: the last comments on a bead, each on one line with its age.

use super::comments::CHANGES_REQUESTED;
use crate::{Timestamp, bead::BeadComment, text::one_line};

/// The maximum number of comments to show.
pub(super) const COMMENTS_MAX: usize = 5;
/// The maximum length of a comment's text, in characters.
const TEXT_MAX: usize = 200;
/// The maximum length of requested changes, in characters. They are the agent's next work, so they get more
/// space.
pub(super) const REQUEST_MAX: usize = 400;

/// The age of a time: `just now`, `30m ago`, `2h ago`, `3d ago`; `unknown` without a time. A time in the
/// future, from another machine's clock, counts as just now.
pub fn relative_time(at: Option<Timestamp>, now: Timestamp) -> String {
    let Some(at) = at else { return "unknown".to_owned() };
    match (now - at).num_minutes() {
        ..=0 => "just now".to_owned(),
        minutes @ 1..60 => format!("{minutes}m ago"),
        minutes @ 60..1440 => format!("{}h ago", minutes / 60),
        minutes => format!("{}d ago", minutes / 1440),
    }
}

/// The last five comments, oldest first, one line each. `comments` must be in the same order.
pub fn trail(comments: &[BeadComment], now: Timestamp) -> Vec<String> {
    let recent = &comments[comments.len().saturating_sub(COMMENTS_MAX)..];
    recent
        .iter()
        .map(|c| format!("- [{}] {}", relative_time(c.created_at, now), shortened(&c.text)))
        .collect()
}

fn shortened(text: &str) -> String {
    let line = one_line(text);
    let most = if line.starts_with(CHANGES_REQUESTED) { REQUEST_MAX } else { TEXT_MAX };
    if line.chars().count() <= most {
        return line;
    }
    line.chars().take(most - 3).chain("...".chars()).collect()
}
