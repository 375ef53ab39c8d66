//! `session export`: a document on standard output or in a file of the person's choice, or several in a
//! folder.
//!
//! The file appears whole or not at all (a temporary file beside it, then a rename) and with the
//! permissions that any new file of the person gets: exporting is how a transcript is shared.

use super::{Context, resolve::one_of};
use crate::{args::ExportArgs, failure::Failure};
use bc_core::ids::SessionId;
use bc_wire::{
    ApiError, ErrorCode,
    session::{ExportFormat, Exported, SessionExportParams, SessionListParams},
};
use serde::Serialize;
use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

/// The result of an export into a file.
#[derive(Serialize)]
pub(super) struct Written {
    /// The absolute path.
    path: String,
    /// Its size.
    bytes: usize,
    /// How many secrets were struck out.
    secrets_removed: u32,
}

/// The result of an export of several.
#[derive(Serialize)]
struct AllWritten {
    /// One for each session.
    files: Vec<Written>,
}

/// What goes into a document.
#[derive(Clone, Copy)]
pub(super) struct What {
    pub(super) format: ExportFormat,
    pub(super) no_tool_output: bool,
    pub(super) keep_secrets: bool,
}

pub(super) fn run(args: &ExportArgs, context: &mut Context<'_>) -> Result<(), Failure> {
    let what =
        What { format: args.format, no_tool_output: args.no_tool_output, keep_secrets: args.keep_secrets };
    let mut ids = Vec::new();
    for key in &args.ids {
        ids.push(one_of(key, context)?.id);
    }
    if let ([id], false) = (ids.as_slice(), args.all) {
        return one(*id, what, args.output.as_deref(), context);
    }
    let Some(folder) = args.output.as_deref().filter(|path| *path != Path::new("-")) else {
        return Err(Failure::usage("several sessions go into a folder: name it with -o"));
    };
    if args.all {
        let all = context.api.session_list(SessionListParams::default())?.sessions;
        ids = all.into_iter().map(|session| session.meta.id).collect();
    }
    let mut files = Vec::new();
    for id in ids {
        files.push(into_folder(id, what, folder, context)?);
    }
    context.print(&AllWritten { files }, |all, _| {
        all.files.iter().map(|file| format!("{}\n", bc_core::text::plain(&file.path))).collect()
    })
}

fn exported(id: SessionId, what: What, context: &Context<'_>) -> Result<Exported, ApiError> {
    let What { format, no_tool_output, keep_secrets } = what;
    context.api.session_export(SessionExportParams { id, format, no_tool_output, keep_secrets })
}

fn one(id: SessionId, what: What, output: Option<&Path>, context: &mut Context<'_>) -> Result<(), Failure> {
    let exported = exported(id, what, context)?;
    let text = ended(exported.text.clone());
    match output {
        Some(path) if path != Path::new("-") => {
            let written = written(path, &text, exported.secrets_removed)?;
            context.print(&written, |written, _| format!("{}\n", bc_core::text::plain(&written.path)))?;
        }
        _ if context.json => return context.print(&exported, |_, _| String::new()),
        // A file gets the bytes as they are; on a terminal nothing of them may move the cursor.
        _ => {
            let terminal = context.io.looks().width.is_some();
            let safe = terminal && what.format == ExportFormat::Md;
            let shown = if safe { bc_core::text::plain(&text) } else { text };
            context.io.out().write_all(shown.as_bytes())?;
        }
    }
    match exported.secrets_removed {
        0 => Ok(()),
        1 => context.note("1 secret was struck out; --keep-secrets leaves it in."),
        n => context.note(&format!("{n} secrets were struck out; --keep-secrets leaves them in.")),
    }
}

/// A session's document in this folder, which is made where it is missing. Its name has the session's
/// id in it: no session's document ever replaces another's.
pub(super) fn into_folder(
    id: SessionId,
    what: What,
    folder: &Path,
    context: &Context<'_>,
) -> Result<Written, ApiError> {
    let exported = exported(id, what, context)?;
    fs::create_dir_all(folder).map_err(|e| could_not(folder, &e))?;
    let (stem, extension) = exported.file_name.rsplit_once('.').unwrap_or((&exported.file_name, "txt"));
    let path = folder.join(format!("{stem}-{}.{extension}", id.short()));
    written(&path, &ended(exported.text.clone()), exported.secrets_removed)
}

