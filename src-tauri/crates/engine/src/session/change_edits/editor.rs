//! Opens a changed file in the user's editor.
//!
//! The user's setting `editor` is a command line, which is split into words and never passed to a shell. The
//! file's path is absolute, so that no editor mistakes it for an option.

use super::tree_files;
use crate::{
    context::{Context, errors::store_error},
    session::{changes::SessionTree, place_files::FilesAtPlace},
    settings::preferences,
};
use bc_core::{fleet::command_words, text::one_line};
use bc_process::{
    detach::{self, DetachedCommand},
    find::find,
};
use bc_wire::{ApiError, ErrorCode, project::Nothing, session::*};
use std::{ffi::OsString, io::Read, path::Path, time::Duration};

/// How long to watch the editor for an early failure.
const FAILS_WITHIN: Duration = Duration::from_millis(700);

pub(crate) fn open_file(ctx: &Context, params: &OpenFileParams) -> Result<Nothing, ApiError> {
    let meta = ctx.store.session(params.id).meta().map_err(store_error)?;
    if let Some(files) = FilesAtPlace::of(ctx, &meta)? {
        // The worktree on this machine lacks the agent's uncommitted edits. Editing it would prevent later
        // fast-forwards.
        let text = format!(
            "{} is at {}, and editors on this machine cannot open it",
            one_line(&params.path),
            files.place_name()
        );
        return Err(ApiError::new(ErrorCode::FileRefused, text).hint("ask the agent to make the change"));
    }
    let tree = SessionTree::of(ctx, meta)?;
    let file = tree.file(&params.path)?;
    let place = tree_files::place(&tree.worktree, &file.path)?;
    if tree_files::state(&place)?.is_none() {
        return Err(ApiError::new(ErrorCode::FileRefused, format!("{} was deleted", file.path)));
    }
    let words = words_for(&preferences::settings().editor, &place, params.line.unwrap_or(1).max(1))?;
    start(&words, tree.worktree.top_level())?;
    Ok(Nothing {})
}

/// The command for this file: `{file}` and `{line}` are replaced; a command without `{file}` gets the path as its
/// last argument.
pub(super) fn words_for(setting: &str, file: &Path, line: u32) -> Result<Vec<OsString>, ApiError> {
    let missing = |text: &str| {
        ApiError::new(ErrorCode::EditorMissing, text)
            .hint("choose an editor with its own window in Settings, such as `code --goto {file}:{line}`")
    };
    if setting.trim().is_empty() {
        return Err(missing("no editor is chosen"));
    }
    let words = command_words(setting).map_err(|_| missing("the editor's command has an open quote"))?;
    let line = line.to_string();
    let named = words.iter().skip(1).any(|word| word.contains("{file}"));
    let mut command: Vec<OsString> = Vec::new();
    for (n, word) in words.iter().enumerate() {
        match n {
            0 => command.push(word.into()),
            _ => command.push(filled(word, file, &line)),
        }
    }
    if !named {
        command.push(file.into());
    }
    Ok(command)
}

/// A path is not always valid UTF-8, so the parts are joined as `OsString`s.
fn filled(word: &str, file: &Path, line: &str) -> OsString {
    let mut out = OsString::new();
    for (n, piece) in word.split("{file}").enumerate() {
        if n > 0 {
            out.push(file);
        }
        out.push(piece.replace("{line}", line));
    }
    out
}

fn start(words: &[OsString], cwd: &Path) -> Result<(), ApiError> {
    let (name, args) = words.split_first().expect("a command has at least a program");
    let name = name.to_string_lossy();
    let missing = || {
        ApiError::new(ErrorCode::EditorMissing, format!("the editor {name} was not found"))
            .hint("check its command in Settings")
    };
    let absolute = Path::new(&*name).is_absolute().then(|| Path::new(&*name).to_owned());
    let program = absolute.filter(|path| path.is_file()).or_else(|| find(&name, None)).ok_or_else(missing)?;
    let command = DetachedCommand {
        program,
        args: args.to_vec(),
        cwd: cwd.to_owned(),
        env: Vec::new(),
        stdin: Vec::new(),
        log: None,
        inherited_files: Vec::new(),
    };
    let started = detach::start(command).map_err(|error| {
        ApiError::new(ErrorCode::EditorMissing, crate::context::errors::chain(&error))
            .hint("check its command in Settings")
    })?;
    // Read the editor's output until the editor exits: an editor that writes to a closed pipe would be killed.
    let mut report = started.report;
    let reader = std::thread::Builder::new().name("editor".into());
    let _ = reader.spawn(move || {
        let mut buffer = [0; 4096];
        while report.read(&mut buffer).is_ok_and(|read| read > 0) {}
    });
    match started.ended.recv_timeout(FAILS_WITHIN) {
        Ok(code) if code != Some(0) => {
            let text = format!("the editor {name} ended at once, with an error");
            Err(ApiError::new(ErrorCode::EditorMissing, text)
                .hint("choose an editor with its own window: it gets no terminal"))
        }
        _ => Ok(()),
    }
}
