//! Chooses how much of each found source fits into a context pack's budget. Performs no I/O: computes the
//! pack's lists and a description of every piece from the sources.

use super::{
    find::{Found, Source},
    language::language,
    mention::Lines,
};
use crate::context::count;
use bc_core::{
    context_pack::{PackFile, PackText},
    text::{head_of_units, plain, units},
};
use bc_wire::session::{PackExcerpt, PackKind, PackPiece, PackState};

/// The lists of a context pack, and its pieces.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Chosen {
    pub(super) files: Vec<PackFile>,
    pub(super) docs: Vec<PackText>,
    pub(super) config: Vec<PackText>,
    pub(super) commits: Vec<String>,
    /// The number of included lines from the list of definitions.
    pub(super) symbols: usize,
    pub(super) total_tokens: u64,
    pub(super) truncated: bool,
    /// First the included pieces in their order, then the others.
    pub(super) pieces: Vec<PackPiece>,
}

/// The approximate number of characters in a token.
const PER_TOKEN: usize = 4;
/// The size of a heading without the path, in characters.
const HEADING: usize = 128;
/// The minimum size of a cut excerpt, in characters; a shorter excerpt is not useful.
const WORTH: usize = 400;
/// The marker at the end of a cut convention or configuration file.
const CUT: &str = "… (the rest of the file is left out)\n";

/// The maximum size of one source's text in a pack of `budget` characters.
fn limit(budget: usize, role: PackKind) -> usize {
    match role {
        PackKind::Added | PackKind::Named | PackKind::Template => budget * 3 / 8,
        PackKind::Convention => budget / 4,
        PackKind::Match | PackKind::Earlier | PackKind::Config => (budget / 8).max(1_200),
        PackKind::Symbols | PackKind::Commits => (budget / 16).max(600),
    }
}

fn is_convention(source: &Source) -> bool {
    matches!(source.role, PackKind::Convention | PackKind::Config)
}

/// The key with which requests identify a piece.
pub(super) fn key(source: &Source) -> &str {
    match source.role {
        PackKind::Symbols => "symbols:",
        PackKind::Commits => "commits:",
        _ => &source.path,
    }
}

/// Fills the budget, which is in tokens: first with the pinned sources, then with the others in their order. `removed`
/// and `pinned` are the keys of the pieces that the user removed and pinned.
pub(super) fn choose(found: &Found, budget: u32, removed: &[String], pinned: &[String]) -> Chosen {
    let budget = budget as usize * PER_TOKEN;
    let has = |keys: &[String], source: &Source| keys.iter().any(|known| known == key(source));
    let (removed, mut wanted): (Vec<&Source>, Vec<&Source>) =
        found.sources.iter().partition(|source| has(removed, source));
    wanted.sort_by_key(|source| !has(pinned, source));
    let mut chosen = Chosen { truncated: found.more, ..Chosen::default() };
    let reserved = reserved(&wanted, budget);
    let mut room = budget;
    let mut others = Vec::new();
    for source in wanted {
        let is_pinned = has(pinned, source);
        let lines: Vec<String> = source.text.lines().map(printable).collect();
        let heading = heading(source);
        let reserved = if is_convention(source) || is_pinned { heading } else { reserved + heading };
        let limit = if is_pinned { budget } else { limit(budget, source.role) };
        let mut left = limit;
        let mut excerpts = Vec::new();
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
            excerpts.push(chosen.take(source, excerpt, lines.len(), cut));
        }
        match excerpts.is_empty() {
            true => {
                others.push(piece(source, PackState::LeftOut, is_pinned, possible(source, &lines, limit)))
            }
            false => chosen.pieces.push(piece(source, PackState::Included, is_pinned, excerpts)),
        }
    }
    chosen.pieces.extend(others.into_iter().filter(|piece| !piece.excerpts.is_empty()));
    for source in removed {
        let lines: Vec<String> = source.text.lines().map(printable).collect();
        let excerpts = possible(source, &lines, limit(budget, source.role));
        chosen.pieces.push(piece(source, PackState::Removed, false, excerpts));
    }
    chosen
}

fn heading(source: &Source) -> usize {
    HEADING + units(&source.path)
}

