//! The grammars, and the kinds of their nodes that define symbols.

use tree_sitter::{Language, Node};

/// A language's grammar with its kinds of definitions.
pub(crate) struct Grammar {
    pub(crate) language: Language,
    /// The kinds of nodes that define a symbol, each with the language's word for it.
    kinds: &'static [(&'static str, &'static str)],
}

const RUST: &[(&str, &str)] = &[
    ("function_item", "fn"),
    ("function_signature_item", "fn"),
    ("struct_item", "struct"),
    ("enum_item", "enum"),
    ("union_item", "union"),
    ("trait_item", "trait"),
    ("type_item", "type"),
    ("const_item", "const"),
    ("static_item", "static"),
    ("macro_definition", "macro"),
];
const TYPESCRIPT: &[(&str, &str)] = &[
    ("function_declaration", "function"),
    ("generator_function_declaration", "function"),
    ("class_declaration", "class"),
    ("abstract_class_declaration", "class"),
    ("interface_declaration", "interface"),
    ("type_alias_declaration", "type"),
    ("enum_declaration", "enum"),
    ("method_definition", "method"),
    ("variable_declarator", "function"),
];
const PYTHON: &[(&str, &str)] = &[("function_definition", "def"), ("class_definition", "class")];
const GO: &[(&str, &str)] =
    &[("function_declaration", "func"), ("method_declaration", "func"), ("type_spec", "type")];

/// The grammar of a file, by its extension.
pub(crate) fn grammar(path: &str) -> Option<Grammar> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let (_, extension) = name.rsplit_once('.')?;
    let (language, kinds): (Language, _) = match extension {
        "rs" => (tree_sitter_rust::LANGUAGE.into(), RUST),
        "ts" | "mts" | "cts" => (tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(), TYPESCRIPT),
        // The TSX grammar also parses JavaScript and JSX.
        "tsx" | "js" | "jsx" | "mjs" | "cjs" => (tree_sitter_typescript::LANGUAGE_TSX.into(), TYPESCRIPT),
        "py" | "pyi" => (tree_sitter_python::LANGUAGE.into(), PYTHON),
        "go" => (tree_sitter_go::LANGUAGE.into(), GO),
        _ => return None,
    };
    Some(Grammar { language, kinds })
}

impl Grammar {
    pub(crate) fn kind(&self, node: Node<'_>) -> Option<&'static str> {
        let (node_kind, kind) = *self.kinds.iter().find(|(kind, _)| *kind == node.kind())?;
        // Only variables that hold a function are symbols.
        let is_function = || {
            let value = node.child_by_field_name("value");
            value.is_some_and(|value| matches!(value.kind(), "arrow_function" | "function_expression"))
        };
        (node_kind != "variable_declarator" || is_function()).then_some(kind)
    }
}
