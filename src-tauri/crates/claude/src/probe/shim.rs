//! Reads the batch file (`claude.cmd`) that npm, pnpm and Yarn create to start a program on Windows.
//!
//! This program starts the shim's target directly, because cmd.exe and the target parse arguments by
//! different rules. Only the lines that these package managers write are accepted. Windows paths are handled
//! as plain text, so that recorded shims can be tested on every system.

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Target {
    /// A program without arguments, or another shim.
    Program(String),
    Node {
        /// The Node in the shim's folder, which is used if it exists.
        beside: String,
        /// Node's options and the script.
        args: Vec<String>,
    },
}

/// Why a shim cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum BadShim {
    #[error("it starts claude in WSL")]
    Wsl,
    #[error("it is a batch file with a line that npm, pnpm and Yarn do not write: {0}")]
    Line(String),
    #[error("it is a batch file that does not start exactly one program with all its arguments")]
    NoTarget,
}

/// The program that a shim with this text starts. `folder` is the shim's folder.
pub(super) fn target(text: &str, folder: &str) -> Result<Target, BadShim> {
    let mut found: Option<Target> = None;
    for line in text.lines() {
        let line = line.trim().trim_start_matches('@').trim();
        if is_setup(line) {
            continue;
        }
        let called = call(line, folder)?;
        // A shim for Node has one line for the Node in the shim's folder and one line for the Node in PATH.
        match &found {
            Some(first) if *first != called => return Err(BadShim::NoTarget),
            _ => found = Some(called),
        }
    }
    found.ok_or(BadShim::NoTarget)
}

/// Whether the line only prepares the start, without changing the arguments.
fn is_setup(line: &str) -> bool {
    const FIXED: [&str; 18] = [
        "",
        ")",
        ") else (",
        ":find_dp0",
        ":start",
        "call :find_dp0",
        "echo off",
        "endlocal",
        "exit /b",
        "exit /b %errorlevel%",
        "goto start",
        "if exist \"%dp0%\\node.exe\" (",
        "if exist \"%~dp0\\node.exe\" (",
        "if not defined node_path (",
        "set dp0=%~dp0",
        "set pathext=%pathext:;.js;=;%",
        "set \"_prog=%dp0%\\node.exe\"",
        "set \"_prog=node\"",
    ];
    let line = line.to_ascii_lowercase();
    // pnpm's shim sets a search path for modules. Claude does not need the path, because claude is a single
    // file.
    let is_search_path = line
        .strip_prefix("set \"node_path=")
        .and_then(|rest| rest.strip_suffix('"'))
        .is_some_and(|value| !value.contains('"'));
    line == "setlocal" || FIXED.contains(&line.as_str()) || is_search_path
}

/// The program that a line starts. Fails if the line starts WSL, is not understood, or does not forward all
/// arguments.
fn call(line: &str, folder: &str) -> Result<Target, BadShim> {
    const NPM_PREFIX: &str = "endlocal & goto #_undefined_# 2>nul || title %comspec% & ";
    let unknown = || BadShim::Line(bc_core::text::cut(&bc_core::text::one_line(line), 120));
    let start = match line.get(..NPM_PREFIX.len()) {
        Some(head) if head.eq_ignore_ascii_case(NPM_PREFIX) => &line[NPM_PREFIX.len()..],
        _ => line,
    };
    let words = words(start).ok_or_else(unknown)?;
    let Some((program, args)) = words.split_first() else { return Err(unknown()) };
    if matches!(program.stem().as_str(), "wsl" | "bash") {
        return Err(BadShim::Wsl);
    }
    let Some((Word { quoted: false, text: "%*" }, args)) = args.split_last() else { return Err(unknown()) };
    if ["node", "%_prog%", "%dp0%\\node.exe", "%~dp0\\node.exe"].contains(&program.text) {
        let args: Option<Vec<String>> = args.iter().map(|word| word.argument(folder)).collect();
        let args = args.filter(|args| !args.is_empty()).ok_or_else(unknown)?;
        return Ok(Target::Node { beside: joined(folder, "node.exe"), args });
    }
    match (program.path(folder), args) {
        (Some(path), []) => Ok(Target::Program(path)),
        _ => Err(unknown()),
    }
}

#[derive(Debug, Clone, Copy)]
struct Word<'a> {
    quoted: bool,
    text: &'a str,
}

impl Word<'_> {
    /// The program's name in lower case, without its folder and `.exe`.
    fn stem(&self) -> String {
        let name = self.text.rsplit(['\\', '/']).next().unwrap_or_default().to_ascii_lowercase();
        name.strip_suffix(".exe").unwrap_or(&name).to_owned()
    }

    /// The absolute path that the word denotes; `None` if it is not a quoted path.
    fn path(&self, folder: &str) -> Option<String> {
        let below = self.text.strip_prefix("%dp0%\\").or_else(|| self.text.strip_prefix("%~dp0\\"));
        let is_absolute = |text: &str| match text.as_bytes() {
            [drive, b':', b'\\', _, ..] => drive.is_ascii_alphabetic(),
            bytes => bytes.starts_with(b"\\\\"),
        };
        let path = match below {
            Some(below) => joined(folder, below),
            None if is_absolute(self.text) => self.text.to_owned(),
            None => return None,
        };
        // A path with a variable is refused, because cmd.exe would expand the variable.
        (self.quoted && !below.unwrap_or(self.text).contains('%')).then_some(path)
    }

    /// The word as an argument: an option or a path.
    fn argument(&self, folder: &str) -> Option<String> {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_=./:,".contains(c);
        match !self.quoted && self.text.starts_with('-') && self.text.chars().all(is_plain) {
            true => Some(self.text.to_owned()),
            false => self.path(folder),
        }
    }
}

