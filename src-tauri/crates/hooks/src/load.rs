//! Selects the hooks that may run now.

use crate::{
    command,
    inspect::{HooksFile, HooksFileContent, inspect},
    parse::Entry,
    places::{Places, Scope},
    trust::State,
    words::normal,
};
use bc_core::hooks::HookEvent;
use std::{path::PathBuf, sync::Arc};

/// A hook that may run, with the content that the user allowed.
#[derive(Debug, Clone)]
pub struct Hook {
    pub event: HookEvent,
    /// The path of the hooks file, before links are resolved.
    pub file: PathBuf,
    /// The command, as written in the file.
    pub command: String,
    pub(crate) entry: Entry,
    /// The hook's working folder, absolute.
    pub(crate) cwd: PathBuf,
    /// The content of the hooks file that the user allowed; `None` for the user's own hooks.
    pub(crate) allowed: Option<Arc<HooksFileContent>>,
}

/// The hooks that may run, and the reasons why others may not.
#[derive(Debug, Clone, Default)]
pub struct Loaded {
    /// The hooks that may run, in order of execution.
    pub hooks: Vec<Hook>,
    /// Messages for the user about files with content that is not allowed, and about problems of files.
    pub warnings: Vec<String>,
}

impl Loaded {
    /// The hooks of an event, in the order of execution.
    pub fn of(&self, event: HookEvent) -> Vec<Hook> {
        self.hooks.iter().filter(|hook| hook.event == event).cloned().collect()
    }
}

/// Reads all hooks files and selects the hooks that may run: the user's own hooks, and those of the
/// repository that the user has allowed.
pub fn load(places: &Places) -> Loaded {
    crate::private_copies::sweep(places.config.as_deref());
    let (files, trust) = inspect(places);
    let mut loaded = Loaded::default();
    loaded.warnings.extend(trust.err().map(|error| crate::inspect::chain(&error)));
    for seen in files {
        let name = seen.place.path.display().to_string();
        loaded.warnings.extend(seen.warnings.iter().map(|warning| format!("{name}: {warning}")));
        let Some(file) = &seen.file else { continue };
        match seen.state {
            State::Own | State::Trusted => loaded.hooks.extend(hooks(&seen, file)),
            State::Off | State::Refused => {}
            State::New if file.parsed.entries.is_empty() => {}
            State::New => loaded.warnings.push(format!(
                "{name} has hooks that you have not allowed; review them with `beads-console hooks list`"
            )),
            State::Changed => loaded.warnings.push(format!(
                "{name}, or a script of it, is not what you allowed; review the change with `beads-console hooks list`"
            )),
        }
    }
    loaded
}

fn hooks<'a>(seen: &'a HooksFile, file: &'a HooksFileContent) -> impl Iterator<Item = Hook> + 'a {
    let allowed = (seen.place.scope == Scope::Workspace).then(|| Arc::new(file.clone()));
    let folder = file.path.parent().map(PathBuf::from).unwrap_or_default();
    file.parsed.entries.iter().filter(|entry| entry.enabled).filter_map(move |entry| {
        Some(Hook {
            event: entry.event,
            file: seen.place.path.clone(),
            command: command::of(entry)?.to_owned(),
            cwd: normal(&folder.join(&entry.cwd)),
            entry: entry.clone(),
            allowed: allowed.clone(),
        })
    })
}
