//! Searches the files of the working folder for the bead's words.
//!
//! Invariants: links are not followed; ignored files, nested repositories, and the files of git, the tracker and
//! claude are skipped; and each file is opened with [`bc_store::repository::open`]. At its deadline, the search
//! returns the results so far.

use super::words::Word;
use grep_matcher::Matcher;
use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder, Sink, SinkMatch};
use std::{
    collections::HashMap,
    io::{self, Read},
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::Instant,
};

/// The names of files and folders that are never searched: the data of git and the tracker, and claude's own
/// files, which claude reads anyway.
const CLOSED: [&str; 4] = [".git", ".beads", ".claude", "CLAUDE.md"];
/// The maximum size of a searched file, in bytes; larger files are data or generated.
const FILE: u64 = 1 << 20;
/// The maximum number of files to search.
const FILES: usize = 100_000;
/// The maximum number of matching lines that are recorded per file.
const LINES: usize = 400;
/// The maximum number of results.
const HITS: usize = 40;
/// The minimum score of a result, as a fraction of the best score.
const LEAST: f64 = 0.12;
/// The weight of a word in a file's path, relative to a word in its text.
const IN_NAME: f64 = 4.0;

/// A file that contains words from the bead in its path or text.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Hit {
    /// The path relative to the searched folder, with `/`.
    pub(super) path: String,
    /// The score from 0 to 1, relative to the best result.
    pub(super) score: f64,
    /// The words in the file's text, each with the number of lines that contain it, the most significant first.
    pub(super) words: Vec<(String, u32)>,
    /// Line numbers with the weight of the words on each line.
    pub(super) lines: Vec<(u32, f64)>,
}

#[derive(Debug, Default, PartialEq)]
pub(super) struct Searched {
    /// The best results, best first.
    pub(super) hits: Vec<Hit>,
    /// All searchable files that were found in time, sorted by name.
    pub(super) files: Vec<String>,
    /// Whether every file was searched, within the deadline and the maximum number of files.
    pub(super) complete: bool,
}

/// The lines of one file that contain words. A word is given by its index.
struct FileLines {
    path: String,
    lines: Vec<(u32, Vec<usize>)>,
    counts: HashMap<usize, u32>,
}

/// Searches the folder's files for the words. Stops at `until`, and returns the results so far.
pub(super) fn search(root: &Path, words: &[Word], until: Instant) -> Searched {
    let (files, listed_all) = list(root, until);
    let Some(matcher) = matcher(words) else { return Searched { hits: vec![], files, complete: listed_all } };
    let threads = thread::available_parallelism().map_or(1, usize::from).min(4);
    let late = AtomicBool::new(false);
    let found: Vec<FileLines> = thread::scope(|scope| {
        let parts = files.chunks(files.len().div_ceil(threads).max(1));
        let (matcher, late) = (&matcher, &late);
        let running: Vec<_> = parts
            .map(|part| scope.spawn(move || search_files(root, part, matcher, words, until, late)))
            .collect();
        running.into_iter().flat_map(|thread| thread.join().unwrap_or_default()).collect()
    });
    let hits = ranked(found, words, &files);
    Searched { hits, files, complete: listed_all && !late.load(Ordering::Relaxed) }
}

/// Lists the folder's files that git does not ignore, sorted. Also returns whether the list is complete.
fn list(root: &Path, until: Instant) -> (Vec<String>, bool) {
    let mut walk = ignore::WalkBuilder::new(root);
    walk.hidden(false)
        .follow_links(false)
        .require_git(false)
        .ignore(false)
        .sort_by_file_name(|a, b| a.cmp(b));
    walk.filter_entry(|entry| {
        let name = entry.file_name();
        let closed = || CLOSED.iter().any(|closed| name.eq_ignore_ascii_case(closed));
        let nested = || entry.path().join(".git").symlink_metadata().is_ok();
        entry.depth() == 0 || !(closed() || nested())
    });
    let mut files = Vec::new();
    for entry in walk.build() {
        if files.len() == FILES || Instant::now() > until {
            return (files, false);
        }
        // An unreadable folder is skipped.
        let Ok(entry) = entry else { continue };
        if !entry.file_type().is_some_and(|kind| kind.is_file()) {
            continue;
        }
        let Ok(inside) = entry.path().strip_prefix(root) else { continue };
        let parts: Option<Vec<&str>> = inside.iter().map(|part| part.to_str()).collect();
        files.extend(parts.map(|parts| parts.join("/")));
    }
    (files, true)
}

