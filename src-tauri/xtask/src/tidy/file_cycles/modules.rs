//! The modules of a crate: their files, definitions and imports, and the resolution of paths to files.

use super::tokens::tokens;
use crate::tidy::source::SourceFile;
use std::collections::{BTreeMap, BTreeSet};

/// Each file, with the files to which it refers.
pub(super) type References = BTreeMap<String, BTreeSet<String>>;

/// The keywords that precede the name of a definition.
const DEFINITIONS: &[&str] =
    &["fn", "struct", "enum", "trait", "type", "const", "static", "union", "macro_rules"];

/// A crate's module tree. The first module is the crate root.
#[derive(Default)]
pub(super) struct Modules<'a> {
    modules: Vec<Module<'a>>,
}

#[derive(Default)]
struct Module<'a> {
    file: String,
    /// The index of the parent module. The root is its own parent.
    parent: usize,
    children: BTreeMap<&'a str, usize>,
    definitions: BTreeSet<&'a str>,
    imports: Vec<Import<'a>>,
    paths: Vec<Vec<&'a str>>,
    /// The words in the module outside of imports.
    words: BTreeSet<&'a str>,
}

struct Import<'a> {
    path: Vec<&'a str>,
    /// The imported name; `*` for all names.
    name: &'a str,
    public: bool,
}

/// The target of a path.
#[derive(Clone, Copy)]
enum Place {
    Module(usize),
    Definition(usize),
}

impl<'a> Modules<'a> {
    /// Reads the crate whose first file is `root`.
    pub(super) fn read(root: &str, files: &'a [SourceFile]) -> Modules<'a> {
        let mut modules = Modules::default();
        modules.modules.push(Module { file: root.to_owned(), ..Module::default() });
        // The modules whose files have not been read yet, each with the folder of its children.
        let (folder, _) = root.rsplit_once('/').unwrap_or_default();
        let mut open = vec![(0, folder.to_owned())];
        while let Some((module, folder)) = open.pop() {
            let path = modules.modules[module].file.clone();
            let Some(file) = files.iter().find(|file| file.path == path) else { continue };
            let mut reader = Reader { tokens: tokens(&file.text), at: 0, files, open: &mut open };
            reader.module(&mut modules, module, &folder);
        }
        modules
    }

    /// Returns the references between the crate's files.
    pub(super) fn references(&self) -> References {
        let mut references = References::new();
        for (index, module) in self.modules.iter().enumerate() {
            let used = references.entry(module.file.clone()).or_default();
            let targets = self.targets(index);
            used.extend(targets.filter(|file| *file != module.file).map(str::to_owned));
        }
        // Add an empty entry for each file that is referred to but is not in the tree.
        let all: Vec<String> = references.values().flatten().cloned().collect();
        for file in all {
            references.entry(file).or_default();
        }
        references
    }

    /// Returns the files to which the module's imports and paths refer.
    fn targets(&self, index: usize) -> impl Iterator<Item = &str> {
        let module = &self.modules[index];
        let used = |import: &&Import<'_>| !import.public || module.words.contains(import.name);
        let imports = module.imports.iter().filter(used).filter_map(move |import| {
            match self.place(index, &import.path, &mut Vec::new())? {
                Place::Definition(target) => Some(target),
                // Importing a module by name is not a reference; only paths that start with its name are.
                Place::Module(target) => (import.name == "*").then_some(target),
            }
        });
        let paths =
            module.paths.iter().filter_map(move |path| match self.place(index, path, &mut Vec::new())? {
                Place::Definition(target) => Some(target),
                Place::Module(_) => None,
            });
        imports.chain(paths).map(|target| self.modules[target].file.as_str())
    }

    /// Resolves a path in a module to its target, if the target is in this crate. `seen` contains the names
    /// that are being looked up, because imports can form a cycle.
    fn place<'n>(&'n self, from: usize, path: &[&'n str], seen: &mut Vec<(usize, &'n str)>) -> Option<Place> {
        let (first, mut rest) = path.split_first()?;
        let mut place = match *first {
            "crate" => Place::Module(0),
            "self" => Place::Module(from),
            "super" => Place::Module(self.modules[from].parent),
            name if rest.is_empty() => self.lookup(from, name, true, seen)?,
            name => self.lookup(from, name, false, seen)?,
        };
        while let (Place::Module(module), Some((name, after))) = (place, rest.split_first()) {
            place = match *name {
                "self" => place,
                "super" => Place::Module(self.modules[module].parent),
                name => {
                    self.lookup(module, name, after.is_empty(), seen).unwrap_or(Place::Definition(module))
                }
            };
            rest = after;
        }
        Some(place)
    }

