//! Opens a changed file in the user's editor. Of a file at a place, it opens a read-only copy.
//!
//! The user's setting `editor` is a command line, which is split into words and never passed to a shell. The
//! file's path is absolute, so that no editor mistakes it for an option.

use super::tree_files::{self, FileState, Kind};
use crate::{
    context::{Context, errors::file_error},
    session::{
        changes::SessionTree,
        place_files::{FileCommand, FilesAtPlace},
        untrusted_answers::FileContent,
    },
    settings::preferences,
};
use base64::{Engine as _, engine::general_purpose::STANDARD as BASE64};
use bc_core::{fleet::command_words, paths::not_portable, text::one_line};
use bc_process::{
    detach::{self, DetachedCommand},
    find::find,
};
use bc_wire::{ApiError, ErrorCode, project::Nothing, session::*};
use std::{
    ffi::OsString,
    hash::{DefaultHasher, Hash, Hasher},
    io::Read,
    path::{Path, PathBuf},
    time::Duration,
};

/// The maximum size of a file at a place that is opened, in bytes.
const CONTENT_MAX: usize = 32 << 20;

/// How long to watch the editor for an early failure.
const FAILS_WITHIN: Duration = Duration::from_millis(700);

pub(crate) fn open_file(ctx: &Context, params: &OpenFileParams) -> Result<Nothing, ApiError> {
    let meta = ctx.meta(params.id)?;
    let editor = preferences::settings().editor;
    let line = params.line.unwrap_or(1).max(1);
    if let Some(files) = FilesAtPlace::of(ctx, &meta)? {
        // Report a missing editor before the file is fetched.
        words_for(&editor, Path::new(&params.path), line)?;
        let copy = fetch_copy(&files, params)?;
        let folder = copy.parent().unwrap_or(&copy).to_owned();
        start(&words_for(&editor, &copy, line)?, &folder)?;
        return Ok(Nothing {});
    }
    let tree = SessionTree::of(ctx, meta)?;
    let (file, _) = existing(&tree, &params.path)?;
    start(&words_for(&editor, &file, line)?, tree.worktree.top_level())?;
    Ok(Nothing {})
}

/// The absolute path and the state of a changed file that exists.
fn existing(tree: &SessionTree, path: &str) -> Result<(PathBuf, FileState), ApiError> {
    let file = tree.file(path)?;
    let path = tree_files::path_in_tree(&tree.worktree, &file.path)?;
    match tree_files::state(&path)? {
        Some(state) => Ok((path, state)),
        None => Err(ApiError::new(ErrorCode::FileRefused, format!("{} was deleted", file.path))),
    }
}

/// The content of a changed file, for an editor on the user's machine.
pub(in crate::session) fn content_of(
    tree: &SessionTree,
    params: &OpenFileParams,
) -> Result<FileContent, ApiError> {
    let (_, state) = existing(tree, &params.path)?;
    let refused = |why: &str| ApiError::new(ErrorCode::FileRefused, format!("{}: {why}", params.path));
    if state.kind == Kind::Link {
        return Err(refused("it is a symbolic link"));
    }
    if state.bytes.len() > CONTENT_MAX {
        return Err(refused("it is too large to be opened from another machine"));
    }
    Ok(FileContent { base64: BASE64.encode(state.bytes) })
}

/// Fetches the current content of a file at a place. Returns the path of the copy, which is read-only, because the
/// agent's file does not change with it.
fn fetch_copy(files: &FilesAtPlace<'_>, params: &OpenFileParams) -> Result<PathBuf, ApiError> {
    let shown = one_line(&params.path);
    let refused = |why: &str| ApiError::new(ErrorCode::FileRefused, format!("{shown}: {why}"));
    let content: FileContent = files.run(FileCommand::Content(params.clone()))?;
    let bytes = BASE64.decode(content.base64).map_err(|_| refused("its content could not be read"))?;
    let name = Path::new(&params.path).file_name().and_then(|name| name.to_str());
    let name = name.filter(|name| !cfg!(windows) || not_portable(name).is_none());
    let name = name.ok_or_else(|| refused("its name is not allowed on this machine"))?;
    let io = |error: std::io::Error| ApiError::new(ErrorCode::Io, format!("{shown}: {error}"));
    let private = bc_process::socket::runtime_dir().map_err(|error| io(std::io::Error::other(error)))?;
    let mut hasher = DefaultHasher::new();
    params.path.hash(&mut hasher);
    let folder = private.join("opened").join(params.id.to_string()).join(format!("{:016x}", hasher.finish()));
    // An earlier copy is read-only.
    if folder.exists() {
        bc_store::file::remove_all(&folder).map_err(file_error)?;
    }
    bc_store::file::create_dir(&folder).map_err(file_error)?;
    let path = folder.join(name);
    bc_store::file::replace(&path, &bytes).map_err(file_error)?;
    let mut permissions = path.metadata().map_err(io)?.permissions();
    permissions.set_readonly(true);
    std::fs::set_permissions(&path, permissions).map_err(io)?;
    Ok(path)
}

/// The command for this file: `{file}` and `{line}` are replaced in its arguments; a command without `{file}`
/// gets the path as its last argument.
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
    let mut command: Vec<OsString> = words.iter().take(1).map(OsString::from).collect();
    command.extend(words.iter().skip(1).map(|word| filled(word, file, &line)));
    if !words.iter().skip(1).any(|word| word.contains("{file}")) {
        command.push(file.into());
    }
    Ok(command)
}

/// Replaces `{file}` and `{line}` in an argument. A path is not always valid UTF-8, so the parts are joined
/// as `OsString`s.
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
