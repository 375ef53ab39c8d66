//! Checks docs/ARCHITECTURE.md: each source file that the document names must exist, and the table of its
//! code map must have enough rows, each with a file.

use super::source::{SourceFile, Violation};

const DOCUMENT: &str = "docs/ARCHITECTURE.md";

const HEADING: &str = "## Code map";

/// The minimum number of rows in the table.
const QUESTIONS: usize = 30;

/// The second folder to which paths in the document can be relative, besides the root.
const CRATES: &str = "src-tauri/crates/";

/// The extensions of source files. Other paths in the document refer to files of a project or of the user.
const SOURCES: &[&str] = &[".rs", ".ts", ".js", ".svelte", ".css", ".md", ".toml"];

pub(super) fn check(files: &[SourceFile]) -> Vec<Violation> {
    let text = files.iter().find(|file| file.path == DOCUMENT).map_or("", |file| &file.text);
    let mut broken = missing_files(text, files);
    let rows: Vec<&str> = rows(text).collect();
    if rows.len() < QUESTIONS {
        let message = format!("`{HEADING}` has {} rows, {QUESTIONS} are needed: add questions", rows.len());
        broken.push(Violation::new(DOCUMENT, message));
    }
    let unanswered = rows.into_iter().filter(|row| !answer(row).split('`').any(is_source));
    broken.extend(
        unanswered.map(|row| Violation::new(DOCUMENT, format!("the code map names no file for: {row}"))),
    );
    broken
}

fn missing_files(text: &str, files: &[SourceFile]) -> Vec<Violation> {
    let exists = |path: &str| {
        files.iter().any(|file| {
            let from_crates = file.path.strip_prefix(CRATES).unwrap_or(&file.path);
            [&*file.path, from_crates]
                .iter()
                .any(|known| *known == path || (path.ends_with('/') && known.starts_with(path)))
        })
    };
    let mut broken = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let named = line.split('`').skip(1).step_by(2).filter(|word| is_source(word));
        for path in named.filter(|path| !exists(path)) {
            let message = format!("`{path}` does not exist: name the file that now has its contents");
            broken.push(Violation::new(format!("{DOCUMENT}:{}", number + 1), message));
        }
    }
    broken
}

/// Whether the word is the path of a source file, or of a folder if it ends with a slash.
fn is_source(word: &str) -> bool {
    let is_path = word.contains('/') && !word.contains(char::is_whitespace);
    is_path && (word.ends_with('/') || SOURCES.iter().any(|end| word.ends_with(end)))
}

/// Returns the table's rows below the heading, without the two header lines.
fn rows(text: &str) -> impl Iterator<Item = &str> {
    let section = text.lines().skip_while(|line| *line != HEADING).skip(1);
    section.take_while(|line| !line.starts_with("## ")).filter(|line| line.starts_with('|')).skip(2)
}

/// Returns the second cell of a row, which names the files.
fn answer(row: &str) -> &str {
    row.split('|').nth(2).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn broken(document: &str) -> Vec<String> {
        let files = [
            SourceFile::new(DOCUMENT, document),
            SourceFile::new("src-tauri/crates/host/src/run.rs", "//! Runs."),
            SourceFile::new("ui/src/main.ts", "export {}"),
        ];
        check(&files).iter().map(Violation::to_string).collect()
    }

    /// Creates a document with enough rows. All rows except the last name an existing file.
    fn document(last: &str) -> String {
        let rows = "| the host | `host/src/run.rs`, `ui/src/main.ts` |\n".repeat(QUESTIONS - 1);
        format!("# A\n{HEADING}\n\n| Where is… | Files |\n|---|---|\n{rows}{last}\n\n## B\n| `x` | |\n")
    }

    #[test]
    fn files_from_the_root_and_from_the_crates_are_found() {
        assert_eq!(broken(&document("| tests | `host/src/`, `src-tauri/crates/host/src/run.rs` |")), [""; 0]);
    }

    #[test]
    fn a_file_that_does_not_exist_is_named_with_its_line_anywhere_in_the_document() {
        let messages = broken(&document("| the shop | `host/src/shop.rs` |"));
        let line = QUESTIONS + 5;
        assert_eq!(messages.len(), 1, "{messages:?}");
        assert!(messages[0].starts_with(&format!("{DOCUMENT}:{line}: `host/src/shop.rs`")), "{messages:?}");
        let messages = broken(&format!("See `host/gone/`.\n{}", document("| a | `ui/src/main.ts` |")));
        assert!(messages.len() == 1 && messages[0].starts_with(&format!("{DOCUMENT}:1: ")), "{messages:?}");
    }

    #[test]
    fn a_row_without_a_file_and_a_short_table_are_refused() {
        assert!(broken(&document("| the answer | `meta.json` |"))[0].contains("| the answer |"));
        assert!(broken("# A\n")[0].contains("0 rows"));
    }
}
