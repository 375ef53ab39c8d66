//! The hooks that may run, as a session takes them at its start.

use crate::{
    command,
    look::{Seen, SeenFile, look},
    parse::Entry,
    places::{Places, Scope},
    trust::State,
    words::normal,
};
use bc_core::hooks::HookEvent;
use std::{path::PathBuf, sync::Arc};

/// One hook, ready to run.
#[derive(Debug, Clone)]
pub struct Hook {
    /// What for.
    pub event: HookEvent,
    /// The file that it is in, as it is named.
    pub file: PathBuf,
    /// The command, as it stands there.
    pub command: String,
    pub(crate) entry: Entry,
    /// Its working folder.
    pub(crate) cwd: PathBuf,
    /// What it was allowed with; `None` for the person's own.
    pub(crate) allowed: Option<Arc<SeenFile>>,
}

/// What there is.
#[derive(Debug, Clone, Default)]
pub struct Loaded {
    /// The hooks that may run, in the order in which they do.
    pub hooks: Vec<Hook>,
    /// What may not, and what was wrong with the files, for people.
    pub warnings: Vec<String>,
}

impl Loaded {
    /// The hooks of an event, in order.
    pub fn of(&self, event: HookEvent) -> Vec<Hook> {
        self.hooks.iter().filter(|hook| hook.event == event).cloned().collect()
    }
}

/// Reads all files and takes what the person allowed.
pub fn load(places: &Places) -> Loaded {
    crate::run::sweep(places.config.as_deref());
    let (files, trust) = look(places);
    let mut loaded = Loaded::default();
    loaded.warnings.extend(trust.err().map(|error| crate::look::chain(&error)));
    for seen in files {
        let name = seen.place.path.display().to_string();
        loaded.warnings.extend(seen.warnings.iter().map(|warning| format!("{name}: {warning}")));
        let Some(file) = &seen.file else { continue };
        match seen.state {
            State::Own | State::Trusted => loaded.hooks.extend(hooks(&seen, file)),
            State::Off => {}
            State::New if file.parsed.entries.is_empty() => {}
            State::New => loaded.warnings.push(format!(
                "{name} has hooks that you have not allowed; look at them with `beads-console hooks list`"
            )),
            State::Changed => loaded.warnings.push(format!(
                "{name}, or a script of it, is not what you allowed; look at the change with `beads-console hooks list`"
            )),
            State::Refused => {}
        }
    }
    loaded
}

fn hooks<'a>(seen: &'a Seen, file: &'a SeenFile) -> impl Iterator<Item = Hook> + 'a {
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
