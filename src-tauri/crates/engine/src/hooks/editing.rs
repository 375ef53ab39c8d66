//! The user's changes to lifecycle hooks: permissions, and contents of hooks files.

use super::listing;
use crate::context::{
    errors::{chain, file_error},
    now,
    paths::canonical_or_same,
};
use bc_hooks::{
    HooksFile, Places, Scope, State, Trust, TrustError, allow_workspace, inspect, parse, workspace_switch,
};
use bc_store::file;
use bc_wire::{ApiError, ErrorCode, hooks::*};
use std::path::{Path, PathBuf};

pub(crate) fn allow(places: &Places, params: &HookAllowParams) -> Result<HookFiles, ApiError> {
    allow_workspace(places.config.as_deref(), params.workspace).map_err(trust_error)?;
    Ok(listing::of(places))
}

/// Allows a hooks file, or the programs in the repository's git settings, with exactly the shown content, or
/// revokes the permission. The first allowed hooks file also turns on the setting for repository hooks,
/// unless the user has turned it off.
pub(crate) fn trust(places: &Places, params: &HookTrustParams) -> Result<HookFiles, ApiError> {
    let config = places.config.as_deref();
    let of_git = listing::git_programs(places);
    let programs = of_git.iter().find(|found| found.path == Path::new(&params.path));
    let path = match programs {
        Some(programs) => programs.path.clone(),
        None => hooks_path(places, &params.path)?,
    };
    let known = Trust::read(config).map_err(trust_error)?;
    if !params.trusted {
        known.withdraw(config, &path).map_err(trust_error)?;
    } else if let Some(programs) = programs {
        allow_git(known, config, programs, params)?;
    } else {
        allow_file(known, places, &path, params)?;
    }
    Ok(listing::of(places))
}

/// Allows the hooks file with exactly the shown content.
fn allow_file(known: Trust, places: &Places, path: &Path, params: &HookTrustParams) -> Result<(), ApiError> {
    let config = places.config.as_deref();
    let absent = || ApiError::new(ErrorCode::Usage, format!("{} does not exist", path.display()));
    let inspected = inspected(places, path).ok_or_else(absent)?;
    if inspected.place.scope == Scope::User {
        return Err(ApiError::new(ErrorCode::Usage, "your own hooks need no permission"));
    }
    let file = inspected.file.ok_or_else(|| {
        let text =
            format!("the hooks of {} cannot be allowed: {}", path.display(), inspected.warnings.join("; "));
        ApiError::new(ErrorCode::Usage, text).hint("fix the file first")
    })?;
    if params.fingerprint.as_deref() != Some(file.fingerprint.as_str()) {
        return Err(ApiError::new(
            ErrorCode::ConfirmationNeeded,
            format!("{} or one of its scripts has changed since it was shown", path.display()),
        )
        .hint("review it again, and allow the current content"));
    }
    known.allow(config, file.approval(now())).map_err(trust_error)?;
    if workspace_switch(config).is_none() {
        allow_workspace(config, true).map_err(trust_error)?;
    }
    Ok(())
}

/// Allows the programs in the repository's git settings.
fn allow_git(
    known: Trust,
    config: Option<&Path>,
    programs: &bc_git::Programs,
    params: &HookTrustParams,
) -> Result<(), ApiError> {
    let path = programs.path.display();
    let found = programs.found.as_ref().map_err(|why| {
        let text = format!("the programs in {path} cannot be allowed: {why}");
        ApiError::new(ErrorCode::Usage, text).hint("remove the setting, or the link, first")
    })?;
    if params.fingerprint.as_ref() != Some(&found.fingerprint) {
        let text = format!("the programs in {path} have changed since they were shown");
        return Err(ApiError::new(ErrorCode::ConfirmationNeeded, text)
            .hint("review them again, and allow the current ones"));
    }
    known.allow(config, found.approval(now())).map_err(trust_error)
}

/// The hooks file at this path; `None` if it does not exist.
fn inspected(places: &Places, path: &Path) -> Option<HooksFile> {
    inspect(places).0.into_iter().find(|inspected| inspected.place.path == path)
}

/// Writes a hooks file. If the file was allowed before, its new content is allowed as well.
pub(crate) fn save(places: &Places, params: &HookSaveParams) -> Result<HookFiles, ApiError> {
    let path = hooks_path(places, &params.path)?;
    parse(params.text.as_bytes()).map_err(|error| {
        let text = format!("{} was not saved: {}", path.display(), chain(&error));
        ApiError::new(ErrorCode::Usage, text)
    })?;
    let before = inspected(places, &path);
    let shown = before.as_ref().and_then(|inspected| Some(inspected.file.as_ref()?.fingerprint.clone()));
    if shown != params.fingerprint {
        let text = format!("{} was changed by another program", path.display());
        return Err(
            ApiError::new(ErrorCode::ConfirmationNeeded, text).hint("review it again before you save")
        );
    }
    write(places, &path, params.text.as_bytes())?;
    let allowed = before.is_some_and(|inspected| matches!(inspected.state, State::Trusted | State::Off));
    let after = inspected(places, &path).and_then(|inspected| inspected.file);
    if let Some(file) = after.filter(|file| allowed && file.bytes == params.text.as_bytes()) {
        let config = places.config.as_deref();
        Trust::read(config)
            .and_then(|trust| trust.allow(config, file.approval(now())))
            .map_err(trust_error)?;
    }
    Ok(listing::of(places))
}

