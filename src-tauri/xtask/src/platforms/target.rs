//! The targets, and what each needs besides Rust.

/// A system for which the workspace is checked.
#[derive(Debug)]
pub(crate) struct Target {
    pub(super) triple: &'static str,
    pub(super) compiler: Compiler,
    /// Whether this machine's pkg-config files describe the window's C libraries.
    pub(super) host_descriptions: bool,
}

/// The C compiler for SQLite and the parsers' grammars.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Compiler {
    /// Debian's compiler, which build scripts find under its usual name.
    Mingw,
    /// Zig, with zig's name of the target.
    Zig(&'static str),
}

/// All targets. Linux on this machine's architecture is not among them, because the tests themselves run
/// there.
pub(super) const TARGETS: &[Target] = &[
    Target { triple: "x86_64-pc-windows-gnu", compiler: Compiler::Mingw, host_descriptions: false },
    Target {
        triple: "aarch64-apple-darwin",
        compiler: Compiler::Zig("aarch64-macos"),
        host_descriptions: false,
    },
    Target {
        triple: "x86_64-apple-darwin",
        compiler: Compiler::Zig("x86_64-macos"),
        host_descriptions: false,
    },
    Target {
        triple: "aarch64-unknown-linux-gnu",
        compiler: Compiler::Zig("aarch64-linux-gnu"),
        host_descriptions: true,
    },
];
