//! Watches the fleet's state and settings, schedules its reconciliation, and merges queued requests.
//!
//! The nearest existing folder above the state, the settings and the places is watched, too, because each of
//! them can be created or replaced later.

use bc_bridge::EventRing;
use bc_engine::{Connection, Foreground, Merged, Programs};
use bc_store::watch::{Depth, FileChange, FileWatch, What};
use bc_wire::{ApiError, app::ProjectKey, event::Event};
use std::{
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, PoisonError, RwLock,
        mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

/// The minimum time between two reconciliations, because a busy fleet changes many times a second.
const MIN_INTERVAL: Duration = Duration::from_millis(500);

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct FleetPaths {
    pub(crate) state: PathBuf,
    /// The settings file; `None` if it is not watched, or if the user has no settings folder.
    pub(crate) settings: Option<PathBuf>,
    /// The file with the user's places; `None` if it is not watched, or if the user has no settings folder.
    pub(crate) places: Option<PathBuf>,
}

/// The part of the fleet that a changed path concerns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FleetChange {
    State,
    /// The settings, the places, the state's folder or a folder above one of them changed, a folder was
    /// created in the state, or changes were lost. Other folders may have to be watched.
    Place,
}

impl FleetPaths {
    pub(crate) fn of(connection: &Connection) -> FleetPaths {
        FleetPaths {
            state: connection.fleet_dir(),
            settings: connection.settings_file(),
            places: bc_engine::places::file(),
        }
    }

    /// The watched files outside the state.
    fn files(&self) -> impl Iterator<Item = &Path> {
        [&self.settings, &self.places].into_iter().filter_map(|file| file.as_deref())
    }

    /// Classifies a changed path; `None` if it does not concern the fleet.
    pub(crate) fn classify(&self, path: &Path, what: What) -> Option<FleetChange> {
        if self.files().any(|file| file == path) {
            return Some(FleetChange::Place);
        }
        if path != self.state && path.starts_with(&self.state) {
            // Locks and temporary files are ignored.
            let hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
            // Files that were created in a new folder before it was watched raise no event. The watches are
            // therefore set up again, and everything is read again.
            let new = what == What::Folder;
            return (!hidden).then_some(if new { FleetChange::Place } else { FleetChange::State });
        }
        let above = self.state.starts_with(path) || self.files().any(|file| file.starts_with(path));
        (above && what.is_name_change()).then_some(FleetChange::Place)
    }
}

/// The file watch of the fleet. It is separate from the project's file watch, because it also watches folders
/// above the state.
pub(crate) struct FleetWatch {
    paths: Arc<RwLock<FleetPaths>>,
    /// Locked while the watches are set up.
    changes: Mutex<FileWatch>,
}

impl FleetWatch {
    /// Starts the watch, which calls `on_change` for every change of the fleet. Returns `None` if the system
    /// cannot watch files.
    pub(crate) fn start(
        paths: FleetPaths,
        on_change: impl Fn(FleetChange) + Send + 'static,
    ) -> Option<FleetWatch> {
        let paths = Arc::new(RwLock::new(paths));
        let seen = Arc::clone(&paths);
        let changes = FileWatch::start(move |change| match change {
            FileChange::Missed => on_change(FleetChange::Place),
            FileChange::Changed { path, what } => {
                let change = seen.read().unwrap_or_else(PoisonError::into_inner).classify(&path, what);
                change.into_iter().for_each(&on_change);
            }
        });
        let watch = FleetWatch { paths, changes: Mutex::new(changes.ok()?) };
        watch.arm();
        Some(watch)
    }

    pub(crate) fn set_paths(&self, paths: FleetPaths) {
        *self.paths.write().unwrap_or_else(PoisonError::into_inner) = paths;
        self.arm();
    }

    /// Watches the existing folders. If a folder cannot be watched, its changes are only detected at the next
    /// request.
    fn arm(&self) {
        let paths = self.paths.read().unwrap_or_else(PoisonError::into_inner).clone();
        let changes = self.changes.lock().unwrap_or_else(PoisonError::into_inner);
        let above = |path: &Path| path.ancestors().skip(1).find(|above| above.is_dir()).map(Path::to_owned);
        loop {
            let nearest = above(&paths.state);
            let is_there = paths.state.is_dir();
            if is_there {
                let _ = changes.watch(&paths.state, Depth::All);
            }
            for folder in nearest.clone().into_iter().chain(paths.files().filter_map(above)) {
                let _ = changes.watch(&folder, Depth::One);
            }
            // No event reports a folder that was created between the check and the watch, so the check is
            // repeated.
            if (is_there || !paths.state.is_dir()) && nearest == above(&paths.state) {
                return;
            }
        }
    }
}

/// Merges the queued requests of the project that contains `start`, in this process, until no request can be
/// merged; merges nothing while another program merges. A request that is removed in the meantime is not
/// merged. `on_output` receives the raw output of the merges.
///
/// # Errors
/// Returns an error if no project contains `start`, if the project's state cannot be read or written, if git
/// fails, or if the check of an earlier merge does not exit.
pub fn merge_waiting(
    start: &Path,
    programs: Programs,
    on_output: &mut dyn FnMut(&[u8]),
) -> Result<Merged, ApiError> {
    let foreground = Arc::new(Foreground::of(start, programs)?);
    let watched = Arc::clone(&foreground);
    let paths = FleetPaths { state: foreground.watched_dir(), ..FleetPaths::default() };
    // If the system cannot watch files, a removed request is only detected between two steps.
    let _watch = FleetWatch::start(paths, move |_| watched.state_changed());
    foreground.merge(on_output)
}

