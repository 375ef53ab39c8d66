//! Entity files: their paths, reading, and compare-and-replace writes.

use crate::{FleetError, State};
use bc_core::fleet::{AgentIdentity, Convoy, HookState, MergeRequest, WorkItem, file_text};
use bc_store::{
    FileError,
    file::{self, Refusal},
    lock::FileLock,
    repository::{self, limits},
};
use serde::{Serialize, de::DeserializeOwned};
use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

/// The time limit for taking the lock.
const WAIT: Duration = Duration::from_secs(10);

/// The maximum number of attempts while programs that do not use our lock keep changing the file.
const TRIES: usize = 50;

/// A kind of entity, named after its folder. `Console` is for the files that only this program uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Agents,
    Hooks,
    Work,
    Convoys,
    MergeQueue,
    Console,
}

impl Kind {
    fn folder(self) -> &'static str {
        match self {
            Kind::Agents => "agents",
            Kind::Hooks => "hooks",
            Kind::Work => "work",
            Kind::Convoys => "convoys",
            Kind::MergeQueue => "merge-queue",
            Kind::Console => "console",
        }
    }
}

/// An entity that is stored in its own file, under its own name.
pub(crate) trait Entity: DeserializeOwned {
    fn name(&self) -> &str;
}

impl Entity for AgentIdentity {
    fn name(&self) -> &str {
        self.id.as_str()
    }
}

impl Entity for HookState {
    fn name(&self) -> &str {
        self.agent_id.as_str()
    }
}

impl Entity for WorkItem {
    fn name(&self) -> &str {
        self.bead_id.as_str()
    }
}

impl Entity for Convoy {
    fn name(&self) -> &str {
        self.id.as_str()
    }
}

impl Entity for MergeRequest {
    fn name(&self) -> &str {
        self.id.as_str()
    }
}

/// The result of reading and parsing a file.
pub(crate) enum Found<T> {
    Nothing,
    Corrupt(String),
    There(T),
}

/// A file's contents at the time of reading. A write compares the bytes to detect concurrent changes.
struct Seen<T> {
    bytes: Option<Vec<u8>>,
    found: Found<T>,
}

/// The intended state of an entity, and the write that produces it, if one is needed.
pub(crate) struct Planned<T> {
    pub(crate) value: T,
    pub(crate) write: Option<Write>,
}

/// A file to write, with its expected previous content (`None` if the file must not exist).
pub(crate) struct Write {
    path: PathBuf,
    old: Option<Vec<u8>>,
    text: String,
}

/// Reads a state file. The state's folder is in the repository, and a commit could contain anything, so links
/// out of the repository, pipes and huge files are refused.
fn read(path: &Path) -> Result<Option<Vec<u8>>, FileError> {
    repository::read(path, limits::RECORD)
}

fn seen<T: DeserializeOwned>(path: &Path) -> Result<Seen<T>, FleetError> {
    let bytes = match read(path) {
        Ok(bytes) => bytes,
        // A refused file, such as a link out of the repository, must not make the others unreadable.
        Err(error) => match Refusal::of(error.io()) {
            Some(refusal) => return Ok(Seen { bytes: None, found: Found::Corrupt(refusal.to_string()) }),
            None => return Err(error.into()),
        },
    };
    let found = match bytes.as_deref().map(serde_json::from_slice) {
        None => Found::Nothing,
        Some(Ok(value)) => Found::There(value),
        Some(Err(error)) => Found::Corrupt(error.to_string()),
    };
    Ok(Seen { bytes, found })
}

impl State {
    pub(crate) fn path(&self, kind: Kind, name: &str) -> PathBuf {
        self.dir().join(kind.folder()).join(format!("{name}.json"))
    }

    /// Takes the write lock and creates the folder.
    pub(crate) fn lock(&self) -> Result<FileLock, FleetError> {
        repository::check_folder(self.dir())?;
        self.make()?;
        let path = self.dir().join(".lock");
        FileLock::exclusive(&path, WAIT)?.ok_or(FleetError::Busy { path })
    }

    /// Returns the entity, or `None` if its file does not exist. An invalid file also yields `None`, with a
    /// warning. So does a file that contains another entity: it is a copy, and changing it would change the
    /// original instead.
    pub(crate) fn read<T: Entity>(&self, kind: Kind, name: &str) -> Result<Option<T>, FleetError> {
        let path = self.path(kind, name);
        let found: Option<T> = self.read_at(path.clone())?;
        Ok(found.filter(|entity| {
            let is_own = entity.name() == name;
            if !is_own {
                let other = bc_core::text::one_line(entity.name());
                self.warn(format!("{} contains {other} and is skipped", path.display()));
            }
            is_own
        }))
    }

    /// Like [`State::read`], without warnings.
    pub(crate) fn peek<T: Entity>(&self, kind: Kind, name: &str) -> Result<Option<T>, FleetError> {
        Ok(match seen(&self.path(kind, name))?.found {
            Found::There(value) => Some(value).filter(|entity: &T| entity.name() == name),
            Found::Nothing | Found::Corrupt(_) => None,
        })
    }

    /// Reads a file that does not contain an entity. Returns `None` if the file does not exist. An invalid
    /// file also yields `None`, with a warning.
    pub(crate) fn read_at<T: DeserializeOwned>(&self, path: PathBuf) -> Result<Option<T>, FleetError> {
        Ok(match seen(&path)?.found {
            Found::There(value) => Some(value),
            Found::Nothing => None,
            Found::Corrupt(why) => {
                self.warn(format!("{} cannot be read: {why}", path.display()));
                None
            }
        })
    }

