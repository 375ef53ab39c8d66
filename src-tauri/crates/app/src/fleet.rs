//! The fleet's own watch: where its state and its settings are, and who looks after it when something changed.
//!
//! Neither folder need be there: what is watched then is the nearest one above it, for its coming.

use crate::changes::{Changes, Depth, Told, What};
use bc_bridge::EventRing;
use bc_engine::{Connection, Foreground, Merged, Programs};
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

/// The least time between two looks after the fleet: a busy one changes many times a second.
const APART: Duration = Duration::from_millis(500);

/// Where the fleet's state and settings are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Places {
    /// The state's folder.
    pub(crate) state: PathBuf,
    /// The file with the settings, where there is a place for it.
    pub(crate) settings: Option<PathBuf>,
}

/// What a changed path is for the fleet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum About {
    /// Something in its state.
    State,
    /// Its settings, a folder above its state or a new one in it: another folder may be the one to watch.
    Place,
}

impl Places {
    pub(crate) fn of(connection: &Connection) -> Places {
        Places { state: connection.fleet_dir(), settings: connection.settings_file() }
    }

    /// What a change of that kind at that path is for the fleet.
    pub(crate) fn about(&self, path: &Path, what: What) -> Option<About> {
        if self.settings.as_deref() == Some(path) {
            return Some(About::Place);
        }
        if path != self.state && path.starts_with(&self.state) {
            // Locks and what is not in place yet are nobody's news.
            let hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
            // What was put into a new folder before it was watched is nobody's event: it is watched by us once
            // more, and looked at after that.
            let new = what == What::Folder;
            return (!hidden).then_some(if new { About::Place } else { About::State });
        }
        let above = self.state.starts_with(path)
            || self.settings.as_deref().is_some_and(|settings| settings.starts_with(path));
        (above && what.is_of_names()).then_some(About::Place)
    }
}

/// The fleet's watcher: one of its own, for what is seen from above is nobody else's business.
pub(crate) struct FleetWatch {
    places: Arc<RwLock<Places>>,
    changes: Changes,
    /// One at a time arms.
    arming: Mutex<()>,
}

impl FleetWatch {
    /// Tells `told` of everything that is about the fleet. `None` where the system cannot watch.
    pub(crate) fn start(places: Places, told: impl Fn(About) + Send + 'static) -> Option<FleetWatch> {
        let places = Arc::new(RwLock::new(places));
        let seen = Arc::clone(&places);
        let changes = Changes::start(move |change| match change {
            Told::Missed => told(About::Place),
            Told::Change { path, what } => {
                let about = seen.read().unwrap_or_else(PoisonError::into_inner).about(&path, what);
                about.into_iter().for_each(&told);
            }
        });
        let watch = FleetWatch { places, changes: changes.ok()?, arming: Mutex::default() };
        watch.arm();
        Some(watch)
    }

    /// Watches where the fleet is now.
    pub(crate) fn moved(&self, places: Places) {
        *self.places.write().unwrap_or_else(PoisonError::into_inner) = places;
        self.arm();
    }

    /// Watches what is there. What cannot be watched is not told of until somebody asks.
    fn arm(&self) {
        let places = self.places.read().unwrap_or_else(PoisonError::into_inner).clone();
        let _arming = self.arming.lock().unwrap_or_else(PoisonError::into_inner);
        let above = |path: &Path| path.ancestors().skip(1).find(|above| above.is_dir()).map(Path::to_owned);
        loop {
            let nearest = above(&places.state);
            let is_there = places.state.is_dir();
            if is_there {
                let _ = self.changes.watch(&places.state, Depth::All);
            }
            for folder in [nearest.clone(), places.settings.as_deref().and_then(above)].into_iter().flatten()
            {
                let _ = self.changes.watch(&folder, Depth::One);
            }
            // What came after it was looked for and before it was watched is told by nobody.
            if (is_there || !places.state.is_dir()) && nearest == above(&places.state) {
                return;
            }
        }
    }
}

/// Merges what waits in the project that `start` is in, in this process: to the end, and no further with what is
/// taken out meanwhile, by whomever. `told` hears what is printed, as it is.
///
/// # Errors
/// There is no such project, or its state cannot be read or written.
pub fn merge_waiting(
    start: &Path,
    programs: Programs,
    told: &mut dyn FnMut(&[u8]),
) -> Result<Merged, ApiError> {
    let foreground = Arc::new(Foreground::of(start, programs)?);
    let stirred = Arc::clone(&foreground);
    let places = Places { state: foreground.watched(), settings: None };
    // Where the system cannot watch, what is taken out is seen between two steps.
    let _watch = FleetWatch::start(places, move |_| stirred.stir());
    foreground.merge(told)
}

