//! `session export`: one document on standard output or in a file, or several in a folder.
//!
//! [`bc_app::save_as`] decides where a file may be written, and refuses to replace one without consent. The file
//! gets the default permissions of a new file, because an export is meant to be shared.

use super::{Context, context::agrees, session_lookup::resolve_sessions};
use crate::{args::ExportArgs, failure::Failure, io::Io};
use bc_app::Existing;
use bc_core::ids::SessionId;
use bc_wire::{
    ApiError, ErrorCode,
    session::{ExportFormat, Exported, SessionExportParams, SessionListParams},
};
use serde::Serialize;
use serde_json::json;
use std::path::{Path, PathBuf};

/// The result of an export into a file.
#[derive(Serialize)]
pub(super) struct Written {
    path: String,
    /// The size of the document in bytes.
    bytes: usize,
    /// The number of redacted secrets.
    secrets_removed: u32,
}

/// The options of an export.
#[derive(Clone, Copy)]
pub(super) struct ExportOptions {
    pub(super) format: ExportFormat,
    pub(super) no_tool_output: bool,
    pub(super) keep_secrets: bool,
    /// Whether to replace existing files.
    pub(super) force: bool,
}

pub(super) fn run(args: &ExportArgs, context: &mut Context<'_>) -> Result<(), Failure> {
    let options = ExportOptions {
        format: args.format,
        no_tool_output: args.no_tool_output,
        keep_secrets: args.keep_secrets,
        force: args.force,
    };
    let mut ids = resolve_sessions(&args.ids, context)?;
    if let ([id], false) = (ids.as_slice(), args.all) {
        return one(*id, options, args.output.as_deref(), context);
    }
    let Some(folder) = args.output.as_deref().filter(|path| *path != Path::new("-")) else {
        return Err(Failure::usage("several sessions need a folder: name it with -o"));
    };
    if args.all {
        let all = context.api.session_list(SessionListParams::default())?.sessions;
        ids = all.into_iter().map(|session| session.meta.id).collect();
    }
    let mut files = Vec::new();
    for id in ids {
        files.push(into_folder(id, options, folder, context)?);
    }
    context.print(&json!({ "files": files }), |_, _| {
        files.iter().map(|file| format!("{}\n", bc_core::text::plain(&file.path))).collect()
    })
}

fn exported(id: SessionId, options: ExportOptions, context: &Context<'_>) -> Result<Exported, ApiError> {
    let ExportOptions { format, no_tool_output, keep_secrets, .. } = options;
    context.api.session_export(SessionExportParams { id, format, no_tool_output, keep_secrets })
}

fn one(
    id: SessionId,
    options: ExportOptions,
    output: Option<&Path>,
    context: &mut Context<'_>,
) -> Result<(), Failure> {
    let mut exported = exported(id, options, context)?;
    // Take the text instead of copying it: a long session's text can be a gigabyte.
    let mut text = || ended(std::mem::take(&mut exported.text));
    match output {
        Some(path) if path != Path::new("-") => {
            let text = text();
            let written = written(path, &text, exported.secrets_removed, options.force, context)?;
            context.print(&written, |written, _| format!("{}\n", bc_core::text::plain(&written.path)))?;
        }
        _ if context.json => return context.print(&exported, |_, _| String::new()),
        // Markdown on a terminal is shown without control characters; all other output has the exact text.
        _ => {
            let text = text();
            let terminal = context.io.style().width.is_some();
            let safe = terminal && options.format == ExportFormat::Md;
            let shown = if safe { bc_core::text::plain(&text) } else { text };
            context.io.out().write_all(shown.as_bytes())?;
        }
    }
    match exported.secrets_removed {
        0 => Ok(()),
        1 => context.note("1 secret was redacted; --keep-secrets keeps it."),
        n => context.note(&format!("{n} secrets were redacted; --keep-secrets keeps them.")),
    }
}

