//! Chooses how much of the found files fits into a context pack. Pure: found files in, the pack's lists out.

use super::{
    find::{Found, Role, Source},
    language::language,
    mention::Lines,
};
use bc_core::{
    context_pack::{PackFile, PackText},
    text::{head_of_units, plain, units},
};

/// The lists of a context pack.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Chosen {
    pub(super) files: Vec<PackFile>,
    pub(super) docs: Vec<PackText>,
    pub(super) config: Vec<PackText>,
    pub(super) total_tokens: u64,
    pub(super) truncated: bool,
}

/// The approximate number of characters in a token.
const PER_TOKEN: usize = 4;
/// The total size: about 8,000 tokens, file headings included.
const BUDGET: usize = 8_000 * PER_TOKEN;
/// Reserved for convention files, however many files are named.
const KEPT: usize = 8_000;
/// The size of a heading besides the path.
const HEADING: usize = 128;
/// A shorter part of a file is useless.
const WORTH: usize = 400;
/// The marker at the end of a cut document.
const CUT: &str = "… (the rest of the file is left out)\n";

/// The maximum size of one file.
fn limit(role: Role) -> usize {
    match role {
        Role::Named => 12_000,
        Role::Doc => 8_000,
        Role::Config => 4_000,
    }
}

/// Fills the budget in the order of the sources.
pub(super) fn choose(found: &Found) -> Chosen {
    let mut chosen = Chosen { truncated: found.more, ..Chosen::default() };
    let reserved = reserved(found);
    let mut room = BUDGET;
    for source in &found.sources {
        let lines: Vec<String> = source.text.lines().map(printable).collect();
        let heading = heading(source);
        let reserved = if source.role == Role::Named { reserved + heading } else { heading };
        let mut left = limit(source.role);
        for part in asked(source, &lines, left.min(room.saturating_sub(reserved))) {
            let max = left.min(room.saturating_sub(reserved));
            let excerpt = excerpt(&lines, part, max);
            let cut = excerpt.cut || (part.last as usize == lines.len() && !source.complete);
            chosen.truncated |= cut;
            if excerpt.text.is_empty() || (excerpt.cut && max < WORTH) {
                continue;
            }
            let used = units(&excerpt.text);
            room -= used + heading;
            left -= used;
            chosen.total_tokens += used.div_ceil(PER_TOKEN) as u64;
            chosen.take(source, excerpt, lines.len(), cut);
        }
    }
    chosen
}

fn heading(source: &Source) -> usize {
    HEADING + units(&source.path)
}

/// The size that named files must leave to convention files.
fn reserved(found: &Found) -> usize {
    let conventions = found.sources.iter().filter(|source| source.role != Role::Named);
    // One more for a missing newline at the end.
    let wanted = |source: &Source| heading(source) + (units(&source.text) + 1).min(limit(source.role));
    conventions.map(wanted).sum::<usize>().min(KEPT)
}

impl Chosen {
    fn take(&mut self, source: &Source, excerpt: Excerpt, of: usize, cut: bool) {
        let path = source.path.clone();
        let mut content = excerpt.text;
        let all = !cut && excerpt.lines.first == 1 && excerpt.lines.last as usize == of;
        if all && !source.text.ends_with('\n') {
            content.pop();
        }
        let list = match source.role {
            Role::Named => {
                let lines = (!all).then_some(excerpt.lines);
                return self.files.push(PackFile {
                    language: language(&path).to_owned(),
                    path,
                    content,
                    relevance_score: 1.0,
                    excerpt_only: !all,
                    line_start: lines.map(|lines| lines.first),
                    line_end: lines.map(|lines| lines.last),
                });
            }
            Role::Doc => &mut self.docs,
            Role::Config => &mut self.config,
        };
        if cut {
            content.push_str(CUT);
        }
        list.push(PackText { path, content });
    }
}

/// A line without terminal control characters; it stays a single line, so that line numbers stay valid.
fn printable(line: &str) -> String {
    let line = plain(line);
    if line.contains('\n') { line.replace('\n', " ") } else { line }
}

/// The requested lines of a file: the whole file if it was named and fits, else the named lines, with adjacent
/// ranges merged. Ranges beyond the end request the beginning.
fn asked(source: &Source, lines: &[String], room: usize) -> Vec<Lines> {
    if lines.is_empty() {
        return Vec::new();
    }
    let last = u32::try_from(lines.len()).expect("a file of some MiB has fewer lines than 2^32");
    let all = Lines { first: 1, last };
    let fits = source.complete && lines.iter().map(|line| units(line) + 1).sum::<usize>() <= room;
    if source.whole && fits {
        return vec![all];
    }
    let within_file = source.lines.iter().filter(|named| named.first <= last);
    let mut named: Vec<Lines> =
        within_file.map(|named| Lines { first: named.first, last: named.last.min(last) }).collect();
    named.sort_by_key(|named| named.first);
    let mut apart: Vec<Lines> = Vec::new();
    for lines in named {
        match apart.last_mut() {
            Some(before) if lines.first <= before.last + 1 => before.last = before.last.max(lines.last),
            _ => apart.push(lines),
        }
    }
    if apart.is_empty() { vec![all] } else { apart }
}

/// The part of the requested lines that fits.
struct Excerpt {
    /// The lines with their line endings.
    text: String,
    lines: Lines,
    /// Whether it is incomplete.
    cut: bool,
}

fn excerpt(lines: &[String], asked: Lines, max: usize) -> Excerpt {
    let (mut text, mut used, mut last) = (String::new(), 0, asked.first);
    for number in asked.first..=asked.last {
        let line = &lines[number as usize - 1];
        let more = units(line) + 1;
        if used + more > max {
            // A single line as long as a file, as in minified code.
            if used == 0 && max > 1 {
                text = format!("{}\n", head_of_units(line, max - 1));
            }
            return Excerpt { text, lines: Lines { first: asked.first, last }, cut: true };
        }
        text.push_str(line);
        text.push('\n');
        used += more;
        last = number;
    }
    Excerpt { text, lines: Lines { first: asked.first, last }, cut: false }
}

#[cfg(test)]
mod tests;