    /// Looks up a name in a module: a definition, a child or an import. If the name is not the `last` part of
    /// the path, a child takes precedence.
    fn lookup<'n>(
        &'n self,
        module: usize,
        name: &'n str,
        last: bool,
        seen: &mut Vec<(usize, &'n str)>,
    ) -> Option<Place> {
        let within = &self.modules[module];
        let definition = within.definitions.contains(name).then_some(Place::Definition(module));
        let child = within.children.get(name).map(|child| Place::Module(*child));
        let found = if last { definition.or(child) } else { child.or(definition) };
        if found.is_some() || seen.contains(&(module, name)) {
            return found;
        }
        seen.push((module, name));
        let named = within.imports.iter().filter(|import| import.name == name && import.path != [name]);
        for import in named {
            if let Some(place) = self.place(module, &import.path, seen) {
                return Some(place);
            }
        }
        let all = within.imports.iter().filter(|import| import.name == "*");
        for import in all {
            if let Some(Place::Module(other)) = self.place(module, &import.path, seen)
                && let Some(place) = self.lookup(other, name, last, seen)
            {
                return Some(place);
            }
        }
        None
    }
}

struct Reader<'a, 'b> {
    tokens: Vec<&'a str>,
    at: usize,
    files: &'a [SourceFile],
    /// Modules in other files, each with the folder of its children.
    open: &'b mut Vec<(usize, String)>,
}

