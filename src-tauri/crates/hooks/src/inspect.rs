//! Reads hooks files and reports their content, problems and permissions. No hook is run.

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

/// An existing hooks file, with its state.
#[derive(Debug, Clone)]
pub struct HooksFile {
    /// The file's path and owner.
    pub place: Place,
    /// Whether the file's hooks may run.
    pub state: State,
    /// The file's content; `None` if it was refused.
    pub file: Option<HooksFileContent>,
    pub warnings: Vec<String>,
}

/// A hooks file's content, and the scripts that its hooks name.
#[derive(Debug, Clone)]
pub struct HooksFileContent {
    /// The file's path with links resolved.
    pub path: PathBuf,
    /// The file's bytes, as read.
    pub bytes: Vec<u8>,
    pub parsed: Parsed,
    /// The digest of the file and its scripts.
    pub fingerprint: String,
    pub(crate) scripts: BTreeMap<PathBuf, Script>,
}

/// Returns all existing hooks files in order of execution, and the record of the user's permissions or the
/// error from reading it.
pub fn inspect(places: &Places) -> (Vec<HooksFile>, Result<Trust, TrustError>) {
    let trust = Trust::read(places.config.as_deref());
    let allowed = workspace_allowed(places.config.as_deref());
    let seen = places.all().into_iter().filter_map(|place| {
        let empty = Trust::default();
        inspect_place(place, places, trust.as_ref().unwrap_or(&empty), allowed)
    });
    (seen.collect(), trust)
}

fn inspect_place(place: Place, places: &Places, trust: &Trust, allowed: bool) -> Option<HooksFile> {
    match read_file(&place, places) {
        Ok(None) => None,
        Ok(Some(file)) => {
            let state = match place.scope {
                Scope::User => State::Own,
                Scope::Workspace => trust.state(&file.path, &file.fingerprint, allowed),
            };
            let warnings = file.parsed.warnings.clone();
            Some(HooksFile { place, state, file: Some(file), warnings })
        }
        Err(reason) => Some(HooksFile { place, state: State::Refused, file: None, warnings: vec![reason] }),
    }
}

/// Reads a hooks file and its scripts; `None` if the file does not exist. Returns the reason if the file is
/// refused.
fn read_file(place: &Place, places: &Places) -> Result<Option<HooksFileContent>, String> {
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
    Ok(Some(HooksFileContent { path, bytes, parsed, fingerprint, scripts }))
}

/// The scripts that the hooks of a file name, with their current content.
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

impl HooksFileContent {
    /// The permission for the file with exactly this content, to be stored if the user grants it.
    pub fn approval(&self, at: bc_core::Timestamp) -> Approval {
        let texts = self.scripts.values().map(|script| (script.path.as_path(), script.bytes.as_slice()));
        Approval::of(&self.path, &self.bytes, texts, &self.fingerprint, at)
    }

    /// The paths of the scripts that the file's hooks name, each with its SHA-256 digest.
    pub fn scripts(&self) -> Vec<(PathBuf, String)> {
        self.scripts.values().map(|script| (script.path.clone(), sha256(&script.bytes))).collect()
    }

    /// The current content of the file and its scripts by path, for a comparison with the allowed content.
    pub fn texts(&self) -> BTreeMap<PathBuf, String> {
        let own = (self.path.clone(), String::from_utf8_lossy(&self.bytes).into_owned());
        let scripts = self.scripts.values();
        let scripts = scripts.map(|s| (s.path.clone(), String::from_utf8_lossy(&s.bytes).into_owned()));
        scripts.chain([own]).collect()
    }
}

/// The error's message, followed by those of its causes that it does not already contain.
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
