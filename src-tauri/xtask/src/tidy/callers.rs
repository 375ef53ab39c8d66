//! Checks that every command of the contract has a caller: the UI, the command line, or another of our
//! programs. The engine implements all commands, so it does not count as a caller.

use super::source::{SourceFile, Violation};

/// The files in which commands are declared.
const CONTRACT: &[&str] = &["src-tauri/crates/wire/src/api.rs", "src-tauri/crates/wire/src/app.rs"];

/// The folders in which calls are counted.
const CALLERS: &[&str] = &[
    "ui/src/",
    "src-tauri/src/",
    "src-tauri/crates/app/src/",
    "src-tauri/crates/bridge/src/",
    "src-tauri/crates/cli/src/",
    "src-tauri/crates/host/src/",
    "src-tauri/crates/server/src/",
];

/// Parts of paths in these folders that are excluded, because only tests use the files, or because the files
/// list all commands.
const EXEMPT: &[&str] = &["/generated/", "/fake/", "/testing/", ".test.", "tests"];

pub(super) fn check(files: &[SourceFile]) -> Vec<Violation> {
    let callers: Vec<&str> = files.iter().filter(|file| is_caller(&file.path)).map(product_part).collect();
    let mut broken = Vec::new();
    for contract in files.iter().filter(|file| CONTRACT.contains(&&*file.path)) {
        for (number, line) in contract.text.lines().enumerate() {
            let Some((method, function)) = command(line) else { continue };
            let calls = [format!("\"{method}\""), format!(".{function}("), format!("Api::{function}")];
            if !callers.iter().any(|text| calls.iter().any(|call| text.contains(call))) {
                let message = format!(
                    "`{method}` has no caller: use it in the UI or on the command line, or remove it"
                );
                broken.push(Violation::new(format!("{}:{}", contract.path, number + 1), message));
            }
        }
    }
    broken
}

fn is_caller(path: &str) -> bool {
    CALLERS.iter().any(|folder| path.starts_with(folder)) && !EXEMPT.iter().any(|part| path.contains(part))
}

/// Returns the part of a file before its tests.
fn product_part(file: &SourceFile) -> &str {
    file.text.split("#[cfg(test)]").next().unwrap_or_default()
}

/// Returns the method and the function in a line such as `"bead.list" bead_list(BeadListParams) ->
/// BeadList;`.
fn command(line: &str) -> Option<(&str, &str)> {
    let (method, rest) = line.trim().strip_prefix('"')?.split_once("\" ")?;
    let (function, _) = rest.split_once('(')?;
    (method.contains('.') && rest.contains("->")).then_some((method, function))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn broken(caller: &str, text: &str) -> Vec<String> {
        let contract = "contract! {\n    /// All beads.\n    \"bead.list\" bead_list(Params) -> BeadList;\n}";
        let files = [SourceFile::new(CONTRACT[0], contract), SourceFile::new(caller, text)];
        check(&files).iter().map(Violation::to_string).collect()
    }

    #[test]
    fn a_command_without_a_caller_is_named_with_its_line() {
        let messages = broken("ui/src/a.ts", "call(\"bead.show\")");
        assert_eq!(messages.len(), 1);
        assert!(messages[0].starts_with("src-tauri/crates/wire/src/api.rs:3: `bead.list`"), "{messages:?}");
    }

    #[test]
    fn a_call_from_the_ui_or_from_our_programs_is_found() {
        assert!(broken("ui/src/a.svelte", "await call(\"bead.list\", {})").is_empty());
        assert!(broken("src-tauri/crates/cli/src/a.rs", "engine.bead_list(params)?").is_empty());
    }

    #[test]
    fn tests_fakes_and_the_engine_do_not_count_as_callers() {
        for path in ["ui/src/a.test.ts", "ui/src/platform/fake/a.ts", "ui/src/generated/api.ts"] {
            assert_eq!(broken(path, "\"bead.list\"").len(), 1, "{path}");
        }
        assert_eq!(broken("src-tauri/crates/engine/src/a.rs", "self.bead_list(params)").len(), 1);
        assert_eq!(broken("src-tauri/crates/cli/src/a.rs", "#[cfg(test)] mod t { x.bead_list(p) }").len(), 1);
    }
}
