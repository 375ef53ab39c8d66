//! What the person decides about hooks, and what they write.

use super::{listing, places};
use crate::{
    engine::{Engine, now},
    errors::{chain, file_error},
};
use bc_hooks::{Places, Scope, State, Trust, TrustError, allow_workspace, look, parse, workspace_switch};
use bc_store::file;
use bc_wire::{ApiError, ErrorCode, hooks::*};
use std::path::{Path, PathBuf};

/// Turns the switch for all workspaces.
pub(crate) fn allow(engine: &Engine, params: &HookAllowParams) -> Result<HookFiles, ApiError> {
    let places = places(&engine.project);
    allow_workspace(places.config.as_deref(), params.workspace).map_err(trust_error)?;
    Ok(listing::of(&places))
}

/// Allows a file as it was shown, or takes that back. Who allows the first one of all wants workspace
/// hooks to run; a switch that the person turned off stays off.
pub(crate) fn trust(engine: &Engine, params: &HookTrustParams) -> Result<HookFiles, ApiError> {
    let places = places(&engine.project);
    let config = places.config.as_deref();
    let path = known(&places, &params.path)?;
    let known = Trust::read(config).map_err(trust_error)?;
    if !params.trusted {
        known.withdraw(config, &path).map_err(trust_error)?;
        return Ok(listing::of(&places));
    }
    let (seen, _) = look(&places);
    let seen = seen.into_iter().find(|seen| seen.place.path == path).ok_or_else(|| absent(&path))?;
    if seen.place.scope == Scope::User {
        return Err(ApiError::new(ErrorCode::Usage, "your own hooks need no leave"));
    }
    let file = seen.file.ok_or_else(|| {
        let text = format!("the hooks of {} cannot be allowed: {}", path.display(), seen.warnings.join("; "));
        ApiError::new(ErrorCode::Usage, text).hint("mend the file first")
    })?;
    if params.fingerprint.as_deref() != Some(file.fingerprint.as_str()) {
        return Err(ApiError::new(
            ErrorCode::ConfirmationNeeded,
            format!("{} or a script of it is not what was shown", path.display()),
        )
        .hint("look at it again, and allow what is there now"));
    }
    known.allow(config, file.approval(now())).map_err(trust_error)?;
    if workspace_switch(config).is_none() {
        allow_workspace(config, true).map_err(trust_error)?;
    }
    Ok(listing::of(&places))
}

/// Writes a file. What the person wrote here is what they allow, where they had allowed it before.
pub(crate) fn save(engine: &Engine, params: &HookSaveParams) -> Result<HookFiles, ApiError> {
    let places = places(&engine.project);
    let path = known(&places, &params.path)?;
    parse(params.text.as_bytes()).map_err(|error| {
        let text = format!("{} was not saved: {}", path.display(), chain(&error));
        ApiError::new(ErrorCode::Usage, text)
    })?;
    let before = look(&places).0.into_iter().find(|seen| seen.place.path == path);
    let shown = before.as_ref().and_then(|seen| Some(seen.file.as_ref()?.fingerprint.clone()));
    if shown != params.fingerprint {
        let text = format!("{} was changed meanwhile", path.display());
        return Err(
            ApiError::new(ErrorCode::ConfirmationNeeded, text).hint("look at it again before you save")
        );
    }
    write(&places, &path, params.text.as_bytes())?;
    let allowed = before.is_some_and(|seen| matches!(seen.state, State::Trusted | State::Off));
    let after = look(&places).0.into_iter().find(|seen| seen.place.path == path);
    if let Some(file) =
        after.and_then(|seen| seen.file).filter(|file| allowed && file.bytes == params.text.as_bytes())
    {
        let config = places.config.as_deref();
        Trust::read(config)
            .and_then(|trust| trust.allow(config, file.approval(now())))
            .map_err(trust_error)?;
    }
    Ok(listing::of(&places))
}

/// Replaces the file, never through a link that leads elsewhere.
fn write(places: &Places, path: &Path, bytes: &[u8]) -> Result<(), ApiError> {
    let folder = path.parent().unwrap_or(&places.root);
    let outside = |folder: &Path| {
        let resolved = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        let own = places.config.as_ref().is_some_and(|config| folder == config);
        !own && !resolved.starts_with(&places.boundary)
    };
    let there = folder.ancestors().find(|folder| folder.exists()).unwrap_or(folder);
    if outside(there) || path.is_symlink() {
        let text = format!("{} is a link; it is not written through", path.display());
        return Err(ApiError::new(ErrorCode::Usage, text).hint("replace the link by a file first"));
    }
    file::create_dir(folder).map_err(file_error)?;
    file::replace(path, bytes).map_err(file_error)
}

/// The place of this path: nothing else is written or allowed.
fn known(places: &Places, path: &str) -> Result<PathBuf, ApiError> {
    let found = places.all().into_iter().find(|place| place.path == Path::new(path));
    found.map(|place| place.path).ok_or_else(|| {
        let text = format!("{path} is no place for hooks");
        ApiError::new(ErrorCode::Usage, text).hint("`beads-console hooks list` shows the places")
    })
}

fn absent(path: &Path) -> ApiError {
    ApiError::new(ErrorCode::Usage, format!("there is no {}", path.display()))
}

fn trust_error(error: TrustError) -> ApiError {
    match error {
        TrustError::File(error) => file_error(error),
        error => ApiError::new(ErrorCode::Io, chain(&error)),
    }
}
