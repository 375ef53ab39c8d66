//! Determines how claude was installed from the path of its program.

use std::fmt;

/// How claude was installed, which decides how it is updated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Installation {
    /// By claude's own installer.
    Native,
    Npm,
    Pnpm,
    Yarn,
    Bun,
    Homebrew,
    WinGet,
    Other,
}

impl Installation {
    /// Determines the installation from the path of the program or script, with links resolved.
    pub(super) fn of(path: &str) -> Self {
        let path = path.replace('\\', "/").to_ascii_lowercase();
        let has = |part: &str| path.contains(part);
        let own = [".local/bin/claude", ".local/bin/claude.exe"].iter().any(|end| path.ends_with(end));
        if has("/node_modules/@anthropic-ai/claude-code") {
            return match () {
                () if has("/.bun/") => Installation::Bun,
                () if has("/pnpm/") || has("/.pnpm/") => Installation::Pnpm,
                () if has("/yarn/") => Installation::Yarn,
                () => Installation::Npm,
            };
        }
        match () {
            () if has("/caskroom/") || has("/cellar/") => Installation::Homebrew,
            () if has("/winget/") => Installation::WinGet,
            () if own || has("/share/claude/versions/") => Installation::Native,
            () => Installation::Other,
        }
    }
}

impl fmt::Display for Installation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Installation::Native => "native installer",
            Installation::Npm => "npm",
            Installation::Pnpm => "pnpm",
            Installation::Yarn => "Yarn",
            Installation::Bun => "Bun",
            Installation::Homebrew => "Homebrew",
            Installation::WinGet => "WinGet",
            Installation::Other => "unknown installer",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_installer_is_known_by_its_folders() {
        for (path, expect) in [
            ("/home/me/.local/share/claude/versions/2.1.329", Installation::Native),
            (r"C:\Users\me\.local\bin\claude.exe", Installation::Native),
            ("/usr/lib/node_modules/@anthropic-ai/claude-code/bin/claude.exe", Installation::Npm),
            (
                r"C:\Users\me\AppData\Roaming\npm\node_modules\@anthropic-ai\claude-code\bin\claude.exe",
                Installation::Npm,
            ),
            ("/home/me/.claude/local/node_modules/@anthropic-ai/claude-code/cli.js", Installation::Npm),
            // npm in a Node.js that Homebrew installed.
            ("/opt/homebrew/lib/node_modules/@anthropic-ai/claude-code/bin/claude.exe", Installation::Npm),
            ("/opt/homebrew/Caskroom/claude-code/2.1.329/claude", Installation::Homebrew),
            ("/home/linuxbrew/.linuxbrew/Caskroom/claude-code/2.1.329/claude", Installation::Homebrew),
            (
                "/home/me/.local/share/pnpm/global/5/.pnpm/@anthropic-ai+claude-code@2.1.329/node_modules/@anthropic-ai/claude-code/bin/claude.exe",
                Installation::Pnpm,
            ),
            (
                r"C:\Users\me\AppData\Local\Yarn\Data\global\node_modules\@anthropic-ai\claude-code\bin\claude.exe",
                Installation::Yarn,
            ),
            (
                "/home/me/.bun/install/global/node_modules/@anthropic-ai/claude-code/bin/claude.exe",
                Installation::Bun,
            ),
            (
                r"C:\Users\me\AppData\Local\Microsoft\WinGet\Packages\Anthropic.ClaudeCode_x\claude.exe",
                Installation::WinGet,
            ),
            ("/opt/claude", Installation::Other),
        ] {
            assert_eq!(Installation::of(path), expect, "{path}");
        }
    }
}