    /// All valid entities of a kind, sorted by name.
    pub(crate) fn all<T: Entity>(&self, kind: Kind) -> Result<Vec<T>, FleetError> {
        let folder = self.dir().join(kind.folder());
        let mut all = Vec::new();
        for name in names(&folder)? {
            // The file may have been removed meanwhile.
            all.extend(self.read(kind, &name)?);
        }
        Ok(all)
    }

    /// Replaces an entity with the result of `change`, if the two differ. The caller holds the lock. If a
    /// program that does not use the lock changes the file meanwhile, `change` runs again.
    pub(crate) fn change<T>(
        &self,
        kind: Kind,
        name: &str,
        mut change: impl FnMut(Option<T>) -> Result<T, FleetError>,
    ) -> Result<T, FleetError>
    where
        T: Serialize + DeserializeOwned,
    {
        let path = self.path(kind, name);
        for _ in 0..TRIES {
            let Seen { bytes, found } = seen(&path)?;
            let old = match found {
                Found::Nothing => None,
                Found::There(value) => Some(value),
                Found::Corrupt(why) => return Err(FleetError::Corrupt { path, why }),
            };
            let new = change(old)?;
            let text = file_text(&new);
            let is_same = bytes.as_deref() == Some(text.as_bytes());
            if is_same || put(&path, bytes.as_deref(), text.as_bytes())? {
                return Ok(new);
            }
        }
        Err(FleetError::Busy { path })
    }

    /// Like [`State::change`], but if the file is invalid, renames it with a warning about `what`, and starts without
    /// a value.
    pub(crate) fn change_or_restart<T>(
        &self,
        kind: Kind,
        name: &str,
        what: &str,
        mut change: impl FnMut(Option<T>) -> Result<T, FleetError>,
    ) -> Result<T, FleetError>
    where
        T: Serialize + DeserializeOwned,
    {
        match self.change(kind, name, &mut change) {
            Err(FleetError::Corrupt { .. }) => {
                if let Some(aside) = self.set_aside(kind, name)? {
                    self.warn(format!("{what} could not be read; it is kept as {}", aside.display()));
                }
                self.change(kind, name, change)
            }
            other => other,
        }
    }

    /// Applies `change` to an entity without writing the result; [`State::write_all`] writes it. The caller
    /// holds the lock.
    pub(crate) fn plan<T: Entity + Serialize>(
        &self,
        kind: Kind,
        name: &str,
        change: impl FnOnce(Option<T>) -> Result<T, FleetError>,
    ) -> Result<Planned<T>, FleetError> {
        let path = self.path(kind, name);
        let Seen { bytes: old, found } = seen::<T>(&path)?;
        let value = change(match found {
            Found::Nothing => None,
            // The file is a copy of another entity's file, so the change would start from the wrong entity.
            Found::There(value) if value.name() != name => {
                let why = format!("it contains {}", bc_core::text::one_line(value.name()));
                return Err(FleetError::Corrupt { path, why });
            }
            Found::There(value) => Some(value),
            Found::Corrupt(why) => return Err(FleetError::Corrupt { path, why }),
        })?;
        let text = file_text(&value);
        let same = old.as_deref() == Some(text.as_bytes());
        Ok(Planned { value, write: (!same).then_some(Write { path, old, text }) })
    }

    /// Writes all files, and syncs them together. Returns `false` if a program that does not use our lock changed
    /// one of them meanwhile. In that case some of the other files may already have been written.
    pub(crate) fn write_all(&self, writes: &[&Write]) -> Result<bool, FleetError> {
        for Write { path, old, .. } in writes.iter().copied() {
            if let Some(folder) = path.parent() {
                file::create_dir(folder)?;
            }
            if let Some(old) = old
                && read(path)?.as_ref() != Some(old)
            {
                return Ok(false);
            }
        }
        let writes = writes.iter().copied();
        let puts = writes.map(|Write { path, old, text }| file::Put {
            path,
            bytes: text.as_bytes(),
            new: old.is_none(),
        });
        let puts: Vec<_> = puts.collect();
        Ok(file::put_all(&puts)?.into_iter().all(|done| done))
    }

    /// Renames an unreadable file. Returns its new path; `None` if the file does not exist or must not be
    /// read.
    fn set_aside(&self, kind: Kind, name: &str) -> Result<Option<PathBuf>, FleetError> {
        let path = self.path(kind, name);
        let Seen::<serde_json::Value> { bytes: Some(bytes), .. } = seen(&path)? else { return Ok(None) };
        for n in 0.. {
            let copy = path.with_extension(format!("json.corrupt-{n}"));
            if file::create(&copy, &bytes)? {
                file::remove(&path)?;
                return Ok(Some(copy));
            }
        }
        unreachable!("the range of numbers is unbounded")
    }
}

/// Writes the text if the file still has its old content; returns `false` otherwise.
fn put(path: &Path, old: Option<&[u8]>, text: &[u8]) -> Result<bool, FleetError> {
    if let Some(folder) = path.parent() {
        file::create_dir(folder)?;
    }
    match old {
        None => Ok(file::create(path, text)?),
        Some(old) if read(path)?.as_deref() == Some(old) => {
            file::replace(path, text)?;
            Ok(true)
        }
        Some(_) => Ok(false),
    }
}

/// Returns the sorted names of a folder's entities. Temporary files and renamed unreadable files are
/// excluded.
pub(crate) fn names(folder: &Path) -> Result<Vec<String>, FleetError> {
    let failed = |source| FileError::Read { path: folder.to_owned(), source };
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(source) => return Err(failed(source).into()),
    };
    let mut names = Vec::new();
    for entry in entries {
        let name = entry.map_err(failed)?.file_name();
        if let Some(name) = name.to_str().filter(|name| !name.starts_with('.'))
            && let Some(stem) = name.strip_suffix(".json")
        {
            names.push(stem.to_owned());
        }
    }
    names.sort();
    Ok(names)
}
