//! Edits text in the user's editor.

use bc_core::fleet::command_words;
use bc_process::foreground::{self, ForegroundError};
use bc_wire::{ApiError, ErrorCode};
use std::{ffi::OsString, io::Write};

/// The editor if neither `$VISUAL` nor `$EDITOR` is set: POSIX requires vi, and Notepad is part of Windows.
const FALLBACK: &str = if cfg!(windows) { "notepad" } else { "vi" };

/// Opens the editor on the terminal, waits for it and returns the edited text.
pub(crate) fn edit(text: &str) -> Result<String, ApiError> {
    let words = command(&["VISUAL", "EDITOR"].map(std::env::var_os))?;
    let failed = |what: &str, e: std::io::Error| ApiError::new(ErrorCode::Io, format!("{what}: {e}"));
    let mut file = tempfile::Builder::new()
        .prefix("beads-console-prompt-")
        .suffix(".md")
        .tempfile()
        .map_err(|e| failed("cannot create a temporary file for the editor", e))?;
    let written = file.write_all(text.as_bytes()).and_then(|()| file.flush());
    written.map_err(|e| failed("cannot write the text to a temporary file", e))?;
    // Close the file: some editors replace it, and some systems lock open files.
    let path = file.into_temp_path();
    let (program, args) = words.split_first().expect("a command has at least a program");
    let args = args.iter().map(OsString::from).chain([path.as_os_str().to_owned()]);
    let code = foreground::run(program.as_ref(), args).map_err(|e| refused(program, &e))?;
    if code != Some(0) {
        let message = format!("the editor {program} exited with an error; nothing was changed");
        return Err(ApiError::new(ErrorCode::Io, message));
    }
    std::fs::read_to_string(&path).map_err(|e| failed("cannot read the edited text", e))
}

/// Splits the editor's command into words as a shell would: `$VISUAL`, else `$EDITOR`, else the fallback.
fn command(named: &[Option<OsString>]) -> Result<Vec<String>, ApiError> {
    let set = named.iter().flatten().find(|value| !value.is_empty());
    let line = set.map_or(FALLBACK.to_owned(), |value| value.to_string_lossy().into_owned());
    match command_words(&line) {
        Ok(words) if !words.is_empty() => Ok(words),
        _ => Err(ApiError::new(ErrorCode::Usage, format!("invalid command {line:?} in $VISUAL or $EDITOR"))
            .hint("set it to your editor's program, such as EDITOR=nano")),
    }
}

fn refused(program: &str, error: &ForegroundError) -> ApiError {
    ApiError::new(ErrorCode::Io, format!("cannot start the editor {program}: {error}"))
        .hint("set $VISUAL or $EDITOR to your editor's program, or give the text with --prompt")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn visual_takes_precedence_over_editor() {
        let of = |visual: Option<&str>, editor: Option<&str>| {
            command(&[visual.map(OsString::from), editor.map(OsString::from)]).unwrap()
        };
        assert_eq!(of(Some("code --wait"), Some("vi")), ["code", "--wait"]);
        assert_eq!(of(Some(""), Some("'/opt/my editor/ed' -x")), ["/opt/my editor/ed", "-x"]);
        assert_eq!(of(None, None), [FALLBACK]);
    }

    #[test]
    fn invalid_editor_command_is_a_usage_error() {
        let error = command(&[Some("'unclosed".into()), None]).unwrap_err();
        assert_eq!(error.code, ErrorCode::Usage);
    }
}