fn written(path: &Path, text: &str, secrets_removed: u32) -> Result<Written, ApiError> {
    let path = write(path, text.as_bytes())?;
    Ok(Written { path: path.display().to_string(), bytes: text.len(), secrets_removed })
}

fn ended(mut text: String) -> String {
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

/// Writes the document and says where it is.
fn write(path: &Path, bytes: &[u8]) -> Result<PathBuf, ApiError> {
    let refused = |e: io::Error| could_not(path, &e);
    // A link is followed: what it points to is what the person means.
    let target = match fs::canonicalize(path) {
        Ok(target) => target,
        Err(e) if e.kind() == io::ErrorKind::NotFound => std::path::absolute(path).map_err(refused)?,
        Err(e) => return Err(refused(e)),
    };
    match fs::metadata(&target) {
        Ok(there) if there.is_dir() => {
            return Err(ApiError::new(ErrorCode::Usage, format!("{} is a folder", path.display()))
                .hint("name a file in it"));
        }
        // A pipe or a device is written to, never replaced.
        Ok(there) if !there.is_file() => {
            fs::OpenOptions::new()
                .write(true)
                .open(&target)
                .and_then(|mut f| f.write_all(bytes))
                .map_err(refused)?;
        }
        Ok(there) if there.permissions().readonly() => {
            return Err(could_not(path, &io::ErrorKind::PermissionDenied.into()));
        }
        _ => replace(&target, bytes).map_err(refused)?,
    }
    Ok(target)
}

fn replace(target: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = target.parent().ok_or(io::ErrorKind::NotADirectory)?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(".beads-console-export-");
    #[cfg(unix)]
    let everybody = <fs::Permissions as std::os::unix::fs::PermissionsExt>::from_mode(0o666);
    #[cfg(unix)]
    builder.permissions(everybody);
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(target).map_err(|e| e.error)?;
    Ok(())
}

fn could_not(path: &Path, e: &io::Error) -> ApiError {
    let (code, hint) = match e.kind() {
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            (ErrorCode::ReadOnly, "choose a place that you may write to with -o")
        }
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            (ErrorCode::DiskFull, "make room, or choose another disk with -o")
        }
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => (ErrorCode::Io, "its folder is not there"),
        _ => (ErrorCode::Io, "choose another place with -o"),
    };
    ApiError::new(code, format!("{} could not be written: {}", path.display(), reason(e))).hint(hint)
}

