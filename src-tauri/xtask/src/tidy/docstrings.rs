//! Requires a docstring for each public function, type, trait and static of a crate. Constants, fields and
//! variants need one only if the name is not sufficient. rustc's `missing_docs` cannot express this rule.

use super::source::{SourceFile, Violation};

pub(super) fn check(file: &SourceFile) -> Vec<Violation> {
    let in_crate = file.path.starts_with("src-tauri/crates/") && file.path.contains("/src/");
    if !in_crate || !file.path.ends_with(".rs") || file.path.ends_with("tests.rs") {
        return Vec::new();
    }
    let (mut documented, mut in_attribute) = (false, false);
    let mut broken = Vec::new();
    for (line, number) in file.text.lines().zip(1..) {
        let line = line.trim_start();
        if line.starts_with("///") {
            documented = true;
        } else if in_attribute || line.starts_with("#[") {
            // An attribute can be between the docstring and its item.
            in_attribute = !line.trim_end().ends_with(']');
        } else {
            if !documented && let Some(item) = public_item(line) {
                let message = format!("`{item}` is public and has no docstring: say what it is for");
                broken.push(Violation::new(format!("{}:{number}", file.path), message));
            }
            documented = false;
        }
    }
    broken
}

/// Returns the kind and the name of the public item that begins on this line.
fn public_item(line: &str) -> Option<String> {
    let mut words = line.strip_prefix("pub ")?.split_whitespace();
    let kind = words.find(|word| !matches!(*word, "async" | "unsafe" | "const"));
    let kind = kind.filter(|kind| matches!(*kind, "fn" | "struct" | "enum" | "trait" | "type" | "static"))?;
    let name = words.next()?.split(|c: char| !c.is_alphanumeric() && c != '_').next()?;
    // If a macro generates the name, the item is documented where the macro is used.
    (!name.is_empty()).then(|| format!("{kind} {name}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn broken(text: &str) -> usize {
        check(&SourceFile::new("src-tauri/crates/a/src/b.rs", text.to_owned())).len()
    }

    #[test]
    fn a_public_item_needs_a_docstring_and_a_field_does_not() {
        assert_eq!(broken("pub fn a() {}"), 1);
        assert_eq!(broken("pub async fn a() {}\n/// Why.\npub const fn b() {}\npub struct C {"), 2);
        assert_eq!(broken("/// Why.\n#[derive(\n    Debug,\n)]\npub struct A {\n    pub a: u8,\n}"), 0);
        assert_eq!(broken("pub(crate) fn a() {}\npub mod b;\npub use c::D;\n"), 0);
    }
}
