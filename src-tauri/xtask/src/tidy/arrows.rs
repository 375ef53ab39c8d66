//! Checks the permitted dependencies between crates. The rules are in the block of arrows in
//! docs/ARCHITECTURE.md.

use super::source::{SourceFile, Violation};
use cargo_metadata::{DependencyKind, Metadata};

const DOCUMENT: &str = "docs/ARCHITECTURE.md";

/// The crate that all other crates may use, but only in tests.
const IN_TESTS: &str = "bc-testkit";

/// A crate and the crates that it may depend on.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Arrow {
    from: String,
    to: Vec<String>,
}

/// A dependency of a package on another package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Edge {
    from: String,
    to: String,
    in_tests: bool,
}

/// Returns the direct dependencies of all packages of the workspace, including third-party packages.
pub(super) fn edges(metadata: &Metadata) -> Vec<Edge> {
    let packages = metadata.workspace_packages().into_iter();
    packages
        .flat_map(|package| {
            package.dependencies.iter().map(|need| Edge {
                from: package.name.to_string(),
                to: need.name.clone(),
                in_tests: need.kind == DependencyKind::Development,
            })
        })
        .collect()
}

/// Reports the dependencies that the document's arrows do not allow, and those of `bc-` crates on Tauri.
pub(super) fn check(files: &[SourceFile], edges: &[Edge]) -> Vec<Violation> {
    let text = files.iter().find(|file| file.path == DOCUMENT).map_or("", |file| &file.text);
    let arrows = parse(text);
    if arrows.is_empty() {
        return vec![Violation::new(DOCUMENT, "has no block ```arrows with lines `crate -> crate crate`")];
    }
    edges.iter().filter_map(|edge| Some(Violation::new(&edge.from, refusal(&arrows, edge)?))).collect()
}

/// Parses the lines of the form `from -> to to` in the fenced block.
fn parse(text: &str) -> Vec<Arrow> {
    let block = text.lines().skip_while(|line| line.trim() != "```arrows").skip(1);
    let lines = block.take_while(|line| !line.starts_with("```"));
    let arrow = |line: &str| {
        let (from, to) = line.split_once("->")?;
        let to = to.split_whitespace().map(str::to_owned).collect();
        Some(Arrow { from: from.trim().to_owned(), to })
    };
    lines.filter_map(arrow).collect()
}

fn refusal(arrows: &[Arrow], edge: &Edge) -> Option<String> {
    let to = edge.to.as_str();
    if to.starts_with("tauri") && edge.from.starts_with("bc-") {
        return Some(format!(
            "needs {to}; only the desktop shell may use Tauri: move the code behind the engine"
        ));
    }
    let Some(arrow) = arrows.iter().find(|arrow| arrow.from == edge.from) else {
        return Some(format!("is not listed in {DOCUMENT}: add it and its arrows"));
    };
    let ours = arrows.iter().any(|arrow| arrow.from == to);
    if !ours || arrow.to.iter().any(|allowed| allowed == to) || (edge.in_tests && to == IN_TESTS) {
        return None;
    }
    if to == IN_TESTS {
        return Some(format!("needs {to} outside its tests: make it a dev-dependency"));
    }
    Some(format!("needs {to}, which {DOCUMENT} does not allow: move the code, or change the arrow"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAN: &str = "# Plan\n\n```\nelse -> x\n```\n```arrows\nbc-core ->\nbc-git  -> bc-core\n\
        bc-cli  -> bc-core bc-git\nbc-testkit ->\nshell -> bc-cli\n```\nbc-core -> bc-git\n";

    fn check_one(from: &str, to: &str, in_tests: bool) -> Option<String> {
        let edge = Edge { from: from.to_owned(), to: to.to_owned(), in_tests };
        let plan = SourceFile::new(DOCUMENT, PLAN);
        check(&[plan], &[edge]).pop().map(|violation| violation.to_string())
    }

    #[test]
    fn only_planned_arrows_are_allowed() {
        assert_eq!(check_one("bc-cli", "bc-git", false), None);
        assert_eq!(check_one("bc-git", "serde", false), None);
        for (from, to) in [("bc-git", "bc-cli"), ("bc-core", "bc-git"), ("shell", "bc-core")] {
            let message = check_one(from, to, false).unwrap();
            assert!(message.contains(from) && message.contains(to), "{message}");
        }
    }

    #[test]
    fn tests_follow_the_arrows_and_may_use_the_testkit() {
        assert_eq!(check_one("bc-cli", "bc-testkit", true), None);
        assert!(check_one("bc-cli", "bc-testkit", false).unwrap().contains("dev-dependency"));
        assert!(check_one("bc-core", "bc-git", true).is_some());
    }

    #[test]
    fn only_the_shell_uses_tauri() {
        assert!(check_one("bc-cli", "tauri-plugin-log", false).unwrap().contains("Tauri"));
        assert_eq!(check_one("shell", "tauri", false), None);
    }

    #[test]
    fn unplanned_crates_and_missing_plans_are_reported() {
        assert!(check_one("bc-new", "serde", false).unwrap().contains("bc-new"));
        assert_eq!(check(&[SourceFile::new(DOCUMENT, "text")], &[]).len(), 1);
    }
}
