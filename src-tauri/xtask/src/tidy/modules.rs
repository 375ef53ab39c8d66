//! Checks that Rust files begin with a description, and that names of files and folders are meaningful.

use super::source::{SourceFile, Violation};

/// Names that do not describe the contents.
const EMPTY_NAMES: &[&str] =
    &["util", "utils", "helper", "helpers", "manager", "managers", "service", "services", "misc", "common"];

pub(super) fn check(file: &SourceFile) -> Vec<Violation> {
    let mut broken = Vec::new();
    if file.path.ends_with(".rs") && !file.text.starts_with("//!") {
        let message = "does not start with `//!`: state its purpose, what is elsewhere, and its invariants";
        broken.push(Violation::new(&file.path, message));
    }
    let code = [".rs", ".ts", ".js", ".mjs", ".svelte"].iter().any(|end| file.path.ends_with(end));
    let names = file.path.split('/').map(|part| part.split('.').next().unwrap_or(part).to_ascii_lowercase());
    if let Some(name) = names.filter(|_| code).find(|name| EMPTY_NAMES.contains(&name.as_str())) {
        broken.push(Violation::new(
            &file.path,
            format!("`{name}` does not describe the contents: use a term of the domain"),
        ));
    }
    broken
}

#[cfg(test)]
mod tests {
    use super::*;

    fn broken(path: &str, text: &str) -> usize {
        check(&SourceFile::new(path, text)).len()
    }

    #[test]
    fn a_module_without_a_description_is_named() {
        assert_eq!(broken("src-tauri/crates/a/src/lib.rs", "//! What it is.\n"), 0);
        assert_eq!(broken("src-tauri/crates/a/src/lib.rs", "use std::fs;\n"), 1);
        assert_eq!(broken("src-tauri/crates/a/src/lib.rs", ""), 1);
        assert_eq!(broken("ui/src/state/sessions.ts", "export {}"), 0);
    }

    #[test]
    fn meaningless_names_are_refused_for_files_and_folders() {
        for path in ["a/src/utils.rs", "a/src/helpers/mod.rs", "a/src/session/manager.rs"] {
            assert_eq!(broken(path, "//! Text."), 1, "{path}");
        }
        assert_eq!(broken("ui/src/Service.svelte", ""), 1);
        assert_eq!(broken("docs/service.md", ""), 0);
    }
}
