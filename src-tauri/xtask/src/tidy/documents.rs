//! Checks that the required documents exist.

use super::source::{SourceFile, Violation};

const REQUIRED: &[&str] = &[
    "README.md",
    "CHANGELOG.md",
    "LICENSE-MIT",
    "LICENSE-APACHE",
    "docs/ARCHITECTURE.md",
    "docs/GLOSSARY.md",
    "docs/STYLE.md",
    "docs/CONTRIBUTING.md",
    "docs/cli.md",
];

pub(super) fn check(files: &[SourceFile]) -> Vec<Violation> {
    let exists = |path: &str| files.iter().any(|file| file.path == path && !file.text.trim().is_empty());
    let missing = REQUIRED.iter().filter(|path| !exists(path));
    missing.map(|path| Violation::new(*path, "is missing or empty: write it")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_or_empty_document_is_named() {
        let mut files: Vec<SourceFile> = REQUIRED.iter().map(|path| SourceFile::new(path, "text")).collect();
        assert_eq!(check(&files), []);
        files[3].text = "\n".to_owned();
        files.remove(0);
        let named: Vec<String> = check(&files).into_iter().map(|violation| violation.place).collect();
        assert_eq!(named, ["README.md", "LICENSE-APACHE"]);
    }
}
