//! Collects the candidates of a context pack, in the order in which they fill it: the user's files, files
//! that the bead names, the template's files, the lists of definitions and commits, search matches and files
//! of earlier sessions by relevance, and convention and configuration files.

use super::{
    code_search::{self, Hit},
    find::{self, FindError, Found, Source, Wanted},
    mention::{Lines, Mention, mentions},
    relevant_lines, render,
    templates::Template,
    words::{Word, words},
};
use bc_core::context_pack::PackSymbol;
use bc_git::Repo;
use bc_wire::session::PackKind;
use std::{
    path::Path,
    time::{Duration, Instant},
};

/// The time limit for the search; the whole pack must be ready within 5 s.
const SEARCH_WITHIN: Duration = Duration::from_millis(2_500);
/// The maximum number of matches that are parsed for definitions.
const PARSED: usize = 30;
/// The maximum size of a parsed file, in bytes.
const PARSED_SIZE: u64 = bc_symbols::FILE_MAX as u64;
/// The maximum number of definitions to list.
const SYMBOLS: usize = 60;
/// The maximum number of commits.
const COMMITS: usize = 12;
/// The maximum number of files that a template's pattern selects.
const OF_PATTERN: usize = 40;

/// The subject of a pack: the inputs from which the candidates are collected.
#[derive(Debug, Default)]
pub(super) struct Subject<'a> {
    /// The strings of the bead and the session, with their weights, the most relevant first.
    pub(super) texts: Vec<(&'a str, f64)>,
    pub(super) added: Vec<Mention>,
    pub(super) template: Option<Template>,
    /// The files that earlier sessions touched.
    pub(super) earlier: Vec<Wanted>,
}

#[derive(Debug, Default)]
pub(super) struct Collected {
    pub(super) found: Found,
    /// The definitions, in the order of the lines of their list.
    pub(super) symbols: Vec<PackSymbol>,
    pub(super) warnings: Vec<String>,
}

pub(super) fn collect(cwd: &Path, repo: &Repo, subject: Subject<'_>) -> Result<Collected, FindError> {
    let words = words(subject.texts.iter().copied());
    let root = find::open_folder(cwd)?;
    let searched = code_search::search(&root, &words, Instant::now() + SEARCH_WITHIN);
    let mut collected = Collected::default();
    if !searched.complete {
        collected.warnings.push("not every file was searched: the project is large".to_owned());
    }
    let named = mentions(subject.texts.iter().map(|text| text.0));
    let mut wanted: Vec<Wanted> =
        subject.added.iter().map(|file| Wanted::at(PackKind::Added, file, 1.0, "you added it")).collect();
    wanted.extend(named.iter().map(|file| Wanted::at(PackKind::Named, file, 1.0, "the bead names it")));
    let template = subject.template.as_ref();
    wanted.extend(template.into_iter().flat_map(|template| of_template(template, &searched.files)));
    let mut ranked = subject.earlier;
    for (at, hit) in searched.hits.iter().enumerate() {
        ranked.push(matched(&root, repo, hit, at < PARSED, &words, &mut collected.symbols));
    }
    // The sort is stable, so candidates of equal relevance keep the search's order.
    ranked.sort_by(|a, b| b.relevance.total_cmp(&a.relevance));
    wanted.extend(ranked);
    collected.found = find::find(&root, repo, wanted)?;
    collected.found.sources.sort_by_key(|source| order(source.role));
    add_lists(&mut collected, repo, template);
    Ok(collected)
}

fn order(role: PackKind) -> u8 {
    match role {
        PackKind::Added => 0,
        PackKind::Named => 1,
        PackKind::Template => 2,
        PackKind::Symbols | PackKind::Commits => 3,
        PackKind::Match | PackKind::Earlier => 4,
        PackKind::Convention | PackKind::Config => 5,
    }
}

/// The files that a template names; its patterns select from `files`, the searched files of the folder.
fn of_template(template: &Template, files: &[String]) -> Vec<Wanted> {
    let why = |reason: &Option<String>| match reason {
        Some(reason) => format!("the template {} names it: {reason}", template.name),
        None => format!("the template {} names it", template.name),
    };
    let mut wanted = Vec::new();
    for file in &template.files {
        let mention =
            |path: &str| Mention { path: path.trim_start_matches("./").to_owned(), lines: file.lines };
        let at = |path: &str| Wanted::at(PackKind::Template, &mention(path), 0.95, &why(&file.reason));
        if !file.path.contains(['*', '?', '[']) {
            wanted.push(at(&file.path));
            continue;
        }
        let mut pattern = ignore::overrides::OverrideBuilder::new("");
        // A malformed pattern selects nothing and is reported as missing.
        let pattern = pattern.add(&file.path).ok().and_then(|pattern| pattern.build().ok());
        let selects = |path: &&String| {
            pattern.as_ref().is_some_and(|pattern| pattern.matched(path.as_str(), false).is_whitelist())
        };
        let before = wanted.len();
        wanted.extend(files.iter().filter(selects).take(OF_PATTERN).map(|path| at(path)));
        if wanted.len() == before {
            wanted.push(at(&file.path));
        }
    }
    wanted
}

