//! Lists the hooks files, and the programs in git's settings, with the details that the user needs before
//! allowing them.

use super::places::places;
use crate::context::{Context, diffs::text_changes, errors::chain};
use bc_git::{Programs, Repo};
use bc_hooks::{HooksFile, HooksFileContent, Place, Places, Scope, State, Trust, inspect, workspace_allowed};
use bc_wire::hooks::*;
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

pub(crate) fn list(ctx: &Context) -> HookFiles {
    of(&places(&ctx.project))
}

pub(super) fn of(places: &Places) -> HookFiles {
    let (inspected, trust) = inspect(places);
    let warnings = trust.as_ref().err().map(|error| chain(error)).into_iter().collect();
    let trust = trust.unwrap_or_default();
    let files = places.all().into_iter().map(|place| {
        let inspected = inspected.iter().find(|inspected| inspected.place == place);
        inspected.map_or_else(|| absent(&place), |inspected| file(inspected, &trust))
    });
    let workspace_allowed = workspace_allowed(places.config.as_deref());
    let mut files: Vec<HookFile> = files.collect();
    files.extend(git_programs(places).iter().map(|programs| git(programs, &trust, places)));
    HookFiles { workspace_allowed, files, warnings }
}

fn absent(place: &Place) -> HookFile {
    let scope = match place.scope {
        Scope::User => HookScope::User,
        Scope::Workspace => HookScope::Workspace,
    };
    without_content(&place.path, scope, HookFileState::Absent)
}

fn without_content(path: &Path, scope: HookScope, state: HookFileState) -> HookFile {
    HookFile {
        path: path.display().to_string(),
        scope,
        state,
        fingerprint: None,
        text: None,
        hooks: vec![],
        scripts: vec![],
        change: String::new(),
        warnings: vec![],
    }
}

fn file(inspected: &HooksFile, trust: &Trust) -> HookFile {
    let state = match inspected.state {
        State::Own => HookFileState::Own,
        State::Trusted => HookFileState::Trusted,
        State::Off => HookFileState::Off,
        State::New => HookFileState::New,
        State::Changed => HookFileState::Changed,
        State::Refused => HookFileState::Refused,
    };
    let mut shown = HookFile { state, warnings: inspected.warnings.clone(), ..absent(&inspected.place) };
    if let Some(file) = &inspected.file {
        shown.fingerprint = Some(file.fingerprint.clone());
        shown.text = Some(String::from_utf8_lossy(&file.bytes).into_owned());
        shown.hooks = file.parsed.entries.iter().map(entry).collect();
        shown.scripts = scripts(file);
        if inspected.state == State::Changed {
            shown.change = changes(&file.texts(), &file.path, trust);
        }
    }
    shown
}

/// The programs in the repository's git settings; empty if git fails. They are checked again before git runs them.
pub(super) fn git_programs(places: &Places) -> Vec<Programs> {
    Repo::discover(&places.boundary).and_then(|repo| repo.programs()).unwrap_or_default()
}

fn git(programs: &Programs, trust: &Trust, places: &Places) -> HookFile {
    let shown = without_content(&programs.path, HookScope::Git, HookFileState::Refused);
    let found = match &programs.found {
        Ok(found) => found,
        Err(why) => return HookFile { warnings: vec![why.clone()], ..shown },
    };
    let script = |(path, (sha256, text)): (&PathBuf, &(String, String))| HookScript {
        path: path.display().to_string(),
        sha256: sha256.clone(),
        text: text.clone(),
    };
    let (state, change) = match found.state(places.config.as_deref()) {
        State::Trusted => (HookFileState::Trusted, String::new()),
        State::Changed => (HookFileState::Changed, changes(&found.texts(), &found.path, trust)),
        _ => (HookFileState::New, String::new()),
    };
    HookFile {
        state,
        change,
        fingerprint: Some(found.fingerprint.clone()),
        text: Some(found.text.clone()),
        scripts: found.scripts.iter().map(script).collect(),
        ..shown
    }
}

fn entry(entry: &bc_hooks::Entry) -> HookEntry {
    HookEntry {
        event: entry.event,
        bash: entry.bash.clone(),
        powershell: entry.powershell.clone(),
        cwd: entry.cwd.clone(),
        timeout_ms: u64::try_from(entry.timeout.as_millis()).unwrap_or(u64::MAX),
        env: entry.env.clone(),
        enabled: entry.enabled,
    }
}

fn scripts(file: &HooksFileContent) -> Vec<HookScript> {
    let texts = file.texts();
    let text = |path: &PathBuf| texts.get(path).cloned().unwrap_or_default();
    let script = |(path, sha256): (PathBuf, _)| HookScript {
        text: text(&path),
        path: path.display().to_string(),
        sha256,
    };
    file.scripts().into_iter().map(script).collect()
}

/// The differences between the allowed and the current content; empty if nothing was allowed.
fn changes(now: &BTreeMap<PathBuf, String>, path: &Path, trust: &Trust) -> String {
    trust.of(path).map(|approval| text_changes(&approval.texts, now)).unwrap_or_default()
}