/// What the temporary file's name would only confuse.
fn reason(e: &io::Error) -> String {
    match e.raw_os_error() {
        Some(code) => io::Error::from_raw_os_error(code).to_string(),
        None => e.kind().to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake::{Fake, Person, Ran};
    use serde_json::json;

    const ID: &str = "00000001-0000-4000-8000-000000000000";

    fn export(options: &[&str], person: Person) -> Ran {
        let line: Vec<&str> = ["session", "export", ID].iter().chain(options).copied().collect();
        let answer = json!({"file_name": "x.md", "text": "# Title\n\u{1b}[2Jtext"});
        Fake::new().answers("session.export", answer).run(&line, person)
    }

    #[test]
    fn a_document_goes_to_standard_output() {
        let ran = export(&["--format", "json"], Person::away());
        let params = json!({"id": ID, "format": "json", "no_tool_output": false, "keep_secrets": false});
        assert_eq!(ran.calls[0].1, params);
        assert_eq!(ran.out, "# Title\n\u{1b}[2Jtext\n");
    }

    #[test]
    fn on_a_terminal_a_document_does_not_move_the_cursor() {
        assert_eq!(export(&[], Person::says("")).out, "# Title\ntext\n");
    }

    #[test]
    fn a_file_is_replaced_whole() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("out.md");
        for _ in 0..2 {
            let ran = export(&["-o", path.to_str().unwrap()], Person::away());
            assert_eq!(
                (ran.code, fs::read_to_string(&path).unwrap()),
                (0, "# Title\n\u{1b}[2Jtext\n".into())
            );
        }
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    }

    #[test]
    fn several_go_into_a_folder_each_by_its_id() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("new/exports");
        let answer = json!({"file_name": "same-title.md", "text": "x", "secrets_removed": 1});
        let fake = || {
            Fake::new().answers("session.export", answer.clone()).answers(
                "session.list",
                json!({"sessions": [crate::fake::session(1), crate::fake::session(2)]}),
            )
        };
        let ran = fake()
            .run(&["session", "export", "--all", "-o", folder.to_str().unwrap(), "--json"], Person::away());
        assert_eq!(ran.code, 0, "{}", ran.err);
        let printed: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
        assert_eq!(printed["files"][1]["secrets_removed"], 1);
        let mut names: Vec<_> = fs::read_dir(&folder).unwrap().map(|e| e.unwrap().file_name()).collect();
        names.sort();
        assert_eq!(names, ["same-title-00000001.md", "same-title-00000002.md"]);
        assert_eq!(fake().run(&["session", "export", "--all"], Person::away()).code, 2);
        assert_eq!(fake().run(&["session", "export"], Person::away()).code, 2);
    }

    #[test]
    fn what_is_left_out_is_asked_for_and_told() {
        let answer = json!({"file_name": "x.md", "text": "x", "secrets_removed": 2});
        let ran = Fake::new()
            .answers("session.export", answer)
            .run(&["session", "export", ID, "--no-tool-output"], Person::away());
        assert_eq!(ran.calls[0].1["no_tool_output"], true);
        assert!(ran.err.contains("2 secrets were struck out"), "{}", ran.err);
        assert_eq!(export(&["--keep-secrets"], Person::away()).calls[0].1["keep_secrets"], true);
    }

    #[test]
    fn a_folder_is_not_overwritten() {
        let dir = tempfile::tempdir().unwrap();
        let ran = export(&["-o", dir.path().to_str().unwrap()], Person::away());
        assert_eq!(ran.code, 2);
        assert!(ran.err.contains("is a folder"), "{}", ran.err);
    }

    #[test]
    fn a_missing_folder_is_named() {
        let ran = export(&["-o", "/no/such/folder/x.md", "--json"], Person::away());
        assert_eq!(ran.code, 1);
        assert!(ran.err.contains("/no/such/folder/x.md") && ran.err.contains("\"io\""), "{}", ran.err);
    }

    #[test]
    #[cfg(unix)]
    fn a_device_is_written_to_and_a_full_disk_says_so() {
        assert_eq!(export(&["-o", "/dev/null"], Person::away()).code, 0);
        if Path::new("/dev/full").exists() {
            let ran = export(&["-o", "/dev/full"], Person::away());
            assert_eq!(ran.code, 1);
            assert!(ran.err.contains("No space left"), "{}", ran.err);
        }
    }

    #[test]
    #[cfg(unix)]
    fn a_link_is_followed_and_stays_a_link() {
        let dir = tempfile::tempdir().unwrap();
        let (file, link) = (dir.path().join("real.md"), dir.path().join("link.md"));
        tempfile::NamedTempFile::new_in(dir.path()).unwrap().persist(&file).unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        assert_eq!(export(&["-o", link.to_str().unwrap()], Person::away()).code, 0);
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert!(fs::read_to_string(&file).unwrap().starts_with("# Title"));
    }

    #[test]
    fn a_read_only_file_is_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("out.md");
        tempfile::NamedTempFile::new_in(dir.path()).unwrap().persist(&path).unwrap();
        let mut permissions = fs::metadata(&path).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&path, permissions).unwrap();
        let ran = export(&["-o", path.to_str().unwrap(), "--json"], Person::away());
        assert_eq!(ran.code, 1);
        assert!(ran.err.contains("\"read_only\""), "{}", ran.err);
    }
}
