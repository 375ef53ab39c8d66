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

/// The systems of places, for which static programs are built: each with the output of `uname -sm`, with `-` instead of
/// its space.
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

/// All targets of the check. Linux on this machine's architecture is not among them, because the tests themselves run
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
