//! Small files: 600 lines of code are too many, 250 of a component.

use super::source::{SourceFile, Violation};

const CODE: usize = 600;
const COMPONENT: usize = 250;

/// Files that may be longer, each with its reason.
const LONG: &[(&str, &str)] = &[];

pub(super) fn check(file: &SourceFile) -> Option<Violation> {
    let limit = match file.path.rsplit_once('.')?.1 {
        "rs" | "ts" | "js" | "mjs" => CODE,
        "svelte" => COMPONENT,
        _ => return None,
    };
    let generated = file.path.contains("/generated/");
    let lines = file.text.lines().count();
    if lines <= limit || generated || LONG.iter().any(|(path, _)| *path == file.path) {
        return None;
    }
    let what = format!("has {lines} lines, {limit} are allowed: split it by what it is about");
    Some(Violation::new(&file.path, what))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_file_is_named_with_its_length() {
        let file = |path, lines| SourceFile::new(path, "x\n".repeat(lines));
        assert_eq!(check(&file("a.rs", 600)), None);
        assert!(check(&file("a.rs", 601)).unwrap().what.contains("601"));
        assert!(check(&file("ui/src/a.ts", 601)).is_some());
        assert_eq!(check(&file("ui/src/A.svelte", 250)), None);
        assert!(check(&file("ui/src/A.svelte", 251)).is_some());
        assert_eq!(check(&file("ui/src/generated/api.ts", 5000)), None);
        assert_eq!(check(&file("docs/guide.md", 5000)), None);
    }
}