fn matcher(words: &[Word]) -> Option<RegexMatcher> {
    if words.is_empty() {
        return None;
    }
    // Words consist of letters, digits and underscores, so they do not need escaping. Short words are parts
    // of too many other words, so they match only as whole words.
    let pattern = |word: &Word| match word.text.chars().count() {
        0..4 => format!(r"\b{}\b", word.text),
        _ => word.text.clone(),
    };
    let pattern = words.iter().map(pattern).collect::<Vec<_>>().join("|");
    RegexMatcherBuilder::new().case_insensitive(true).line_terminator(Some(b'\n')).build(&pattern).ok()
}

fn search_files(
    root: &Path,
    files: &[String],
    matcher: &RegexMatcher,
    words: &[Word],
    until: Instant,
    late: &AtomicBool,
) -> Vec<FileLines> {
    let mut searcher =
        SearcherBuilder::new().binary_detection(BinaryDetection::quit(0)).line_number(true).build();
    let mut found = Vec::new();
    for path in files {
        if Instant::now() > until {
            late.store(true, Ordering::Relaxed);
            break;
        }
        // Skip a file that cannot be read or was deleted.
        if let Ok(Some(lines)) = search_file(root, path, matcher, words, &mut searcher) {
            found.push(lines);
        }
    }
    found
}

fn search_file(
    root: &Path,
    path: &str,
    matcher: &RegexMatcher,
    words: &[Word],
    searcher: &mut Searcher,
) -> io::Result<Option<FileLines>> {
    let file = bc_store::repository::open(&root.join(path))?;
    if file.metadata()?.len() > FILE {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    file.take(FILE).read_to_end(&mut bytes)?;
    let mut sink = LineSink { matcher, words, binary: false, lines: Vec::new(), counts: HashMap::new() };
    searcher.search_slice(matcher, &bytes, &mut sink)?;
    let lower = path.to_lowercase();
    let named = words.iter().any(|word| lower.contains(&word.text));
    let LineSink { binary, lines, counts, .. } = sink;
    Ok((!binary && (named || !lines.is_empty())).then(|| FileLines { path: path.to_owned(), lines, counts }))
}

struct LineSink<'a> {
    matcher: &'a RegexMatcher,
    words: &'a [Word],
    binary: bool,
    lines: Vec<(u32, Vec<usize>)>,
    counts: HashMap<usize, u32>,
}

impl Sink for LineSink<'_> {
    type Error = io::Error;

    fn matched(&mut self, _: &Searcher, found: &SinkMatch<'_>) -> io::Result<bool> {
        let line = found.bytes();
        let mut on_line: Vec<usize> = Vec::new();
        self.matcher
            .find_iter(line, |part| {
                let text = String::from_utf8_lossy(&line[part]).to_lowercase();
                if let Some(at) = self.words.iter().position(|word| word.text == text)
                    && !on_line.contains(&at)
                {
                    on_line.push(at);
                }
                true
            })
            .map_err(|error| io::Error::other(error.to_string()))?;
        on_line.iter().for_each(|at| *self.counts.entry(*at).or_default() += 1);
        let number = found.line_number().and_then(|number| u32::try_from(number).ok());
        if self.lines.len() < LINES
            && let Some(number) = number
        {
            self.lines.push((number, on_line));
        }
        Ok(true)
    }

    fn binary_data(&mut self, _: &Searcher, _: u64) -> io::Result<bool> {
        self.binary = true;
        Ok(false)
    }
}

