//! Determines a file's language from its name, for the code fences of a context pack.

/// The language's name for syntax highlighters; `text` if the file name is unknown.
pub(super) fn language(path: &str) -> &'static str {
    let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
    match name.as_str() {
        "makefile" => return "makefile",
        "dockerfile" => return "dockerfile",
        "justfile" => return "just",
        "gemfile" | "rakefile" => return "ruby",
        ".editorconfig" => return "ini",
        "go.mod" => return "go-mod",
        _ => {}
    }
    match name.rsplit_once('.').map_or("", |(_, extension)| extension) {
        "rs" => "rust",
        "ts" | "mts" | "cts" => "typescript",
        "tsx" => "tsx",
        "js" | "mjs" | "cjs" => "javascript",
        "jsx" => "jsx",
        "svelte" => "svelte",
        "vue" => "vue",
        "py" | "pyi" => "python",
        "go" => "go",
        "rb" => "ruby",
        "java" => "java",
        "kt" | "kts" => "kotlin",
        "swift" => "swift",
        "c" | "h" => "c",
        "cc" | "cpp" | "cxx" | "hh" | "hpp" => "cpp",
        "cs" => "csharp",
        "php" => "php",
        "lua" => "lua",
        "ex" | "exs" => "elixir",
        "sh" | "bash" | "zsh" => "bash",
        "ps1" => "powershell",
        "sql" => "sql",
        "html" | "htm" => "html",
        "css" => "css",
        "scss" => "scss",
        "json" | "jsonc" => "json",
        "toml" => "toml",
        "yaml" | "yml" => "yaml",
        "xml" | "svg" => "xml",
        "ini" | "cfg" => "ini",
        "md" | "markdown" => "markdown",
        _ => "text",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_is_determined_by_the_files_name() {
        for (path, expect) in [
            ("src/main.rs", "rust"),
            ("a.b/Main.TSX", "tsx"),
            ("deploy/Dockerfile", "dockerfile"),
            (".editorconfig", "ini"),
            ("a.rs/LICENSE", "text"),
            ("x.unheard-of", "text"),
        ] {
            assert_eq!(language(path), expect, "{path}");
        }
    }
}
