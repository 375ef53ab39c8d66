//! Checks the permitted dependencies between the engine's folders. The rules are in the block of engine
//! arrows in docs/ARCHITECTURE.md. The `//!` comment of each folder repeats the folder's own rules.

use super::source::{SourceFile, Violation};
use std::collections::{BTreeMap, BTreeSet};

const DOCUMENT: &str = "docs/ARCHITECTURE.md";
const BLOCK: &str = "```engine-arrows";
const SOURCES: &str = "src-tauri/crates/engine/src/";

/// The beginning of the line in a folder's `//!` comment that lists the folders it may use.
const HEAD: &str = "//! May use:";

/// Test modules, which may use all other modules.
const OF_TESTS: &[&str] = &["fixture", "hostile_tests"];

/// The top-level modules of the crate, each with the modules that it may use.
type Arrows = BTreeMap<String, BTreeSet<String>>;

/// Reports uses without an arrow, unused arrows, and descriptions that differ from the table.
pub(super) fn check(files: &[SourceFile]) -> Vec<Violation> {
    let text = files.iter().find(|file| file.path == DOCUMENT).map_or("", |file| &file.text);
    let arrows = parse(text);
    if arrows.is_empty() {
        return vec![Violation::new(
            DOCUMENT,
            format!("has no block {BLOCK} with lines `folder -> folder folder`"),
        )];
    }
    let mut broken = Vec::new();
    let mut used: BTreeSet<(&str, String)> = BTreeSet::new();
    for file in files {
        let Some(inside) = file.path.strip_prefix(SOURCES).and_then(|path| path.strip_suffix(".rs")) else {
            continue;
        };
        let module = module_path(inside);
        let Some(&top) = module.first() else { continue };
        if OF_TESTS.contains(&top) || module.contains(&"tests") {
            continue;
        }
        let Some(allowed) = arrows.get(top) else {
            broken.push(Violation::new(&file.path, format!("`{top}` has no line in {BLOCK} of {DOCUMENT}")));
            continue;
        };
        for to in uses(&file.text, &module).into_iter().filter(|to| to != top) {
            if !allowed.contains(&to) {
                let message =
                    format!("`{top}` uses `{to}`, which {DOCUMENT} does not allow: move the code down");
                broken.push(Violation::new(&file.path, message));
            }
            used.insert((top, to));
        }
        if inside == top || inside == format!("{top}/mod") {
            broken.extend(differs(file, allowed));
        }
    }
    let unused = arrows.iter().flat_map(|(from, to)| to.iter().map(move |to| (from.as_str(), to.clone())));
    for (from, to) in unused.filter(|arrow| !used.contains(arrow)) {
        broken.push(Violation::new(DOCUMENT, format!("no file of `{from}` uses `{to}`: remove the arrow")));
    }
    broken.extend(cycle(&arrows));
    broken
}

/// Parses the lines of the form `from -> to to` in the fenced block.
fn parse(text: &str) -> Arrows {
    let block = text.lines().skip_while(|line| line.trim() != BLOCK).skip(1);
    let lines = block.take_while(|line| !line.starts_with("```"));
    let arrow = |line: &str| {
        let (from, to) = line.split_once("->")?;
        Some((from.trim().to_owned(), to.split_whitespace().map(str::to_owned).collect()))
    };
    lines.filter_map(arrow).collect()
}

/// Returns the path of a file's module; empty for the crate root.
fn module_path(inside: &str) -> Vec<&str> {
    let mut parts: Vec<&str> = inside.split('/').collect();
    parts.pop_if(|last| matches!(*last, "mod" | "lib"));
    parts
}

/// Returns the crate's top-level modules that this file uses.
fn uses(text: &str, module: &[&str]) -> BTreeSet<String> {
    let code = code_of(text);
    let mut found = BTreeSet::new();
    for (at, _) in code.match_indices("crate::") {
        found.extend(heads(&code[at + "crate::".len()..]));
    }
    // One `super::` per level of the module leads to the crate root.
    let up = "super::".repeat(module.len());
    for (at, _) in code.match_indices(&up) {
        if !code[..at].ends_with("::") {
            found.extend(heads(&code[at + up.len()..]));
        }
    }
    found
}

