//! Finds the definitions in a source file, such as functions, types and constants, with their lines. This
//! crate is pure.
//!
//! Tree-sitter also parses broken files, but a definition near a syntax error may be missing. Languages
//! without a grammar have no symbols.

mod language;

use language::{Grammar, grammar};
use tree_sitter::{Node, Parser, TreeCursor};

/// The maximum size of a file, in bytes. Larger files are usually generated or data, and are not parsed.
pub const FILE_MAX: usize = 512 << 10;
/// The maximum length of a signature, in characters.
const SIGNATURE_MAX: usize = 160;
/// The maximum number of symbols of one file.
const SYMBOLS_MAX: usize = 2_000;

/// A definition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symbol {
    pub name: String,
    /// The kind, in the language's own terms: `fn`, `struct`, `class`, `interface` …
    pub kind: &'static str,
    /// The line of the symbol's name, from 1.
    pub line: u32,
    /// The first line of the definition, or of attributes and decorators that the grammar counts as part of
    /// it.
    pub first: u32,
    pub last: u32,
    /// The beginning of the definition without its body, on one line, cut to 160 characters.
    pub signature: String,
}

/// Whether the language of this file is supported.
pub fn is_supported(path: &str) -> bool {
    grammar(path).is_some()
}

/// Returns the definitions in a file in their order, at most 2,000. Returns none for an unsupported language
/// or a text of more than [`FILE_MAX`] bytes.
pub fn symbols(path: &str, text: &str) -> Vec<Symbol> {
    let Some(grammar) = grammar(path).filter(|_| text.len() <= FILE_MAX) else { return Vec::new() };
    let mut parser = Parser::new();
    if parser.set_language(&grammar.language).is_err() {
        return Vec::new();
    }
    let Some(tree) = parser.parse(text, None) else { return Vec::new() };
    let mut cursor = tree.walk();
    let mut found = Vec::new();
    // A loop instead of recursion, because nesting in an untrusted file can be deeper than the stack.
    loop {
        found.extend(symbol(&grammar, cursor.node(), text));
        if found.len() >= SYMBOLS_MAX || !advance(&mut cursor) {
            return found;
        }
    }
}

/// Moves to the next node in text order. Returns false after the last node.
fn advance(cursor: &mut TreeCursor<'_>) -> bool {
    if cursor.goto_first_child() {
        return true;
    }
    while !cursor.goto_next_sibling() {
        if !cursor.goto_parent() {
            return false;
        }
    }
    true
}

fn symbol(grammar: &Grammar, node: Node<'_>, text: &str) -> Option<Symbol> {
    let kind = grammar.kind(node)?;
    let name = node.child_by_field_name("name")?;
    let (start, end) = (node.start_position().row, node.end_position().row);
    let line = |row: usize| u32::try_from(row + 1).unwrap_or(u32::MAX);
    Some(Symbol {
        name: text.get(name.byte_range())?.to_owned(),
        kind,
        line: line(name.start_position().row),
        first: line(start),
        last: line(end),
        signature: signature(node, text),
    })
}

/// Returns the text before the body on one line, cut to [`SIGNATURE_MAX`] characters.
fn signature(node: Node<'_>, text: &str) -> String {
    let end = node.child_by_field_name("body").map_or(node.end_byte(), |body| body.start_byte());
    let head = text.get(node.start_byte()..end).unwrap_or_default();
    let joined = head.split_whitespace().take(SIGNATURE_MAX).collect::<Vec<_>>().join(" ");
    let joined = joined.trim_end_matches([':', '{', ' ']);
    match joined.char_indices().nth(SIGNATURE_MAX) {
        Some((at, _)) => format!("{}…", &joined[..at]),
        None => joined.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(path: &str, text: &str, expect: &[(&str, &str, u32, u32)]) {
        let found = symbols(path, text);
        let found: Vec<_> = found.iter().map(|s| (s.kind, s.name.as_str(), s.first, s.last)).collect();
        assert_eq!(found, expect, "{path}");
    }

    #[test]
    fn rust() {
        let text = "pub struct Token {\n    at: usize,\n}\nimpl Token {\n    /// Reads.\n    pub fn parse(text: &str) \
                    -> Token\n    {\n        todo()\n    }\n}\nconst MAX: usize = 3;\nmacro_rules! m { () => {} }\n";
        let expect = [
            ("struct", "Token", 1, 3),
            ("fn", "parse", 6, 9),
            ("const", "MAX", 11, 11),
            ("macro", "m", 12, 12),
        ];
        check("src/a.rs", text, &expect);
        assert_eq!(symbols("a.rs", text)[1].signature, "pub fn parse(text: &str) -> Token");
    }

    #[test]
    fn typescript_and_javascript() {
        let text = "export interface Plan { a: string }\nexport class Draft {\n  keep(): void {}\n}\n\
                    export const start = async (id: string) => {\n  return id;\n};\nconst PAUSE = 150;\n\
                    export type Id = string;\nenum Kind { A }\n";
        let expect = [
            ("interface", "Plan", 1, 1),
            ("class", "Draft", 2, 4),
            ("method", "keep", 3, 3),
            ("function", "start", 5, 7),
            ("type", "Id", 9, 9),
            ("enum", "Kind", 10, 10),
        ];
        check("ui/a.ts", text, &expect);
        check("a.jsx", "function Row() {\n  return <b>x</b>;\n}\n", &[("function", "Row", 1, 3)]);
    }

    #[test]
    fn python_and_go() {
        let python = "class Store:\n    def load(self, key):\n        return 1\n";
        check("a.py", python, &[("class", "Store", 1, 3), ("def", "load", 2, 3)]);
        assert_eq!(symbols("a.py", python)[1].signature, "def load(self, key)");
        let go = "package a\n\ntype Store struct {\n\tn int\n}\n\nfunc (s *Store) Load() int {\n\treturn 1\n}\n\
                  func New() *Store { return nil }\n";
        check("a.go", go, &[("type", "Store", 3, 5), ("func", "Load", 7, 9), ("func", "New", 10, 10)]);
    }

    #[test]
    fn broken_deep_and_unknown_files_cause_no_failure() {
        assert!(symbols("a.rs", "fn broken( {{{{ \0 ").len() <= 1);
        let deep = format!("fn deep() {{ {} }}", "(".repeat(50_000));
        assert!(symbols("deep.rs", &deep).len() <= 1);
        assert_eq!(symbols("a.txt", "fn no()"), []);
        assert_eq!(symbols("big.rs", &"fn a() {}\n".repeat(60_000)), []);
    }
}
