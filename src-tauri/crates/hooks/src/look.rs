//! Looking at hooks files: what is in them, what is wrong with them, whether they may run. Nothing is
//! run by it.

use crate::{
    command,
    parse::{Parsed, parse},
    places::{Place, Places, Scope},
    read,
    scripts::{Script, ScriptError, fingerprint, scripts, sha256},
    trust::{Approval, State, Trust, TrustError, workspace_allowed},
    words::normal,
};
use std::{
    collections::BTreeMap,
    error::Error,
    path::{Path, PathBuf},
};

/// A file that is there.
#[derive(Debug, Clone)]
pub struct Seen {
    /// Where.
    pub place: Place,
    /// Whether it may run.
    pub state: State,
    /// Its content, where it could be read.
    pub file: Option<SeenFile>,
    /// What is wrong with it, for people.
    pub warnings: Vec<String>,
}

/// A file's content, and what it names.
#[derive(Debug, Clone)]
pub struct SeenFile {
    /// Its path once links are followed.
    pub path: PathBuf,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Its hooks.
    pub parsed: Parsed,
    /// One digest of it and of its scripts.
    pub fingerprint: String,
    pub(crate) scripts: BTreeMap<PathBuf, Script>,
}

/// Every hooks file that is there, in the order in which hooks run, and what the person allowed.
pub fn look(places: &Places) -> (Vec<Seen>, Result<Trust, TrustError>) {
    let trust = Trust::read(places.config.as_deref());
    let allowed = workspace_allowed(places.config.as_deref());
    let seen = places.all().into_iter().filter_map(|place| {
        let empty = Trust::default();
        seen(place, places, trust.as_ref().unwrap_or(&empty), allowed)
    });
    (seen.collect(), trust)
}

fn seen(place: Place, places: &Places, trust: &Trust, allowed: bool) -> Option<Seen> {
    match look_at(&place, places) {
        Ok(None) => None,
        Ok(Some(file)) => {
            let state = match place.scope {
                Scope::User => State::Own,
                Scope::Workspace => trust.state(&file.path, &file.fingerprint, allowed),
            };
            let warnings = file.parsed.warnings.clone();
            Some(Seen { place, state, file: Some(file), warnings })
        }
        Err(reason) => Some(Seen { place, state: State::Refused, file: None, warnings: vec![reason] }),
    }
}

/// A file with what it names; `None` where there is none.
fn look_at(place: &Place, places: &Places) -> Result<Option<SeenFile>, String> {
    let boundary = (place.scope == Scope::Workspace).then_some(places.boundary.as_path());
    let Some((path, bytes)) = read::read(&place.path, boundary).map_err(|e| chain(&e))? else {
        return Ok(None);
    };
    let parsed = parse(&bytes).map_err(|e| chain(&e))?;
    let scripts = match place.scope {
        Scope::User => BTreeMap::new(),
        Scope::Workspace => scripts_of(&path, &parsed, &places.boundary).map_err(|e| chain(&e))?,
    };
    let fingerprint = fingerprint(&bytes, &scripts, &places.boundary);
    Ok(Some(SeenFile { path, bytes, parsed, fingerprint, scripts }))
}

/// What the hooks of a file name, as it is now.
pub(crate) fn scripts_of(
    file: &Path,
    parsed: &Parsed,
    boundary: &Path,
) -> Result<BTreeMap<PathBuf, Script>, ScriptError> {
    let folder = file.parent().unwrap_or(boundary);
    let commands: Vec<(&str, PathBuf)> = parsed
        .entries
        .iter()
        .filter_map(|entry| Some((command::of(entry)?, normal(&folder.join(&entry.cwd)))))
        .collect();
    scripts(commands.iter().map(|(command, cwd)| (*command, cwd.as_path())), boundary)
}

impl SeenFile {
    /// What the person allows when they allow this file as it is here.
    pub fn approval(&self, at: bc_core::Timestamp) -> Approval {
        let texts = self.scripts.values().map(|script| (script.path.as_path(), script.bytes.as_slice()));
        Approval::of(&self.path, &self.bytes, texts, &self.fingerprint, at)
    }

    /// Its scripts, each with the SHA-256 of its content.
    pub fn scripts(&self) -> Vec<(PathBuf, String)> {
        self.scripts.values().map(|script| (script.path.clone(), sha256(&script.bytes))).collect()
    }

    /// What it and its scripts say now, for comparing with what was allowed.
    pub fn texts(&self) -> BTreeMap<PathBuf, String> {
        let own = (self.path.clone(), String::from_utf8_lossy(&self.bytes).into_owned());
        let scripts = self.scripts.values();
        let scripts = scripts.map(|s| (s.path.clone(), String::from_utf8_lossy(&s.bytes).into_owned()));
        scripts.chain([own]).collect()
    }
}

/// An error and its sources in one line.
pub(crate) fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let said = cause.to_string();
        if !text.contains(&said) {
            text = format!("{text}: {said}");
        }
        source = cause.source();
    }
    text
}
