//! Small crates with and without cycles between files.

use super::*;

/// Returns the cycles in a crate with these files, each as a list of file names.
fn cycles_of(files: &[(&str, &str)]) -> Vec<String> {
    let path = |name: &str| format!("src-tauri/crates/a/src/{name}");
    let files: Vec<SourceFile> =
        files.iter().map(|(name, text)| SourceFile::new(&path(name), *text)).collect();
    let references = Modules::read(&path("lib.rs"), &files).references();
    let short = |file: &String| file.strip_prefix(&path("")).unwrap_or(file).to_owned();
    cycles(&references).iter().map(|cycle| cycle.iter().map(short).collect::<Vec<_>>().join(" ")).collect()
}

#[test]
fn imports_and_inline_paths_are_references() {
    let found = cycles_of(&[
        ("lib.rs", "mod a; mod b; mod c; mod d;"),
        ("a.rs", "use crate::b::{Deep, other::{self}}; pub struct A;"),
        ("b.rs", "pub struct Deep(super::a::A);"),
        ("c.rs", "fn c() { crate::d::d() }"),
        ("d.rs", "use super::c; pub fn d() { c::c() }"),
    ]);
    assert_eq!(found, ["a.rs b.rs", "c.rs d.rs"]);
}

#[test]
fn a_longer_cycle_is_one_cycle_with_all_its_files() {
    let found = cycles_of(&[
        ("lib.rs", "mod a; mod b; mod c; mod user;"),
        ("a.rs", "use crate::b::B;"),
        ("b.rs", "use crate::c::C;"),
        ("c.rs", "use crate::a::A;"),
        ("user.rs", "use crate::a::A;"),
    ]);
    assert_eq!(found, ["a.rs b.rs c.rs"]);
}

#[test]
fn a_declaration_and_a_re_export_are_no_references_but_their_use_is() {
    let inner = ("a/inner.rs", "use super::Error; pub struct Inner;");
    let root = ("lib.rs", "mod a;");
    let outer = |more: &str| format!("mod inner; pub use inner::Inner; pub struct Error; {more}");
    assert_eq!(cycles_of(&[root, ("a/mod.rs", &outer("")), inner]), [""; 0]);
    let with_use = outer("fn f() -> Inner { inner::new() }");
    assert_eq!(cycles_of(&[root, ("a/mod.rs", &with_use), inner]), ["a/inner.rs a/mod.rs"]);
}

#[test]
fn a_re_export_is_followed_to_the_file_with_the_definition() {
    let found = cycles_of(&[
        ("lib.rs", "mod a; mod b; pub use a::*; pub(crate) use b::inner as short;"),
        ("a/mod.rs", "mod inner; pub use self::inner::Inner; fn a() { crate::short::f() }"),
        ("a/inner.rs", "pub struct Inner;"),
        // The reference is resolved to a/inner.rs, not to a/mod.rs.
        ("b/mod.rs", "pub mod inner; use crate::Inner;"),
        ("b/inner.rs", "use crate::a::Inner; pub fn f() {}"),
    ]);
    assert_eq!(found, [""; 0]);
}

#[test]
fn tests_comments_and_strings_are_left_out() {
    let found = cycles_of(&[
        ("lib.rs", "mod a; mod b;"),
        (
            "a.rs",
            "//! crate::b::B\n/* crate::b::B /* */ */ pub struct A; // crate::b::B\nconst S: &str = \"crate::b::B\";",
        ),
        (
            "b.rs",
            "use crate::a::A; const C: char = '\"'; const R: &str = r#\"\"\"#; fn l<'a>(_: &'a str) {}\n\
             #[cfg(test)]\nmod tests;",
        ),
        ("b/tests.rs", "use super::*;"),
    ]);
    assert_eq!(found, [""; 0]);
    let tested = "pub struct A; #[cfg(test)] use crate::b::B; #[cfg(test)] mod tests { use crate::b::B; }";
    assert_eq!(
        cycles_of(&[("lib.rs", "mod a; mod b;"), ("a.rs", tested), ("b.rs", "use crate::a::A;")]),
        [""; 0]
    );
}

#[test]
fn modules_in_one_file_and_files_of_an_operating_system_are_found() {
    let root = ("lib.rs", "mod a; mod b { pub mod c { pub use crate::a::A; } }");
    assert_eq!(cycles_of(&[root, ("a.rs", "fn a() { crate::b::c::f() }")]), [""; 0]);
    let os = "#[cfg(unix)]\n#[path = \"os/unix.rs\"]\nmod os;\nfn a() { os::f() } pub fn b() {}";
    let found = cycles_of(&[("lib.rs", "mod a;"), ("a.rs", os), ("os/unix.rs", "pub fn f() { super::b() }")]);
    assert_eq!(found, ["a.rs os/unix.rs"]);
}

#[test]
fn circular_imports_terminate() {
    let found = cycles_of(&[
        ("lib.rs", "mod a; pub use a::*; use serde; fn f() { missing::f(); serde::x() }"),
        ("a.rs", "pub use super::*; fn f() { missing::f(); Missing::new() }"),
    ]);
    assert_eq!(found, [""; 0]);
}

#[test]
fn a_cycle_is_named_with_its_crate_its_files_and_what_they_use() {
    let file = |name: &str, text: &str| SourceFile::new(&format!("src-tauri/crates/new/src/{name}"), text);
    let files = [
        file("main.rs", "mod a; mod b;"),
        file("a.rs", "use crate::b::B;"),
        file("b.rs", "use crate::a::A;"),
    ];
    let messages: Vec<String> = check(&files).iter().map(Violation::to_string).collect();
    assert_eq!(messages.len(), 1, "{messages:?}");
    assert!(messages[0].starts_with("src-tauri/crates/new: has a cycle of 2 files"), "{}", messages[0]);
    assert!(messages[0].ends_with("\n    a.rs uses b.rs\n    b.rs uses a.rs"), "{}", messages[0]);
}
