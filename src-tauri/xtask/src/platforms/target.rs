//! The targets, and the tools that each target requires besides Rust.

/// A system for which the workspace is checked or static programs are built.
#[derive(Debug)]
pub(crate) struct Target {
    pub(super) triple: &'static str,
    pub(super) compiler: Compiler,
    /// Whether this machine's pkg-config files also describe the target's C libraries for the window.
    pub(super) host_descriptions: bool,
}

/// The C compiler for SQLite and the grammars of the parsers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Compiler {
    /// Debian's compiler, which build scripts find under its usual name.
    Mingw,
    /// Zig, with zig's name for the target.
    Zig(&'static str),
}

/// The systems of places for which static programs are built. Each has its output of `uname -sm`, with `-`
/// instead of the space.
pub(super) const STATIC_TARGETS: &[(Target, &str)] = &[
    (
        Target {
            triple: "x86_64-unknown-linux-musl",
            compiler: Compiler::Zig("x86_64-linux-musl"),
            host_descriptions: false,
        },
        "Linux-x86_64",
    ),
    (
        Target {
            triple: "aarch64-unknown-linux-musl",
            compiler: Compiler::Zig("aarch64-linux-musl"),
            host_descriptions: false,
        },
        "Linux-aarch64",
    ),
];

/// All targets of the check. Linux on x86-64 is not included, because the tests already cover it.
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