/// Writes a session's document into this folder, which is created if missing. The file name contains the
/// session's short id, because several sessions can have the same title.
pub(super) fn into_folder(
    id: SessionId,
    options: ExportOptions,
    folder: &Path,
    context: &mut Context<'_>,
) -> Result<Written, Failure> {
    let folder = bc_app::folder_for_saving(folder)?;
    let exported = exported(id, options, context)?;
    let (stem, extension) = exported.file_name.rsplit_once('.').unwrap_or((&exported.file_name, "txt"));
    let path = folder.join(format!("{stem}-{}.{extension}", id.short()));
    written(&path, &ended(exported.text), exported.secrets_removed, options.force, context)
}

fn written(
    path: &Path,
    text: &str,
    secrets_removed: u32,
    force: bool,
    context: &mut Context<'_>,
) -> Result<Written, Failure> {
    let path = write(path, text.as_bytes(), force, context.json, context.io)?;
    Ok(Written { path: path.display().to_string(), bytes: text.len(), secrets_removed })
}

fn ended(mut text: String) -> String {
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

/// Writes the document and returns its path. Without `force`, asks on a terminal before replacing a file, and
/// fails elsewhere.
pub(super) fn write(
    path: &Path,
    bytes: &[u8],
    force: bool,
    json: bool,
    io: &mut dyn Io,
) -> Result<PathBuf, Failure> {
    let existing = if force { Existing::Replace } else { Existing::Keep };
    match bc_app::save_as(path, bytes, existing) {
        Err(refusal) if refusal.code == ErrorCode::ConfirmationNeeded => match agrees(refusal, json, io)? {
            true => Ok(bc_app::save_as(path, bytes, Existing::Replace)?),
            false => Err(ApiError::new(ErrorCode::ConfirmationNeeded, "nothing was written").into()),
        },
        other => Ok(other?),
    }
}

#[cfg(test)]
mod tests {
    #[cfg(unix)]
    use super::*;
    use crate::test_doubles::{FakeProject, FakeUser, Ran};
    use serde_json::json;
    use std::fs;

    const ID: &str = "00000001-0000-4000-8000-000000000000";

    fn export(options: &[&str], user: FakeUser) -> Ran {
        let line: Vec<&str> = ["session", "export", ID].iter().chain(options).copied().collect();
        let answer = json!({"file_name": "x.md", "text": "# Title\n\u{1b}[2Jtext"});
        FakeProject::new().answers("session.export", answer).run(&line, user)
    }

    #[test]
    fn export_defaults_to_stdout() {
        let ran = export(&["--format", "json"], FakeUser::away());
        let params = json!({"id": ID, "format": "json", "no_tool_output": false, "keep_secrets": false});
        assert_eq!(ran.calls[0].1, params);
        assert_eq!(ran.out, "# Title\n\u{1b}[2Jtext\n");
    }

    #[test]
    fn export_to_a_terminal_has_no_control_characters() {
        assert_eq!(export(&[], FakeUser::says("")).out, "# Title\ntext\n");
    }

    #[test]
    fn export_replaces_files_only_with_consent() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("out.md");
        let to = path.to_str().unwrap();
        let text = || fs::read_to_string(&path).unwrap();
        assert_eq!(export(&["-o", to], FakeUser::away()).code, 0);
        assert_eq!(text(), "# Title\n\u{1b}[2Jtext\n");
        let scribble = || fs::File::options().write(true).open(&path).unwrap().set_len(0).unwrap();
        scribble();
        let ran = export(&["-o", to], FakeUser::away());
        assert_eq!((ran.code, text().as_str()), (4, ""));
        assert!(ran.err.contains("--force"), "{}", ran.err);
        assert_eq!((export(&["-o", to], FakeUser::says("n\n")).code, text().as_str()), (4, ""));
        assert_eq!(export(&["-o", to], FakeUser::says("y\n")).code, 0);
        assert!(text().starts_with("# Title"));
        scribble();
        assert_eq!(export(&["-o", to, "--force"], FakeUser::away()).code, 0);
        assert!(text().starts_with("# Title"));
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    }

    #[test]
    fn several_exports_go_into_a_folder() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("new/exports");
        let answer = json!({"file_name": "same-title.md", "text": "x", "secrets_removed": 1});
        let fake = || {
            FakeProject::new().answers("session.export", answer.clone()).answers(
                "session.list",
                json!({"sessions": [crate::test_doubles::session(1), crate::test_doubles::session(2)]}),
            )
        };
        let ran = fake()
            .run(&["session", "export", "--all", "-o", folder.to_str().unwrap(), "--json"], FakeUser::away());
        assert_eq!(ran.code, 0, "{}", ran.err);
        let printed: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
        assert_eq!(printed["files"][1]["secrets_removed"], 1);
        let mut names: Vec<_> = fs::read_dir(&folder).unwrap().map(|e| e.unwrap().file_name()).collect();
        names.sort();
        assert_eq!(names, ["same-title-00000001.md", "same-title-00000002.md"]);
        assert_eq!(fake().run(&["session", "export", "--all"], FakeUser::away()).code, 2);
        assert_eq!(fake().run(&["session", "export"], FakeUser::away()).code, 2);
    }

    #[test]
    fn export_options_are_passed_and_reported() {
        let answer = json!({"file_name": "x.md", "text": "x", "secrets_removed": 2});
        let ran = FakeProject::new()
            .answers("session.export", answer)
            .run(&["session", "export", ID, "--no-tool-output"], FakeUser::away());
        assert_eq!(ran.calls[0].1["no_tool_output"], true);
        assert!(ran.err.contains("2 secrets were redacted"), "{}", ran.err);
        assert_eq!(export(&["--keep-secrets"], FakeUser::away()).calls[0].1["keep_secrets"], true);
    }

    #[test]
    fn export_does_not_replace_a_folder() {
        let dir = tempfile::tempdir().unwrap();
        let ran = export(&["-o", dir.path().to_str().unwrap()], FakeUser::away());
        assert_eq!(ran.code, 2);
        assert!(ran.err.contains("is a folder"), "{}", ran.err);
    }

    #[test]
    fn export_into_a_missing_folder_names_it() {
        let ran = export(&["-o", "/no/such/folder/x.md", "--json"], FakeUser::away());
        assert_eq!(ran.code, 1);
        assert!(ran.err.contains("/no/such/folder/x.md") && ran.err.contains("\"io\""), "{}", ran.err);
    }

    #[test]
    #[cfg(unix)]
    fn export_to_a_full_device_reports_disk_full() {
        assert_eq!(export(&["-o", "/dev/null"], FakeUser::away()).code, 0);
        if Path::new("/dev/full").exists() {
            let ran = export(&["-o", "/dev/full"], FakeUser::away());
            assert_eq!(ran.code, 1);
            assert!(ran.err.contains("No space left"), "{}", ran.err);
        }
    }

    #[test]
    #[cfg(unix)]
    fn export_refuses_links_and_the_git_folder_even_with_force() {
        let dir = tempfile::tempdir().unwrap();
        let (file, link, git) =
            (dir.path().join("real.md"), dir.path().join("link.md"), dir.path().join(".git"));
        tempfile::NamedTempFile::new_in(dir.path()).unwrap().persist(&file).unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        fs::create_dir(&git).unwrap();
        for place in [&link, &git.join("config")] {
            let ran = export(&["-o", place.to_str().unwrap(), "--force", "--json"], FakeUser::away());
            assert_eq!(ran.code, 4, "{}", ran.err);
            assert!(ran.err.contains("file_refused"), "{}", ran.err);
        }
        assert_eq!(fs::read_to_string(&file).unwrap(), "");
    }

    #[test]
    fn export_keeps_read_only_files() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("out.md");
        tempfile::NamedTempFile::new_in(dir.path()).unwrap().persist(&path).unwrap();
        let mut permissions = fs::metadata(&path).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&path, permissions).unwrap();
        let ran = export(&["-o", path.to_str().unwrap(), "--force", "--json"], FakeUser::away());
        assert_eq!(ran.code, 1);
        assert!(ran.err.contains("\"read_only\""), "{}", ran.err);
    }
}