/// Replaces the file. Never replaces a link, and never writes outside the repository and the user's settings
/// folder.
fn write(places: &Places, path: &Path, bytes: &[u8]) -> Result<(), ApiError> {
    let folder = path.parent().unwrap_or(&places.root);
    // The user's settings folder may not exist yet.
    let is_users = places.config.as_deref() == Some(folder);
    let existing = folder.ancestors().find(|folder| folder.exists()).unwrap_or(folder);
    let is_outside = !is_users && !canonical_or_same(existing).starts_with(&places.boundary);
    if is_outside || path.is_symlink() {
        let text = format!("{} is a link, and links are not written through", path.display());
        return Err(ApiError::new(ErrorCode::Usage, text).hint("replace the link with a file first"));
    }
    file::create_dir(folder).map_err(file_error)?;
    file::replace(path, bytes).map_err(file_error)
}

/// Returns the path if it is a location for a hooks file; other files cannot be written.
fn hooks_path(places: &Places, path: &str) -> Result<PathBuf, ApiError> {
    let found = places.all().into_iter().find(|place| place.path == Path::new(path));
    found.map(|place| place.path).ok_or_else(|| {
        let text = format!("{path} is not a location for hooks");
        ApiError::new(ErrorCode::Usage, text).hint("`beads-console hooks list` shows the locations")
    })
}

fn trust_error(error: TrustError) -> ApiError {
    match error {
        TrustError::File(error) => file_error(error),
        error => ApiError::new(ErrorCode::Io, chain(&error)),
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use tempfile::TempDir;

    const FILE: &str = r#"{"version":1,"hooks":{"sessionEnd":[{"type":"command","bash":"./x.sh"}]}}"#;

    fn project() -> (TempDir, Places) {
        let folder = tempfile::tempdir().unwrap();
        let base = folder.path().canonicalize().map(bc_core::paths::plain).unwrap();
        let root = base.join("repo");
        file::create_dir(&root).unwrap();
        let places = Places { config: Some(base.join("config")), root: root.clone(), boundary: root };
        (folder, places)
    }

    fn shown(files: &HookFiles, name: &str) -> HookFile {
        files.files.iter().find(|file| file.path.ends_with(name)).unwrap().clone()
    }

    fn saving(
        places: &Places,
        name: &str,
        text: &str,
        fingerprint: Option<String>,
    ) -> Result<HookFile, ApiError> {
        let path = places.root.join(name).display().to_string();
        save(places, &HookSaveParams { path, text: text.to_owned(), fingerprint })
            .map(|files| shown(&files, name))
    }

    fn trusting(places: &Places, file: &HookFile) -> Result<HookFile, ApiError> {
        let params =
            HookTrustParams { path: file.path.clone(), trusted: true, fingerprint: file.fingerprint.clone() };
        trust(places, &params).map(|files| shown(&files, "hooks/hooks.json"))
    }

    #[test]
    fn only_hooks_files_are_written_and_an_allowed_file_stays_allowed() {
        let (_folder, places) = project();
        let name = ".github/hooks/hooks.json";
        let new = saving(&places, name, FILE, None).unwrap();
        assert_eq!((new.state, new.hooks.len()), (HookFileState::New, 1));
        let trusted = trusting(&places, &new).unwrap();
        assert_eq!(trusted.state, HookFileState::Trusted, "the first permission turns the switch on");
        let text = FILE.replace("./x.sh", "true");
        let saved = saving(&places, name, &text, trusted.fingerprint.clone()).unwrap();
        assert_eq!((saved.state, saved.text.as_deref()), (HookFileState::Trusted, Some(text.as_str())));
        let stale = saving(&places, name, FILE, trusted.fingerprint).unwrap_err();
        assert_eq!(stale.code, ErrorCode::ConfirmationNeeded);
        for (path, text) in [("elsewhere.json", FILE), (name, "{ // no\n}")] {
            assert_eq!(
                saving(&places, path, text, saved.fingerprint.clone()).unwrap_err().code,
                ErrorCode::Usage
            );
        }
    }

    #[test]
    fn the_users_first_hooks_are_saved_in_a_new_settings_folder() {
        let (_folder, places) = project();
        let path = places.all()[0].path.display().to_string();
        assert_eq!(saving(&places, &path, FILE, None).unwrap().hooks.len(), 1);
    }

    #[test]
    fn only_the_shown_content_is_allowed_and_disabled_hooks_stay_disabled() {
        let (_folder, places) = project();
        let new = saving(&places, ".github/hooks/hooks.json", FILE, None).unwrap();
        allow(&places, &HookAllowParams { workspace: false }).unwrap();
        file::replace(&places.root.join(".github/hooks/x.sh"), b"echo").unwrap();
        assert_eq!(trusting(&places, &new).unwrap_err().code, ErrorCode::ConfirmationNeeded);
        let now = shown(&listing::of(&places), "hooks/hooks.json");
        assert_eq!(now.scripts.len(), 1);
        assert_eq!(trusting(&places, &now).unwrap().state, HookFileState::Off);
    }

    #[test]
    fn nothing_is_written_through_a_link() {
        let (folder, places) = project();
        let outside = folder.path().join("outside");
        file::create_dir(&outside).unwrap();
        std::os::unix::fs::symlink(&outside, places.root.join(".github")).unwrap();
        assert_eq!(saving(&places, ".github/hooks.json", FILE, None).unwrap_err().code, ErrorCode::Usage);
        assert_eq!(std::fs::read_dir(&outside).unwrap().count(), 0);
    }
}