/// Reconciles the fleet on a separate thread until this value is dropped: after each trigger, and when
/// the next reconciliation is due.
pub(crate) struct FleetScheduler {
    wake: Option<SyncSender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl FleetScheduler {
    pub(crate) fn start(project: ProjectKey, connection: Arc<Connection>, ring: EventRing) -> FleetScheduler {
        let (wake, woken) = sync_channel(1);
        let run = move || run_scheduler(&project, &connection, &ring, &woken);
        let thread = thread::Builder::new().name("fleet".into()).spawn(run).ok();
        FleetScheduler { wake: Some(wake), thread }
    }

    /// Requests a reconciliation. Never blocks.
    pub(crate) fn trigger(&self) {
        if let Some(wake) = &self.wake {
            // An error is ignored: a pending trigger covers this one.
            let _ = wake.try_send(());
        }
    }
}

impl Drop for FleetScheduler {
    fn drop(&mut self) {
        // The thread uses the connection to the engine, so it must exit before this function returns.
        drop(self.wake.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn run_scheduler(project: &ProjectKey, connection: &Connection, ring: &EventRing, woken: &Receiver<()>) {
    let (mut due, mut again): (Option<Duration>, bool) = (None, false);
    loop {
        let wake_reason = match due {
            _ if again => Ok(()),
            Some(time) => woken.recv_timeout(time.max(MIN_INTERVAL)),
            None => woken.recv().map_err(|_| RecvTimeoutError::Disconnected),
        };
        match wake_reason {
            Ok(()) => {}
            // Some changes are not visible in files, for example when an agent becomes silent. An event is
            // published for them.
            Err(RecvTimeoutError::Timeout) => {
                ring.publish(Some(project.clone()), Event::FleetChanged {});
            }
            Err(RecvTimeoutError::Disconnected) => return,
        }
        let next = Instant::now() + MIN_INTERVAL;
        due = connection.reconcile_fleet();
        // Triggers that have arrived in the meantime are combined.
        again = false;
        loop {
            match woken.recv_timeout(next.saturating_duration_since(Instant::now())) {
                Ok(()) => again = true,
                Err(RecvTimeoutError::Timeout) => break,
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TIMEOUT: Duration = Duration::from_secs(30);
    const FOLDER: What = What::Folder;
    const CONTENT: What = What::Content;

    fn about(path: &str, what: What) -> Option<FleetChange> {
        let paths = FleetPaths {
            state: "/w/p/.chipset/state".into(),
            settings: Some("/home/x/.config/console/projects/1.json".into()),
            places: Some("/home/x/.config/console/places.json".into()),
        };
        paths.classify(Path::new(path), what)
    }

    #[test]
    fn fleet_state_files_are_changes_and_locks_and_temporary_files_are_not() {
        assert_eq!(about("/w/p/.chipset/state/agents/polecat-1.json", CONTENT), Some(FleetChange::State));
        assert_eq!(about("/w/p/.chipset/state/.lock", CONTENT), None);
        assert_eq!(about("/w/p/.chipset/state/agents/.bc-tmp-1", FOLDER), None);
        assert_eq!(about("/w/p/.chipset/state/console", FOLDER), Some(FleetChange::Place));
        assert_eq!(about("/w/p/src/main.rs", CONTENT), None);
    }

    #[test]
    fn a_fleet_folder_created_later_is_watched() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().map(bc_core::paths::plain).unwrap();
        let paths = FleetPaths { state: root.join(".chipset/state"), ..FleetPaths::default() };
        let (tell, told) = sync_channel(64);
        let watch = FleetWatch::start(paths.clone(), move |about| tell.send(about).unwrap()).unwrap();
        std::fs::create_dir(root.join(".chipset")).unwrap();
        assert_eq!(told.recv_timeout(TIMEOUT), Ok(FleetChange::Place));
        watch.set_paths(paths.clone());
        std::fs::create_dir(root.join(".chipset/state")).unwrap();
        assert_eq!(told.recv_timeout(TIMEOUT), Ok(FleetChange::Place));
        watch.set_paths(paths);
        bc_store::file::replace(&root.join(".chipset/state/a.json"), b"{}").unwrap();
        assert_eq!(told.recv_timeout(TIMEOUT), Ok(FleetChange::State));
    }

    #[test]
    fn files_created_before_the_watch_are_reported_when_it_starts() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().map(bc_core::paths::plain).unwrap();
        let paths = FleetPaths { state: root.join("state"), ..FleetPaths::default() };
        std::fs::create_dir(&paths.state).unwrap();
        let (tell, told) = sync_channel(4_096);
        let watch = FleetWatch::start(paths.clone(), move |about| tell.send(about).unwrap()).unwrap();
        for n in 0..50 {
            // Whether the file raises an event depends on timing; the folder always raises one.
            let made = paths.state.join(format!("{n}"));
            std::fs::create_dir(&made).unwrap();
            bc_store::file::replace(&made.join("a.json"), b"{}").unwrap();
            while told.recv_timeout(TIMEOUT).unwrap() != FleetChange::Place {}
            watch.set_paths(paths.clone());
            while told.try_recv().is_ok() {}
            bc_store::file::replace(&made.join("a.json"), b"[]").unwrap();
            assert_eq!(told.recv_timeout(TIMEOUT), Ok(FleetChange::State), "{n}");
        }
    }

    #[test]
    fn creation_and_replacement_are_seen_from_the_parent_folder() {
        assert_eq!(about("/w/p/.chipset", FOLDER), Some(FleetChange::Place));
        assert_eq!(about("/w/p/.chipset/state", FOLDER), Some(FleetChange::Place));
        assert_eq!(about("/w/p/.chipset", CONTENT), None);
        assert_eq!(about("/home/x/.config/console/projects/1.json", CONTENT), Some(FleetChange::Place));
        assert_eq!(about("/home/x/.config/console", FOLDER), Some(FleetChange::Place));
    }
}
