//! Tests the choice of sources and lines for a budget.

use super::*;

use PackKind as Role;

fn source(path: &str, role: Role, text: &str) -> Source {
    Source {
        path: path.into(),
        role,
        whole: true,
        lines: vec![],
        text: text.into(),
        complete: true,
        relevance: 1.0,
        reasons: vec!["named".into()],
    }
}

fn at_lines(path: &str, text: &str, lines: &[(u32, u32)]) -> Source {
    let lines = lines.iter().map(|&(first, last)| Lines { first, last }).collect();
    Source { whole: false, lines, ..source(path, Role::Named, text) }
}

fn chosen(sources: Vec<Source>) -> Chosen {
    with(sources, 8_000, &[], &[])
}

fn with(sources: Vec<Source>, budget: u32, removed: &[&str], pinned: &[&str]) -> Chosen {
    let keys = |keys: &[&str]| keys.iter().map(|key| (*key).to_owned()).collect::<Vec<_>>();
    let (removed, pinned) = (keys(removed), keys(pinned));
    choose(&Found { sources, ..Found::default() }, budget, &removed, &pinned)
}

fn limit(role: Role) -> usize {
    super::limit(32_000, role)
}

/// The keys of the pieces, with their state and whether they are pinned.
fn pieces(chosen: &Chosen) -> Vec<(&str, PackState, bool)> {
    chosen.pieces.iter().map(|piece| (piece.key.as_str(), piece.state, piece.pinned)).collect()
}

fn numbered(lines: usize) -> String {
    (1..=lines).map(|n| format!("line {n}\n")).collect()
}

#[test]
fn a_file_that_fits_is_included_unchanged() {
    let chosen = chosen(vec![
        source("src/a.rs", Role::Named, "fn a() {}"),
        source("AGENTS.md", Role::Convention, "# Rules\n"),
        source("Cargo.toml", Role::Config, "[package]\n"),
    ]);
    let file = PackFile {
        path: "src/a.rs".into(),
        content: "fn a() {}".into(),
        language: "rust".into(),
        relevance_score: 1.0,
        excerpt_only: false,
        line_start: None,
        line_end: None,
        reason: Some("named".into()),
    };
    assert_eq!(chosen.files, [file]);
    assert_eq!(chosen.docs, [PackText { path: "AGENTS.md".into(), content: "# Rules\n".into() }]);
    assert_eq!(chosen.config, [PackText { path: "Cargo.toml".into(), content: "[package]\n".into() }]);
    assert_eq!((chosen.total_tokens, chosen.truncated), (3 + 2 + 3, false));
}

#[test]
fn named_lines_become_an_excerpt_and_adjacent_ranges_are_merged() {
    let parts = |lines: &[(u32, u32)]| -> Vec<_> {
        let chosen = chosen(vec![at_lines("a.rs", &numbered(30), lines)]);
        assert!(!chosen.truncated);
        let part = |f: PackFile| (f.line_start.unwrap(), f.line_end.unwrap(), f.content, f.excerpt_only);
        chosen.files.into_iter().map(part).collect()
    };
    assert_eq!(parts(&[(12, 13)]), [(12, 13, "line 12\nline 13\n".into(), true)]);
    assert_eq!(parts(&[(29, 90)]), [(29, 30, "line 29\nline 30\n".into(), true)]);
    let two = parts(&[(20, 20), (4, 5), (2, 3)]);
    assert_eq!(two.iter().map(|p| (p.0, p.1)).collect::<Vec<_>>(), [(2, 5), (20, 20)]);
}

#[test]
fn missing_lines_select_the_beginning_of_the_file() {
    let chosen = chosen(vec![at_lines("a.rs", "one\ntwo\n", &[(500, 510)])]);
    assert_eq!((chosen.files[0].content.as_str(), chosen.files[0].excerpt_only), ("one\ntwo\n", false));
}

#[test]
fn a_file_named_with_and_without_lines_is_complete_only_if_it_fits() {
    let lines_given = |length: usize| {
        let mut named = at_lines("a.rs", &numbered(length), &[(3, 4)]);
        named.whole = true;
        let chosen = chosen(vec![named]);
        (chosen.files[0].line_start, chosen.files[0].line_end)
    };
    assert_eq!(lines_given(50), (None, None));
    assert_eq!(lines_given(5_000), (Some(3), Some(4)));
}

#[test]
fn a_long_file_is_cut_at_a_line_and_the_pack_says_so() {
    let chosen = chosen(vec![
        source("long.rs", Role::Named, &numbered(5_000)),
        source("README.md", Role::Convention, &numbered(5_000)),
    ]);
    let file = &chosen.files[0];
    assert!(chosen.truncated && file.excerpt_only && file.line_start == Some(1));
    assert!(file.content.ends_with(&format!("line {}\n", file.line_end.unwrap())));
    assert!(units(&file.content) <= limit(Role::Named));
    assert!(chosen.docs[0].content.ends_with(CUT));
}