impl<'a> Reader<'a, '_> {
    fn peek(&self, ahead: usize) -> &'a str {
        self.tokens.get(self.at + ahead).copied().unwrap_or_default()
    }

    /// Reads a module up to the end of the file, or to its closing brace.
    fn module(&mut self, modules: &mut Modules<'a>, module: usize, folder: &str) {
        let mut depth = 0;
        let mut public = false;
        let mut path_attribute = None;
        while self.at < self.tokens.len() {
            match self.peek(0) {
                "#" => {
                    if self.attribute(&mut path_attribute) {
                        self.skip_item();
                    }
                    continue;
                }
                "pub" => {
                    public = true;
                    self.at += 1;
                    self.skip_visibility();
                    continue;
                }
                "mod" if self.peek(2) == ";" || self.peek(2) == "{" => {
                    self.child(modules, module, folder, path_attribute.take());
                }
                "use" => {
                    self.at += 1;
                    self.imports(&mut modules.modules[module].imports, &[], public);
                }
                "{" => {
                    depth += 1;
                    self.at += 1;
                }
                "}" if depth == 0 => {
                    self.at += 1;
                    return;
                }
                "}" => {
                    depth -= 1;
                    self.at += 1;
                }
                word => {
                    let module = &mut modules.modules[module];
                    if depth == 0 && DEFINITIONS.contains(&word) {
                        let ahead = if self.peek(1) == "!" || self.peek(1) == "mut" { 2 } else { 1 };
                        module.definitions.insert(self.peek(ahead));
                    }
                    self.path(module);
                }
            }
            public = false;
        }
    }

    /// Reads an attribute. Returns true if it marks an item for tests only.
    fn attribute(&mut self, path: &mut Option<&'a str>) -> bool {
        let start = self.at;
        while self.at < self.tokens.len() && self.peek(0) != "[" {
            self.at += 1;
        }
        self.skip_group();
        let tokens = &self.tokens[start..self.at];
        if let Some(at) = tokens.iter().position(|token| *token == "path") {
            *path = tokens.get(at + 2).map(|literal| literal.trim_matches('"'));
        }
        let all = tokens.get(4) == Some(&"all") && tokens.contains(&"test") && !tokens.contains(&"not");
        tokens.get(2) == Some(&"cfg") && (tokens.get(4) == Some(&"test") || all)
    }

    /// Skips a bracketed group of any kind.
    fn skip_group(&mut self) {
        let mut depth = 0;
        while self.at < self.tokens.len() {
            match self.peek(0) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth -= 1,
                _ => {}
            }
            self.at += 1;
            if depth == 0 {
                return;
            }
        }
    }

    /// Skips the rest of an item or a field.
    fn skip_item(&mut self) {
        while self.at < self.tokens.len() {
            match self.peek(0) {
                "(" | "[" => self.skip_group(),
                "{" => return self.skip_group(),
                ";" | "," => {
                    self.at += 1;
                    return;
                }
                "}" => return,
                _ => self.at += 1,
            }
        }
    }

    /// Skips the parentheses of `pub(crate)` and similar visibilities, but not a tuple field.
    fn skip_visibility(&mut self) {
        if self.peek(0) == "(" && ["crate", "super", "self", "in"].contains(&self.peek(1)) {
            self.skip_group();
        }
    }

    /// Reads a child module, either `mod x;` or `mod x { … }`.
    fn child(&mut self, modules: &mut Modules<'a>, parent: usize, folder: &str, path: Option<&'a str>) {
        let name = self.peek(1);
        let inline = self.peek(2) == "{";
        self.at += 3;
        let index = modules.modules.len();
        let below = format!("{folder}/{name}");
        let file = if inline {
            modules.modules[parent].file.clone()
        } else if let Some(path) = path {
            // The path is relative to the folder of the file with the attribute.
            let (beside, _) = modules.modules[parent].file.rsplit_once('/').unwrap_or_default();
            format!("{beside}/{path}")
        } else {
            let file = format!("{below}.rs");
            let known = self.files.iter().any(|known| known.path == file);
            if known { file } else { format!("{below}/mod.rs") }
        };
        modules.modules.push(Module { file, parent, ..Module::default() });
        modules.modules[parent].children.insert(name, index);
        if inline {
            self.module(modules, index, &below);
        } else {
            self.open.push((index, below));
        }
    }

    /// Reads the tree of an import up to its `;`, or to the end of the surrounding group.
    fn imports(&mut self, imports: &mut Vec<Import<'a>>, before: &[&'a str], public: bool) {
        let mut path = before.to_vec();
        let mut name = None;
        while self.at < self.tokens.len() {
            let token = self.peek(0);
            self.at += 1;
            match token {
                "::" => {}
                "as" => {
                    name = Some(self.peek(0));
                    self.at += 1;
                }
                "*" => name = Some("*"),
                "{" => {
                    let group = path.clone();
                    while !matches!(self.peek(0), "}" | "") {
                        self.imports(imports, &group, public);
                        if self.peek(0) == "," {
                            self.at += 1;
                        }
                    }
                    self.at += 1;
                    name = Some("");
                }
                "," | "}" => {
                    self.at -= 1;
                    break;
                }
                ";" => break,
                word => path.push(word),
            }
        }
        if path.len() > 1 && path.last() == Some(&"self") {
            path.pop();
        }
        let name = name.or_else(|| path.last().copied()).unwrap_or_default();
        if !matches!(name, "" | "_") {
            imports.push(Import { path, name, public });
        }
    }

    /// Reads a word or a path.
    fn path(&mut self, module: &mut Module<'a>) {
        let is_word = |token: &str| token.starts_with(|c: char| c.is_alphabetic() || c == '_');
        let after_path = self.at > 0 && self.tokens[self.at - 1] == "::";
        let mut path = vec![self.peek(0)];
        self.at += 1;
        if !is_word(path[0]) || path[0] == "$" {
            return;
        }
        while self.peek(0) == "::" && is_word(self.peek(1)) {
            path.push(self.peek(1));
            self.at += 2;
        }
        module.words.insert(path[0]);
        if path.len() > 1 && !after_path {
            module.paths.push(path);
        }
    }
}