/// Returns the first name of a path, or the first names of all paths in a group.
fn heads(rest: &str) -> Vec<String> {
    let name = |text: &str| {
        let text = text.trim_start();
        text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>()
    };
    let Some(group) = rest.strip_prefix('{') else { return vec![name(rest)] };
    let (mut depth, mut start, mut parts) = (0usize, 0, Vec::new());
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => {
                parts.push(&group[start..at]);
                break;
            }
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&group[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.into_iter().map(name).filter(|name| !name.is_empty()).collect()
}

/// Returns the code without line comments and without the tests at its end.
fn code_of(text: &str) -> String {
    let tests = text.find("#[cfg(test)]\nmod tests {").unwrap_or(text.len());
    let lines = text[..tests].lines().map(|line| line.split_once("//").map_or(line, |(code, _)| code));
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns a violation if a folder's description names other modules than the table.
fn differs(file: &SourceFile, allowed: &BTreeSet<String>) -> Option<Violation> {
    let wanted = match allowed.is_empty() {
        true => format!("{HEAD} no other folder."),
        false => {
            format!("{HEAD} {}.", allowed.iter().map(|to| format!("`{to}`")).collect::<Vec<_>>().join(", "))
        }
    };
    // A long list continues on the following lines.
    let head: String =
        file.text.lines().take_while(|line| line.starts_with("//!")).fold(String::new(), |mut all, line| {
            match line.starts_with(HEAD) || all.is_empty() {
                true => all.push_str(line),
                false => all.push_str(line.trim_start_matches("//!")),
            }
            all
        });
    (!head.contains(&wanted)).then(|| {
        Violation::new(
            &file.path,
            format!("does not say what it may use: add the line `{wanted}` to its `//!`"),
        )
    })
}

/// Returns a violation if the table contains a cycle.
fn cycle(arrows: &Arrows) -> Option<Violation> {
    let mut remaining: Arrows = arrows.clone();
    loop {
        let free: Vec<String> = remaining
            .iter()
            .filter(|(_, to)| to.iter().all(|to| !remaining.contains_key(to)))
            .map(|(from, _)| from.clone())
            .collect();
        if free.is_empty() {
            break;
        }
        remaining.retain(|from, _| !free.contains(from));
    }
    let names: Vec<&str> = remaining.keys().map(String::as_str).collect();
    (!remaining.is_empty())
        .then(|| Violation::new(DOCUMENT, format!("the engine's arrows have a cycle: {}", names.join(", "))))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAN: &str = "```engine-arrows\ncontext ->\nhosts -> context\nsession -> context hosts\n```\n";

    fn engine(path: &str, text: &str) -> SourceFile {
        SourceFile::new(&format!("{SOURCES}{path}"), text)
    }

    /// Returns the violations in a source tree in which every arrow is used, with an additional file.
    fn broken_with(path: &str, text: &str) -> Vec<String> {
        let files = [
            SourceFile::new(DOCUMENT, PLAN),
            engine("context/mod.rs", "//! State.\n//!\n//! May use: no other folder.\n"),
            engine(
                "hosts/mod.rs",
                "//! Hosts.\n//!\n//! May use: `context`.\nuse crate::context::Context;\n",
            ),
            engine(
                "session/mod.rs",
                "//! Sessions.\n//!\n//! May use: `context`, `hosts`.\nuse crate::{\n    context::{Context, now},\n    \
                 hosts,\n};\n",
            ),
            engine(path, text),
        ];
        check(&files).iter().map(Violation::to_string).collect()
    }

    #[test]
    fn only_uses_along_arrows_are_allowed() {
        assert!(broken_with("session/start.rs", "use crate::{context::now, hosts};\n").is_empty());
        for text in [
            "use crate::session;\n",
            "use crate::{\n    context::{Context, now},\n    session::{self, start},\n};\n",
            "fn f() { crate::session::start() }\n",
            "use super::super::session::start;\n",
        ] {
            let broken = broken_with("hosts/status.rs", text);
            assert!(broken.len() == 1 && broken[0].contains("`hosts` uses `session`"), "{broken:?}");
        }
    }

    #[test]
    fn comments_and_tests_need_no_arrow() {
        assert!(broken_with("hosts/status.rs", "// See crate::session.\n").is_empty());
        let test = "fn f() {}\n\n#[cfg(test)]\nmod tests {\n    use crate::session;\n}\n";
        assert!(broken_with("hosts/status.rs", test).is_empty());
        assert!(broken_with("hosts/tests.rs", "use crate::session;\n").is_empty());
        assert!(broken_with("fixture.rs", "use crate::session;\n").is_empty());
    }

    #[test]
    fn a_new_module_and_a_wrong_description_are_named() {
        assert!(broken_with("memory/mod.rs", "//! Memories.\n")[0].contains("`memory` has no line"));
        let broken = broken_with("context/mod.rs", "//! State.\n");
        assert!(broken[0].contains("May use: no other folder."), "{broken:?}");
    }

    #[test]
    fn an_arrow_that_nothing_uses_and_a_cycle_are_named() {
        let plan = "```engine-arrows\na -> b\nb -> a\n```\n";
        let broken = check(&[SourceFile::new(DOCUMENT, plan)]);
        let messages: Vec<String> = broken.iter().map(Violation::to_string).collect();
        assert!(messages.iter().any(|message| message.contains("no file of `a` uses `b`")), "{messages:?}");
        assert!(messages.iter().any(|message| message.contains("cycle: a, b")), "{messages:?}");
        assert_eq!(check(&[SourceFile::new(DOCUMENT, "text")]).len(), 1);
    }
}
