//! Tests finding and reading named files and convention files.

use super::*;
use crate::session::context_pack::{fixture::Sandbox, mention::mentions};
use std::collections::BTreeSet;

impl Sandbox {
    fn found_in(&self, folder: &str, text: &str) -> Found {
        let named = mentions([text]);
        let named = named.iter().map(|m| Wanted::at(PackKind::Named, m, 1.0, "the bead names it")).collect();
        find(&self.root().join(folder), &self.repo(), named).unwrap()
    }

    fn found(&self, text: &str) -> Vec<Source> {
        self.found_in("", text).sources
    }

    #[track_caller]
    fn check(&self, text: &str, expect: &[&str]) {
        let found = self.found(text);
        assert_eq!(found.iter().map(|s| s.path.as_str()).collect::<Vec<_>>(), expect, "{text:?}");
    }
}

#[test]
fn a_named_file_is_found_with_its_lines() {
    let sandbox = Sandbox::new();
    sandbox.write("src/main.rs", b"fn main() {}\n");
    let expect = Source {
        path: "src/main.rs".into(),
        role: PackKind::Named,
        whole: true,
        lines: vec![Lines { first: 1, last: 9 }],
        text: "fn main() {}\n".into(),
        complete: true,
        relevance: 1.0,
        reasons: vec!["the bead names it".into()],
    };
    assert_eq!(sandbox.found("src/main.rs and ./src/main.rs:1-9 but not src/other.rs"), [expect]);
}

#[test]
fn convention_files_are_found_after_the_named_ones_and_claudes_own_is_not() {
    let sandbox = Sandbox::new();
    for name in
        ["CLAUDE.md", "README.md", "AGENTS.md", "docs/STYLE.md", "Cargo.toml", ".editorconfig", "a.rs"]
    {
        sandbox.write(name, name.as_bytes());
    }
    let found = sandbox.found("Cargo.toml, a.rs");
    let found: Vec<_> = found.iter().map(|s| (s.path.as_str(), s.role)).collect();
    assert_eq!(
        found,
        [
            ("Cargo.toml", PackKind::Named),
            ("a.rs", PackKind::Named),
            ("AGENTS.md", PackKind::Convention),
            ("docs/STYLE.md", PackKind::Convention),
            ("README.md", PackKind::Convention),
            (".editorconfig", PackKind::Config),
        ]
    );
}

#[cfg(unix)]
#[test]
fn conventions_that_claude_reads_through_a_link_are_not_included_twice() {
    let sandbox = Sandbox::new();
    sandbox.write("AGENTS.md", b"rules");
    sandbox.link("CLAUDE.md", "AGENTS.md");
    sandbox.check("", &[]);
    sandbox.check("AGENTS.md", &["AGENTS.md"]);
}

#[cfg(unix)]
#[test]
fn a_link_that_leads_out_of_the_folder_is_refused_and_one_within_is_followed() {
    let sandbox = Sandbox::new();
    sandbox.write("src/a.rs", b"a");
    sandbox.link("within.rs", "src/a.rs");
    sandbox.link("escape.rs", "../outside.rs");
    sandbox.link("README.md", "../outside.rs");
    sandbox.link("folder", "..");
    sandbox.link("to-git", ".git/HEAD");
    sandbox.check("within.rs escape.rs folder/outside.rs ../outside.rs ./to-git", &["src/a.rs"]);
}

#[test]
fn ignored_files_and_those_of_git_and_the_tracker_are_refused() {
    let sandbox = Sandbox::new();
    sandbox.write(".gitignore", b".env\nbuild/\n");
    for name in [".env", "build/out.txt", ".beads/issues.jsonl", "app/.beads/issues.jsonl", "new.rs"] {
        sandbox.write(name, b"x");
    }
    let text = ".env build/out.txt .beads/issues.jsonl app/.beads/issues.jsonl .git/config .git/HEAD new.rs";
    sandbox.check(text, &["new.rs"]);
}

#[test]
fn an_absolute_name_is_refused_even_within_the_repository() {
    let sandbox = Sandbox::new();
    sandbox.write("a.rs", b"x");
    sandbox.check(&sandbox.root().join("a.rs").display().to_string(), &[]);
}

#[test]
fn binary_files_are_left_out() {
    let sandbox = Sandbox::new();
    sandbox.write("binary.dat", b"a\0b");
    sandbox.write("latin1.txt", b"gr\xf6\xdfe");
    sandbox.write("folder/x.rs", b"text");
    sandbox.check("binary.dat latin1.txt folder/ folder/x.rs", &["folder/x.rs"]);
}

#[test]
fn a_big_file_is_read_at_its_beginning_and_around_named_lines() {
    let sandbox = Sandbox::new();
    sandbox.write("big.txt", "größe\n".repeat(60_000).as_bytes());
    let head = sandbox.found("big.txt").remove(0);
    assert!(!head.complete && head.text.len() as u64 <= READ && head.text.ends_with("größe\n"));
    assert!(sandbox.found("big.txt:50000-50010").remove(0).complete);
    sandbox.write("line.txt", "x".repeat(300_000).as_bytes());
    assert_eq!(sandbox.found("line.txt").remove(0).text, "");
}

#[test]
fn names_are_resolved_in_the_projects_folder_and_paths_are_relative_to_the_repository() {
    let sandbox = Sandbox::new();
    for name in ["README.md", "app/README.md", "app/src/a.rs", "b.rs"] {
        sandbox.write(name, b"x");
    }
    let found = sandbox.found_in("app", "src/a.rs b.rs");
    let paths: Vec<_> = found.sources.iter().map(|s| s.path.as_str()).collect();
    assert_eq!(paths, ["app/src/a.rs", "app/README.md"]);
}

#[test]
fn only_some_of_very_many_named_files_are_read() {
    let sandbox = Sandbox::new();
    let names: Vec<String> = (0..NAMED + 3).map(|n| format!("f{n}.rs")).collect();
    names.iter().for_each(|name| sandbox.write(name, b"x"));
    let found = sandbox.found_in("", &names.join(" "));
    let paths: BTreeSet<_> = found.sources.into_iter().map(|s| s.path).collect();
    assert_eq!((paths.len(), found.more), (NAMED, true));
}

#[cfg(unix)]
#[test]
fn files_of_the_user_and_of_a_template_that_cannot_be_read_are_reported() {
    let sandbox = Sandbox::new();
    sandbox.write("a.rs", b"x");
    sandbox.write("b.rs", b"x");
    sandbox.link("escape.rs", "../outside.rs");
    let wanted = |role, path: &str| Wanted::at(role, &Mention { path: path.into(), lines: None }, 1.0, "why");
    let wanted = vec![
        wanted(PackKind::Added, "b.rs"),
        wanted(PackKind::Added, "escape.rs"),
        wanted(PackKind::Named, "b.rs"),
        wanted(PackKind::Named, "gone.rs"),
        wanted(PackKind::Template, "gone.md"),
    ];
    let found = find(&sandbox.root(), &sandbox.repo(), wanted).unwrap();
    let missing: Vec<_> = found.missing.iter().map(|w| (w.role, w.path.as_str())).collect();
    assert_eq!(missing, [(PackKind::Added, "escape.rs"), (PackKind::Template, "gone.md")]);
    let sources: Vec<_> = found.sources.iter().map(|s| (s.role, s.path.as_str())).collect();
    assert_eq!(sources, [(PackKind::Added, "b.rs")]);
}