/// Looks after the fleet until it is dropped, each time it is stirred and when something falls due.
pub(crate) struct Tender {
    stirs: Option<SyncSender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Tender {
    pub(crate) fn start(project: ProjectKey, connection: Arc<Connection>, ring: EventRing) -> Tender {
        let (stirs, stirred) = sync_channel(1);
        let run = move || tend(&project, &connection, &ring, &stirred);
        let thread = thread::Builder::new().name("fleet".into()).spawn(run).ok();
        Tender { stirs: Some(stirs), thread }
    }

    /// Something changed that may matter. Never waits.
    pub(crate) fn stir(&self) {
        if let Some(stirs) = &self.stirs {
            // One that waits covers this one.
            let _ = stirs.try_send(());
        }
    }
}

impl Drop for Tender {
    fn drop(&mut self) {
        // It holds the connection, whose engine is to have ended when this returns.
        drop(self.stirs.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn tend(project: &ProjectKey, connection: &Connection, ring: &EventRing, stirred: &Receiver<()>) {
    let (mut due, mut again): (Option<Duration>, bool) = (None, false);
    loop {
        let woken = match due {
            _ if again => Ok(()),
            Some(time) => stirred.recv_timeout(time.max(APART)),
            None => stirred.recv().map_err(|_| RecvTimeoutError::Disconnected),
        };
        match woken {
            Ok(()) => {}
            // An agent turned silent, say: no file tells of that.
            Err(RecvTimeoutError::Timeout) => {
                ring.publish(Some(project.clone()), Event::FleetChanged {});
            }
            Err(RecvTimeoutError::Disconnected) => return,
        }
        let next = Instant::now() + APART;
        due = connection.tend_fleet();
        // What comes meanwhile is looked at together.
        again = false;
        loop {
            match stirred.recv_timeout(next.saturating_duration_since(Instant::now())) {
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

    const PATIENCE: Duration = Duration::from_secs(30);
    const MADE: What = What::Folder;
    const WRITTEN: What = What::Content;

    fn about(path: &str, what: What) -> Option<About> {
        let places = Places {
            state: "/w/p/.chipset/state".into(),
            settings: Some("/home/x/.config/console/projects/1.json".into()),
        };
        places.about(Path::new(path), what)
    }

    #[test]
    fn what_is_in_the_state_is_about_the_fleet_and_locks_and_halves_are_not() {
        assert_eq!(about("/w/p/.chipset/state/agents/polecat-1.json", WRITTEN), Some(About::State));
        assert_eq!(about("/w/p/.chipset/state/.lock", WRITTEN), None);
        assert_eq!(about("/w/p/.chipset/state/agents/.bc-tmp-1", MADE), None);
        assert_eq!(about("/w/p/.chipset/state/console", MADE), Some(About::Place));
        assert_eq!(about("/w/p/src/main.rs", WRITTEN), None);
    }

    #[test]
    fn a_state_that_comes_later_is_seen_and_then_what_changes_in_it() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let places = Places { state: root.join(".chipset/state"), settings: None };
        let (tell, told) = sync_channel(64);
        let watch = FleetWatch::start(places.clone(), move |about| tell.send(about).unwrap()).unwrap();
        std::fs::create_dir(root.join(".chipset")).unwrap();
        assert_eq!(told.recv_timeout(PATIENCE), Ok(About::Place));
        watch.moved(places.clone());
        std::fs::create_dir(root.join(".chipset/state")).unwrap();
        assert_eq!(told.recv_timeout(PATIENCE), Ok(About::Place));
        watch.moved(places);
        bc_store::file::replace(&root.join(".chipset/state/a.json"), b"{}").unwrap();
        assert_eq!(told.recv_timeout(PATIENCE), Ok(About::State));
    }

    #[test]
    fn what_is_in_a_folder_before_it_is_watched_is_seen_when_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let places = Places { state: root.join("state"), settings: None };
        std::fs::create_dir(&places.state).unwrap();
        let (tell, told) = sync_channel(4_096);
        let watch = FleetWatch::start(places.clone(), move |about| tell.send(about).unwrap()).unwrap();
        for n in 0..50 {
            // Whether the file is told of depends on who is faster; that there is a folder is told for certain.
            let made = places.state.join(format!("{n}"));
            std::fs::create_dir(&made).unwrap();
            bc_store::file::replace(&made.join("a.json"), b"{}").unwrap();
            while told.recv_timeout(PATIENCE).unwrap() != About::Place {}
            watch.moved(places.clone());
            while told.try_recv().is_ok() {}
            bc_store::file::replace(&made.join("a.json"), b"[]").unwrap();
            assert_eq!(told.recv_timeout(PATIENCE), Ok(About::State), "{n}");
        }
    }

    #[test]
    fn its_coming_and_another_place_for_it_are_seen_from_above() {
        assert_eq!(about("/w/p/.chipset", MADE), Some(About::Place));
        assert_eq!(about("/w/p/.chipset/state", MADE), Some(About::Place));
        assert_eq!(about("/w/p/.chipset", WRITTEN), None);
        assert_eq!(about("/home/x/.config/console/projects/1.json", WRITTEN), Some(About::Place));
        assert_eq!(about("/home/x/.config/console", MADE), Some(About::Place));
    }
}