/// The best files, best first. A word counts more if fewer files contain it.
fn ranked(found: Vec<FileLines>, words: &[Word], files: &[String]) -> Vec<Hit> {
    let rarity: Vec<f64> = (0..words.len())
        .map(|at| {
            let with = found.iter().filter(|file| file.counts.contains_key(&at)).count();
            ((files.len() + 1) as f64 / (with + 1) as f64).ln().max(0.05)
        })
        .collect();
    let worth = |at: usize| words[at].weight * rarity[at];
    let mut hits: Vec<Hit> = found
        .into_iter()
        .map(|file| {
            let lower = file.path.to_lowercase();
            let in_text: f64 =
                file.counts.iter().map(|(at, n)| worth(*at) * (1.0 + f64::from(*n).ln())).sum();
            let named = (0..words.len()).filter(|at| lower.contains(&words[*at].text));
            let in_name: f64 = named.map(|at| worth(at) * IN_NAME).sum();
            let mut counts: Vec<(usize, u32)> = file.counts.into_iter().collect();
            counts.sort_by(|a, b| worth(b.0).total_cmp(&worth(a.0)).then(a.0.cmp(&b.0)));
            let words = counts.into_iter().map(|(at, n)| (words[at].text.clone(), n)).collect();
            let weight = |words: Vec<usize>| words.into_iter().map(worth).sum();
            let lines = file.lines.into_iter().map(|(number, words)| (number, weight(words))).collect();
            Hit { path: file.path, score: in_text + in_name, words, lines }
        })
        .collect();
    // Sorting by path makes the order of equal scores deterministic.
    hits.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.path.cmp(&b.path)));
    let best = hits.first().map_or(0.0, |hit| hit.score).max(f64::MIN_POSITIVE);
    hits.iter_mut().for_each(|hit| hit.score /= best);
    hits.retain(|hit| hit.score >= LEAST);
    hits.truncate(HITS);
    hits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::context_pack::{fixture::Sandbox, words::words};
    use std::time::Duration;

    fn searched(sandbox: &Sandbox, text: &str) -> Searched {
        search(&sandbox.root(), &words([(text, 1.0)]), Instant::now() + Duration::from_secs(60))
    }

    fn paths(sandbox: &Sandbox, text: &str) -> Vec<String> {
        searched(sandbox, text).hits.into_iter().map(|hit| hit.path).collect()
    }

    #[test]
    fn the_file_with_the_rarer_words_comes_first() {
        let sandbox = Sandbox::new();
        sandbox.write("src/one.rs", b"// composer\nfn flush_draft() {}\n// Composer again\n");
        sandbox.write("src/two.rs", b"// composer\n");
        sandbox.write("src/three.rs", b"// nothing\n");
        let found = searched(&sandbox, "The composer loses text in `flush_draft`");
        assert_eq!(found.files, ["src/one.rs", "src/three.rs", "src/two.rs"]);
        let hit = &found.hits[0];
        assert_eq!((hit.path.as_str(), hit.score), ("src/one.rs", 1.0));
        assert_eq!(hit.words, [("flush_draft".to_owned(), 1), ("composer".to_owned(), 2)]);
        assert_eq!(hit.lines.iter().map(|line| line.0).collect::<Vec<_>>(), [1, 2, 3]);
        assert!(found.complete && found.hits.iter().all(|hit| hit.path != "src/three.rs"));
    }

    #[test]
    fn a_files_name_counts_and_short_words_are_matched_whole() {
        let sandbox = Sandbox::new();
        sandbox.write("ui/Composer.svelte", b"<div/>\n");
        sandbox.write("a.rs", b"tabs\n");
        sandbox.write("b.rs", b"the tab key\n");
        assert_eq!(paths(&sandbox, "composer"), ["ui/Composer.svelte"]);
        assert_eq!(paths(&sandbox, "tab"), ["b.rs"]);
    }

    #[cfg(unix)]
    #[test]
    fn only_text_files_of_the_repository_that_git_does_not_ignore_are_searched() {
        let sandbox = Sandbox::new();
        sandbox.write("../outside/secret.rs", b"composer");
        sandbox.write(".gitignore", b"build/\n");
        for name in ["build/a.rs", ".beads/issues.jsonl", "inner/.git/HEAD", "inner/a.rs"] {
            sandbox.write(name, b"composer");
        }
        sandbox.write("binary.dat", b"composer\0composer");
        sandbox.write("latin1.txt", b"gr\xf6\xdfe composer");
        sandbox.write(".hidden/a.rs", b"composer");
        sandbox.link("escape", "../outside");
        sandbox.link("escape.rs", "../outside/secret.rs");
        assert_eq!(paths(&sandbox, "composer"), [".hidden/a.rs", "latin1.txt"]);
    }

    #[test]
    fn a_search_that_runs_out_of_time_is_reported_as_incomplete() {
        let sandbox = Sandbox::new();
        sandbox.write("a.rs", b"composer");
        let found =
            search(&sandbox.root(), &words([("composer", 1.0)]), Instant::now() - Duration::from_secs(1));
        assert!(!found.complete && found.hits.is_empty());
    }
}
