//! The person's editor on a text.

use bc_process::foreground::{self, ForegroundError};
use bc_wire::{ApiError, ErrorCode};
use std::{ffi::OsString, io::Write};

/// The editor where none is named: the one that is always there.
const FALLBACK: &str = if cfg!(windows) { "notepad" } else { "vi" };

/// The text as the person left it. The editor runs on the terminal and is waited for.
pub(crate) fn edit(text: &str) -> Result<String, ApiError> {
    let words = command(&["VISUAL", "EDITOR"].map(std::env::var_os))?;
    let failed = |what: &str, e: std::io::Error| ApiError::new(ErrorCode::Io, format!("{what}: {e}"));
    let mut file = tempfile::Builder::new()
        .prefix("beads-console-prompt-")
        .suffix(".md")
        .tempfile()
        .map_err(|e| failed("a temporary file for the editor could not be made", e))?;
    let written = file.write_all(text.as_bytes()).and_then(|()| file.flush());
    written.map_err(|e| failed("the text could not be handed to the editor", e))?;
    // Closed, so that editors that replace the file, and systems that lock open ones, are content.
    let path = file.into_temp_path();
    let (program, args) = words.split_first().expect("a command has at least its program");
    let args = args.iter().map(OsString::from).chain([path.as_os_str().to_owned()]);
    let code = foreground::run(program.as_ref(), args).map_err(|e| refused(program, &e))?;
    if code != Some(0) {
        let message = format!("the editor {program} did not end well; nothing was changed");
        return Err(ApiError::new(ErrorCode::Io, message));
    }
    std::fs::read_to_string(&path).map_err(|e| failed("what the editor left could not be read", e))
}

/// Words as a shell would split them, without a shell.
fn command(named: &[Option<OsString>]) -> Result<Vec<String>, ApiError> {
    let set = named.iter().flatten().find(|value| !value.is_empty());
    let line = set.map_or(FALLBACK.to_owned(), |value| value.to_string_lossy().into_owned());
    match shell_words::split(&line) {
        Ok(words) if !words.is_empty() => Ok(words),
        _ => Err(ApiError::new(ErrorCode::Usage, format!("{line:?} in $VISUAL or $EDITOR is not a command"))
            .hint("name the program of your editor, EDITOR=nano for instance")),
    }
}

fn refused(program: &str, error: &ForegroundError) -> ApiError {
    ApiError::new(ErrorCode::Io, format!("the editor {program} could not be started: {error}"))
        .hint("name the program of your editor in $VISUAL or $EDITOR, or give the text with --prompt")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_editor_that_is_named_is_taken_with_its_arguments() {
        let of = |visual: Option<&str>, editor: Option<&str>| {
            command(&[visual.map(OsString::from), editor.map(OsString::from)]).unwrap()
        };
        assert_eq!(of(Some("code --wait"), Some("vi")), ["code", "--wait"]);
        assert_eq!(of(Some(""), Some("'/opt/my editor/ed' -x")), ["/opt/my editor/ed", "-x"]);
        assert_eq!(of(None, None), [FALLBACK]);
    }

    #[test]
    fn an_editor_that_is_no_command_is_a_usage_error() {
        let error = command(&[Some("'unclosed".into()), None]).unwrap_err();
        assert_eq!(error.code, ErrorCode::Usage);
    }
}