/// The words of a line; `None` if a quote is not closed or is inside a word.
fn words(line: &str) -> Option<Vec<Word<'_>>> {
    let mut words = Vec::new();
    let mut rest = line.trim_start();
    while !rest.is_empty() {
        let quoted = rest.starts_with('"');
        let (text, after) = match quoted {
            true => rest[1..].split_once('"')?,
            false => rest.split_at(rest.find(char::is_whitespace).unwrap_or(rest.len())),
        };
        if (!quoted && text.contains('"')) || !(after.is_empty() || after.starts_with(char::is_whitespace)) {
            return None;
        }
        words.push(Word { quoted, text });
        rest = after.trim_start();
    }
    Some(words)
}

/// Appends a relative path to a folder, and resolves `..`.
fn joined(folder: &str, below: &str) -> String {
    let whole = format!("{folder}\\{below}");
    let mut parts: Vec<&str> = Vec::new();
    for part in whole.split(['\\', '/']) {
        match part {
            "" | "." => {}
            // `..` does not remove the drive.
            ".." if parts.len() > 1 => drop(parts.pop()),
            ".." => {}
            part => parts.push(part),
        }
    }
    let share = if whole.starts_with(r"\\") { r"\\" } else { "" };
    format!("{share}{}", parts.join("\\"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FOLDER: &str = r"C:\Users\An O'Neil\AppData\Roaming\npm";

    fn program(path: &str) -> Result<Target, BadShim> {
        Ok(Target::Program(path.to_owned()))
    }

    fn node(beside: &str, args: &[&str]) -> Result<Target, BadShim> {
        let args = args.iter().map(|&arg| arg.to_owned()).collect();
        Ok(Target::Node { beside: beside.to_owned(), args })
    }

    #[test]
    fn a_shim_of_npm_starts_the_program_or_script_in_its_packages() {
        let package = format!(r"{FOLDER}\node_modules\@anthropic-ai\claude-code");
        let (beside, script) = (format!(r"{FOLDER}\node.exe"), format!(r"{package}\cli.js"));
        let of = |text| target(text, FOLDER);
        assert_eq!(of(include_str!("shim/npm-native.cmd")), program(&format!(r"{package}\bin\claude.exe")));
        assert_eq!(of(include_str!("shim/npm-node.cmd")), node(&beside, &[&script]));
        assert_eq!(of(include_str!("shim/npm-6.cmd")), node(&beside, &[&script]));
        assert_eq!(
            of(include_str!("shim/npm-node-options.cmd")),
            node(&beside, &["--no-warnings", "--enable-source-maps", &script])
        );
        assert_eq!(of(&include_str!("shim/npm-node.cmd").replace("\r\n", "\n")), node(&beside, &[&script]));
    }

    #[test]
    fn a_shim_of_pnpm_or_yarn_starts_a_program_outside_its_folder() {
        let package = r"D:\pnpm\global\5\node_modules\@anthropic-ai\claude-code";
        let (beside, script) = (r"D:\pnpm\bin\node.exe", format!(r"{package}\cli.js"));
        let of = |text| target(text, r"D:\pnpm\bin\");
        assert_eq!(of(include_str!("shim/pnpm-native.cmd")), program(&format!(r"{package}\bin\claude.exe")));
        assert_eq!(of(include_str!("shim/yarn-native.cmd")), program(&format!(r"{package}\bin\claude.exe")));
        assert_eq!(of(include_str!("shim/pnpm-node.cmd")), node(beside, &[&script]));
        assert_eq!(of(include_str!("shim/yarn-node.cmd")), node(beside, &[&script]));
        assert_eq!(
            of(include_str!("shim/yarn-global.cmd")),
            program(r"D:\pnpm\Data\global\node_modules\.bin\claude.cmd")
        );
    }

    #[test]
    fn an_absolute_path_is_kept_unchanged() {
        assert_eq!(target("@\"C:\\a b\\claude.exe\" %*", FOLDER), program(r"C:\a b\claude.exe"));
        assert_eq!(
            target("\"\\\\server\\share\\claude.exe\" %*", FOLDER),
            program(r"\\server\share\claude.exe")
        );
    }

    #[test]
    fn a_batch_file_of_another_author_is_refused_with_its_line() {
        for line in [
            "claude.exe %*",
            r#""%~dp0\claude.exe" --model opus %*"#,
            r#""%~dp0\claude.exe" %1 %2"#,
            r#""%~dp0\%NAME%.exe" %*"#,
            r#""%~dp0\claude.exe" %* & del x"#,
            r#""%~dp0\claude.exe"%*"#,
            r#""%~dp0\claude.exe %*"#,
            r#""claude.exe" %*"#,
            "node %*",
            "node cli.js %*",
            "set ANTHROPIC_BASE_URL=http://localhost",
            "set \"_prog=bun\"",
            "powershell -File claude.ps1 %*",
        ] {
            assert_eq!(target(line, FOLDER), Err(BadShim::Line(line.to_owned())), "{line}");
        }
        assert_eq!(target("", FOLDER), Err(BadShim::NoTarget));
        assert_eq!(target("\"C:\\a\\x.exe\" %*\n\"C:\\a\\y.exe\" %*", FOLDER), Err(BadShim::NoTarget));
    }

    #[test]
    fn a_batch_file_that_starts_wsl_is_refused() {
        for line in ["wsl claude %*", "@wsl.exe -e claude %*", r#""C:\Windows\System32\WSL.exe" claude %*"#] {
            assert_eq!(target(line, FOLDER), Err(BadShim::Wsl), "{line}");
        }
    }
}