/// Turns a search match into a candidate. Its definitions whose names contain the bead's words are added to
/// `symbols`, up to [`SYMBOLS`].
fn matched(
    root: &Path,
    repo: &Repo,
    hit: &Hit,
    parse: bool,
    words: &[Word],
    symbols: &mut Vec<PackSymbol>,
) -> Wanted {
    let text = (parse && bc_symbols::is_supported(&hit.path))
        .then(|| find::inside(root, repo.common_dir(), &hit.path))
        .flatten()
        .and_then(|file| find::read(&file, PARSED_SIZE))
        .filter(|(_, complete)| *complete);
    let found = text.map(|(text, _)| bc_symbols::symbols(&hit.path, &text)).unwrap_or_default();
    let relevant = relevant_lines::relevant(hit, &hit.path, &found, words);
    let shown = |(word, count): &(String, u32)| match count {
        1 => format!("“{word}”"),
        n => format!("“{word}” ({n} lines)"),
    };
    let contains: Vec<String> = hit.words.iter().take(4).map(shown).collect();
    let defines: Vec<&str> = relevant.defined.iter().take(3).map(|symbol| symbol.name.as_str()).collect();
    let mut reasons = Vec::new();
    if !defines.is_empty() {
        reasons.push(format!("defines {}", defines.join(", ")));
    }
    reasons.push(match contains.is_empty() {
        true => "its name contains words of the bead".to_owned(),
        false => format!("contains {}", contains.join(", ")),
    });
    let defining = if relevant.defined.is_empty() { 0.0 } else { 0.1 };
    let room = SYMBOLS.saturating_sub(symbols.len());
    symbols.extend(relevant.defined.into_iter().take(room));
    Wanted {
        path: hit.path.clone(),
        role: PackKind::Match,
        whole: false,
        lines: if relevant.lines.is_empty() { vec![Lines { first: 1, last: 60 }] } else { relevant.lines },
        relevance: 0.2 + 0.65 * hit.score + defining,
        reason: reasons.join("; "),
    }
}

/// Adds the template's text and the lists of definitions and commits, before the matches.
fn add_lists(collected: &mut Collected, repo: &Repo, template: Option<&Template>) {
    let commits = repo.latest_commits(COMMITS).unwrap_or_default();
    let commits: Vec<String> = commits
        .iter()
        .map(|commit| {
            let at = commit.at.map(|at| at.format("%Y-%m-%d").to_string()).unwrap_or_default();
            let hash = commit.hash.get(..8).unwrap_or(&commit.hash);
            bc_core::text::one_line(&format!("{hash} {at} {} ({})", commit.subject, commit.author))
        })
        .collect();
    let symbols: Vec<String> = collected.symbols.iter().map(render::symbol).collect();
    let mut lists = Vec::new();
    if let Some(template) = template.filter(|template| !template.text.is_empty()) {
        let reason = format!("the text of the template {}", template.name);
        let path = format!(".beads/{}", template.file);
        lists.push(list(PackKind::Template, path, &template.text, 0.95, reason));
    }
    if !symbols.is_empty() {
        let reason = format!("{} definitions with words of the bead", symbols.len());
        lists.push(list(PackKind::Symbols, "Definitions".to_owned(), &symbols.join("\n"), 0.6, reason));
    }
    if !commits.is_empty() {
        let reason = "the latest work on this branch".to_owned();
        lists.push(list(PackKind::Commits, "Recent commits".to_owned(), &commits.join("\n"), 0.5, reason));
    }
    let sources = &mut collected.found.sources;
    let at = sources.iter().position(|source| order(source.role) > 3).unwrap_or(sources.len());
    sources.splice(at..at, lists);
}

fn list(role: PackKind, path: String, text: &str, relevance: f64, reason: String) -> Source {
    let (text, reasons) = (format!("{text}\n"), vec![reason]);
    Source { path, role, whole: true, lines: vec![], text, complete: true, relevance, reasons }
}