#[test]
fn a_file_of_one_long_line_is_cut_within_it() {
    let chosen = chosen(vec![source("min.js", Role::Named, &"x".repeat(100_000))]);
    assert_eq!(units(&chosen.files[0].content), limit(Role::Named));
    assert!(chosen.truncated);
}

#[test]
fn the_beginning_of_a_file_too_big_to_read_is_an_excerpt() {
    let mut big = source("big.rs", Role::Named, "one\n");
    big.complete = false;
    let chosen = chosen(vec![big]);
    assert!(chosen.truncated && chosen.files[0].excerpt_only);
}

#[test]
fn the_budget_holds_for_any_number_of_files_and_is_used() {
    for text in [numbered(900), "ä".repeat(9_000), "🙂\n".repeat(4_000), "\n".repeat(9_000)] {
        let mut sources: Vec<_> =
            (0..24).map(|n| source(&format!("src/{n}.rs"), Role::Named, &text)).collect();
        sources.push(source("AGENTS.md", Role::Convention, &text));
        let chosen = chosen(sources);
        assert!(chosen.truncated && chosen.total_tokens <= 8_000, "{}", chosen.total_tokens);
        assert!(chosen.total_tokens > 7_000, "{}", chosen.total_tokens);
        assert_eq!(chosen.files[0].path, "src/0.rs");
    }
}

#[test]
fn conventions_keep_their_reserved_space_with_any_number_of_named_files() {
    let mut sources: Vec<_> =
        (0..9).map(|n| source(&format!("{n}.rs"), Role::Named, &numbered(1_200))).collect();
    sources.push(source("AGENTS.md", Role::Convention, "short"));
    sources.push(source("Cargo.toml", Role::Config, "[package]\n"));
    let chosen = chosen(sources);
    assert!(chosen.truncated && chosen.total_tokens > 7_500);
    assert_eq!((chosen.docs[0].content.as_str(), chosen.config.len()), ("short", 1));
}

#[test]
fn hostile_characters_are_removed_and_line_numbers_stay() {
    let text = "a\u{1b}[31m\u{2028}b\u{202e}\r\nsecond\u{7}\rpart\nthird\n";
    let chosen = chosen(vec![at_lines("a.rs", text, &[(1, 2)])]);
    assert_eq!(chosen.files[0].content, "a b\nsecond part\n");
}

#[test]
fn names_over_the_limit_are_reported_as_left_out() {
    assert!(choose(&Found { more: true, ..Found::default() }, 8_000, &[], &[]).truncated);
}

#[test]
fn a_removed_piece_is_not_sent_and_a_pinned_one_comes_first_and_whole() {
    let sources = || {
        vec![
            source("a.rs", Role::Named, &numbered(400)),
            source("b.rs", Role::Match, &numbered(400)),
            source("AGENTS.md", Role::Convention, "rules\n"),
        ]
    };
    let plain = with(sources(), 8_000, &[], &[]);
    assert_eq!(
        plain.pieces.iter().map(|piece| piece.key.as_str()).collect::<Vec<_>>(),
        ["a.rs", "b.rs", "AGENTS.md"]
    );
    assert!(plain.files[0].relevance_score > 0.9 && !plain.files[0].excerpt_only);
    let chosen = with(sources(), 2_000, &["a.rs"], &["b.rs", "gone.rs"]);
    assert_eq!(
        pieces(&chosen),
        [
            ("b.rs", PackState::Included, true),
            ("AGENTS.md", PackState::Included, false),
            ("a.rs", PackState::Removed, false),
        ]
    );
    assert!(chosen.files.iter().all(|file| file.path == "b.rs" && !file.excerpt_only));
    assert!(!chosen.pieces[2].excerpts.is_empty() && chosen.pieces[2].tokens > 0);
}

#[test]
fn a_piece_without_room_is_described_and_left_out() {
    let sources = (0..9).map(|n| source(&format!("{n}.rs"), Role::Match, &numbered(900))).collect();
    let chosen = with(sources, 2_000, &[], &[]);
    let states: Vec<_> = chosen.pieces.iter().map(|piece| piece.state).collect();
    let included = states.iter().filter(|state| **state == PackState::Included).count();
    assert!(
        (2..9).contains(&included) && states[included..].iter().all(|state| *state == PackState::LeftOut)
    );
    assert!(chosen.pieces.iter().all(|piece| piece.tokens > 0 && piece.reason == "named"));
    assert!(chosen.total_tokens <= 2_000);
}

#[test]
fn a_list_of_symbols_or_commits_is_counted_by_lines() {
    let chosen = with(
        vec![
            source("Symbols", Role::Symbols, &numbered(400)),
            source("Commits", Role::Commits, "a one\nb two\n"),
        ],
        8_000,
        &[],
        &[],
    );
    assert_eq!(chosen.commits, ["a one", "b two"]);
    assert!((100..400).contains(&chosen.symbols) && chosen.truncated, "{}", chosen.symbols);
    assert_eq!((pieces(&chosen)[0].0, pieces(&chosen)[1].0), ("symbols:", "commits:"));
}
