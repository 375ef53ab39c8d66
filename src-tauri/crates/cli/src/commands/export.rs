//! `session export`: a document on standard output, or in a file of the person's choice.
//!
//! The file appears whole or not at all (a temporary file beside it, then a rename) and with the
//! permissions that any new file of the person gets: exporting is how a transcript is shared.

use super::{Context, session::one_of};
use crate::{args::ExportArgs, failure::Failure};
use bc_wire::{
    ApiError, ErrorCode,
    session::{ExportFormat, SessionExportParams},
};
use serde::Serialize;
use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

/// The result of an export into a file.
#[derive(Serialize)]
struct Written {
    /// The absolute path.
    path: String,
    /// Its size.
    bytes: usize,
}

pub(super) fn run(args: &ExportArgs, context: &mut Context<'_>) -> Result<(), Failure> {
    let id = one_of(&args.session.id, context)?.id;
    let exported = context.api.session_export(SessionExportParams { id, format: args.format })?;
    let text = ended(exported.text.clone());
    match args.output.as_deref() {
        Some(path) if path != Path::new("-") => {
            let path = write(path, text.as_bytes())?;
            let written = Written { path: path.display().to_string(), bytes: text.len() };
            context.print(&written, |written, _| format!("{}\n", bc_core::text::plain(&written.path)))
        }
        _ if context.json => context.print(&exported, |_, _| String::new()),
        // A file gets the bytes as they are; on a terminal nothing of them may move the cursor.
        _ => {
            let terminal = context.io.looks().width.is_some();
            let safe = terminal && args.format == ExportFormat::Md;
            let shown = if safe { bc_core::text::plain(&text) } else { text };
            Ok(context.io.out().write_all(shown.as_bytes())?)
        }
    }
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
        assert_eq!(ran.calls[0].1, json!({"id": ID, "format": "json"}));
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
