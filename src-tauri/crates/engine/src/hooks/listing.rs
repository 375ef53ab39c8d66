//! Which hooks there are, with all that a person needs to decide about them.

use super::places;
use crate::{engine::Engine, errors::chain};
use bc_hooks::{Place, Places, Scope, Seen, SeenFile, State, Trust, diff, look, workspace_allowed};
use bc_wire::hooks::*;
use std::{collections::BTreeSet, path::PathBuf};

pub(crate) fn list(engine: &Engine) -> HookFiles {
    of(&places(&engine.project))
}

pub(super) fn of(places: &Places) -> HookFiles {
    let (seen, trust) = look(places);
    let warnings = trust.as_ref().err().map(|error| chain(error)).into_iter().collect();
    let trust = trust.unwrap_or_default();
    let files = places.all().into_iter().map(|place| {
        let seen = seen.iter().find(|seen| seen.place == place);
        seen.map_or_else(|| absent(&place), |seen| file(seen, &trust))
    });
    let workspace_allowed = workspace_allowed(places.config.as_deref());
    HookFiles { workspace_allowed, files: files.collect(), warnings }
}

fn absent(place: &Place) -> HookFile {
    HookFile {
        path: place.path.display().to_string(),
        scope: scope(place),
        state: HookFileState::Absent,
        fingerprint: None,
        text: None,
        hooks: vec![],
        scripts: vec![],
        change: String::new(),
        warnings: vec![],
    }
}

fn file(seen: &Seen, trust: &Trust) -> HookFile {
    let state = match seen.state {
        State::Own => HookFileState::Own,
        State::Trusted => HookFileState::Trusted,
        State::Off => HookFileState::Off,
        State::New => HookFileState::New,
        State::Changed => HookFileState::Changed,
        State::Refused => HookFileState::Refused,
    };
    let mut shown = HookFile { state, warnings: seen.warnings.clone(), ..absent(&seen.place) };
    if let Some(file) = &seen.file {
        shown.fingerprint = Some(file.fingerprint.clone());
        shown.text = Some(String::from_utf8_lossy(&file.bytes).into_owned());
        shown.hooks = file.parsed.entries.iter().map(entry).collect();
        shown.scripts = scripts(file);
        if seen.state == State::Changed {
            shown.change = change(file, trust);
        }
    }
    shown
}

fn scope(place: &Place) -> HookScope {
    match place.scope {
        Scope::User => HookScope::User,
        Scope::Workspace => HookScope::Workspace,
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

fn scripts(file: &SeenFile) -> Vec<HookScript> {
    let texts = file.texts();
    let text = |path: &PathBuf| texts.get(path).cloned().unwrap_or_default();
    let scripts = file.scripts().into_iter();
    scripts
        .map(|(path, sha256)| HookScript { text: text(&path), path: path.display().to_string(), sha256 })
        .collect()
}

/// What is not as it was allowed, file by file: also what is new, and what is gone.
fn change(file: &SeenFile, trust: &Trust) -> String {
    let Some(approval) = trust.of(&file.path) else { return String::new() };
    let now = file.texts();
    let paths: BTreeSet<&PathBuf> = now.keys().chain(approval.texts.keys()).collect();
    let of = |texts: &std::collections::BTreeMap<PathBuf, String>, path| {
        texts.get(path).cloned().unwrap_or_default()
    };
    let changes = paths
        .into_iter()
        .map(|path| diff(&path.display().to_string(), &of(&approval.texts, path), &of(&now, path)));
    changes.collect()
}
