//! Checks that the domain is pure: no I/O, clock, randomness or async in bc-core.

use super::source::{SourceFile, Violation};

const CORE: &str = "src-tauri/crates/core/src/";

const IMPURE: &[&str] = &[
    "std::fs",
    "std::net",
    "std::env",
    "std::process",
    "std::thread",
    "std::io::",
    "SystemTime",
    "Instant::now",
    "Utc::now",
    "Local::now",
    "new_v4",
    "rand::",
    "async ",
    "tokio",
];

pub(super) fn check(file: &SourceFile) -> Vec<Violation> {
    if !file.path.starts_with(CORE) || !file.path.ends_with(".rs") {
        return Vec::new();
    }
    // Tests are at the end of a file and are exempt.
    let code = file.text.split("#[cfg(test)]").next().unwrap_or_default();
    let lines = code.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//"));
    lines
        .filter_map(|(number, line)| {
            let word = IMPURE.iter().find(|word| line.contains(**word))?;
            let message = format!("`{}` in the pure domain: let the caller pass in the value", word.trim());
            Some(Violation::new(format!("{}:{}", file.path, number + 1), message))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn broken(path: &str, text: &str) -> Vec<String> {
        check(&SourceFile::new(path, text)).iter().map(Violation::to_string).collect()
    }

    #[test]
    fn a_clock_in_the_domain_is_named_with_its_line() {
        let messages = broken("src-tauri/crates/core/src/a.rs", "//! A.\nlet now = Utc::now();\n");
        assert_eq!(messages.len(), 1);
        assert!(messages[0].starts_with("src-tauri/crates/core/src/a.rs:2: `Utc::now`"), "{messages:?}");
    }

    #[test]
    fn comments_tests_and_other_crates_are_exempt() {
        let text = "//! No async here.\n#[cfg(test)]\nmod tests { use std::fs; }\n";
        assert_eq!(broken("src-tauri/crates/core/src/a.rs", text), Vec::<String>::new());
        assert_eq!(broken("src-tauri/crates/store/src/a.rs", "use std::fs;"), Vec::<String>::new());
    }
}
