//! Limits code files to 600 lines, components to 250 lines, and lines of the UI to 120 characters.

use super::source::{SourceFile, Violation};

const CODE: usize = 600;
const COMPONENT: usize = 250;
/// Prettier's `printWidth`. Prettier does not break strings or comments.
const UI_LINE: usize = 120;

/// Files that may be longer, each with its reason.
const LONG: &[(&str, &str)] = &[];

pub(super) fn check(file: &SourceFile) -> Vec<Violation> {
    if file.path.contains("/generated/") {
        return Vec::new();
    }
    let mut broken: Vec<Violation> = lines(file).into_iter().collect();
    broken.extend(long_lines(file));
    broken
}

fn lines(file: &SourceFile) -> Option<Violation> {
    let limit = match file.path.rsplit_once('.')?.1 {
        "rs" | "ts" | "js" | "mjs" => CODE,
        "svelte" => COMPONENT,
        _ => return None,
    };
    let lines = file.text.lines().count();
    if lines <= limit || LONG.iter().any(|(path, _)| *path == file.path) {
        return None;
    }
    let message = format!("has {lines} lines, {limit} are allowed: split it by topic");
    Some(Violation::new(&file.path, message))
}

fn long_lines(file: &SourceFile) -> Vec<Violation> {
    if !file.path.starts_with("ui/src/") {
        return Vec::new();
    }
    let lines = file.text.lines().zip(1..).map(|(line, number)| (line.chars().count(), number));
    let long = lines.filter(|(length, _)| *length > UI_LINE).map(|(length, number)| {
        let message = format!("has {length} characters, {UI_LINE} are allowed: break the line");
        Violation::new(format!("{}:{number}", file.path), message)
    });
    long.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_file_is_named_with_its_length() {
        let file = |path, lines| SourceFile::new(path, "x\n".repeat(lines));
        assert!(check(&file("a.rs", 600)).is_empty());
        assert!(check(&file("a.rs", 601))[0].message.contains("601"));
        assert_eq!(check(&file("ui/src/a.ts", 601)).len(), 1);
        assert!(check(&file("ui/src/A.svelte", 250)).is_empty());
        assert_eq!(check(&file("ui/src/A.svelte", 251)).len(), 1);
        assert!(check(&file("ui/src/generated/api.ts", 5000)).is_empty());
        assert!(check(&file("docs/guide.md", 5000)).is_empty());
    }

    #[test]
    fn a_long_line_of_the_ui_is_named_with_its_number() {
        let file = |path, length| SourceFile::new(path, format!("x\n{}\n", "…".repeat(length)));
        for path in ["ui/src/a.ts", "ui/src/A.svelte", "ui/src/styles/tokens.css"] {
            assert!(check(&file(path, 120)).is_empty());
            assert!(check(&file(path, 121))[0].to_string().starts_with(&format!("{path}:2: has 121 ")));
        }
        assert!(check(&file("ui/src/generated/api.ts", 121)).is_empty());
        assert!(check(&file("docs/guide.md", 121)).is_empty());
    }
}
