//! Splits a Markdown file of an agent's notes, such as `MEMORY.md`, into items that can become memories.

use crate::text::one_line;

/// A bullet, paragraph or separate code block of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    pub section: Option<String>,
    /// The text, without a bullet marker. Only code keeps its indentation.
    pub text: String,
}

/// Returns every top-level bullet with its continuation lines, and every paragraph. A code block belongs to
/// the preceding item of its section, if any. Items with fewer than three letters or digits are omitted.
pub fn from_markdown(text: &str) -> Vec<Item> {
    let mut items: Vec<Item> = Vec::new();
    let (mut section, mut code, mut open) = (None, false, false);
    for line in text.lines() {
        let bare = line.trim();
        let fence = bare.starts_with("```");
        if code || fence {
            match items.last_mut().filter(|item| item.section == section) {
                Some(item) => {
                    let gap = if fence && !code && !open { "\n\n" } else { "\n" };
                    item.text.push_str(gap);
                    item.text.push_str(line);
                }
                None => items.push(Item { section: section.clone(), text: line.to_owned() }),
            }
            code ^= fence;
            open = false;
            continue;
        }
        if bare.is_empty() {
            open = false;
        } else if let Some(heading) = bare.strip_prefix('#') {
            section = Some(one_line(heading.trim_start_matches('#'))).filter(|heading| !heading.is_empty());
            open = false;
        } else if let Some(point) = ["- ", "* ", "+ "].iter().find_map(|mark| line.strip_prefix(mark)) {
            items.push(Item { section: section.clone(), text: point.trim().to_owned() });
            open = true;
        } else if open && let Some(item) = items.last_mut() {
            item.text.push('\n');
            item.text.push_str(bare);
        } else {
            items.push(Item { section: section.clone(), text: bare.to_owned() });
            open = true;
        }
    }
    items.retain(|item| item.text.chars().filter(|c| c.is_alphanumeric()).count() >= 3);
    items
}