/// The size that other sources must leave for convention and configuration files.
fn reserved(wanted: &[&Source], budget: usize) -> usize {
    let conventions = wanted.iter().filter(|source| is_convention(source));
    // Count one more character, because a newline is appended to a file without a final newline.
    let size = |source: &&Source| heading(source) + (units(&source.text) + 1).min(limit(budget, source.role));
    conventions.map(size).sum::<usize>().min(budget / 4)
}

/// The excerpts that a source would have if it were included.
fn possible(source: &Source, lines: &[String], limit: usize) -> Vec<PackExcerpt> {
    let mut left = limit;
    let mut excerpts = Vec::new();
    for part in asked(source, lines, limit) {
        let excerpt = excerpt(lines, part, left);
        if excerpt.text.is_empty() {
            break;
        }
        left -= units(&excerpt.text);
        excerpts.push(shown(source, &excerpt, lines.len(), excerpt.cut));
    }
    excerpts
}

fn piece(source: &Source, state: PackState, pinned: bool, excerpts: Vec<PackExcerpt>) -> PackPiece {
    let size: usize = excerpts.iter().map(|excerpt| units(&excerpt.text).div_ceil(PER_TOKEN)).sum();
    PackPiece {
        key: key(source).to_owned(),
        kind: source.role,
        path: source.path.clone(),
        reason: source.reasons.join("; "),
        relevance: source.relevance,
        tokens: count(size),
        state,
        pinned,
        excerpts,
    }
}

fn shown(source: &Source, excerpt: &Excerpt, of: usize, cut: bool) -> PackExcerpt {
    let Lines { first, last } = excerpt.lines;
    let whole = !cut && first == 1 && last as usize == of;
    let mut text = excerpt.text.clone();
    if whole && !source.text.ends_with('\n') {
        text.pop();
    }
    PackExcerpt { first, last, whole, text }
}

impl Chosen {
    /// Adds an excerpt to the pack's lists, and returns its description.
    fn take(&mut self, source: &Source, excerpt: Excerpt, of: usize, cut: bool) -> PackExcerpt {
        let path = source.path.clone();
        let taken = shown(source, &excerpt, of, cut);
        let mut content = taken.text.clone();
        let list = match source.role {
            PackKind::Convention => &mut self.docs,
            PackKind::Config => &mut self.config,
            PackKind::Symbols => {
                self.symbols = excerpt.lines.last as usize;
                return taken;
            }
            PackKind::Commits => {
                self.commits = content.lines().map(str::to_owned).collect();
                return taken;
            }
            PackKind::Added | PackKind::Named | PackKind::Template | PackKind::Match | PackKind::Earlier => {
                let lines = (!taken.whole).then_some(excerpt.lines);
                self.files.push(PackFile {
                    language: language(&path).to_owned(),
                    path,
                    content,
                    relevance_score: source.relevance,
                    excerpt_only: !taken.whole,
                    line_start: lines.map(|lines| lines.first),
                    line_end: lines.map(|lines| lines.last),
                    reason: Some(source.reasons.join("; ")).filter(|reason| !reason.is_empty()),
                });
                return taken;
            }
        };
        if cut {
            content.push_str(CUT);
        }
        list.push(PackText { path, content });
        taken
    }
}

/// A line without terminal control characters. The result is a single line, so that line numbers stay valid.
fn printable(line: &str) -> String {
    let line = plain(line);
    if line.contains('\n') { line.replace('\n', " ") } else { line }
}

/// The lines to take from a source: all lines if the whole file is wanted and fits, else the wanted ranges,
/// with overlapping and adjacent ranges merged. Without a range inside the file, all lines, which the caller
/// cuts.
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
    /// Whether lines are missing because they did not fit.
    cut: bool,
}

fn excerpt(lines: &[String], asked: Lines, max: usize) -> Excerpt {
    let (mut text, mut used, mut last) = (String::new(), 0, asked.first);
    for number in asked.first..=asked.last {
        let line = &lines[number as usize - 1];
        let more = units(line) + 1;
        if used + more > max {
            // Not even the first line fits, as with minified code: cut the line.
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
