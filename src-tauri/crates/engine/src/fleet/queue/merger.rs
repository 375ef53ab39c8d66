//! Who merges: a thread of the engine that owns the project, woken when something may have changed and by
//! nothing else; or a command in the foreground.

use super::run::{self, Merged, Watch};
use crate::{engine::Engine, fleet, memory::view, programs::Programs};
use bc_core::fleet::Current;
use bc_process::kept::Leash;
use bc_wire::{ApiError, ErrorCode};
use std::{
    path::{Path, PathBuf},
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        mpsc::{Receiver, sync_channel},
    },
    thread,
    time::Duration,
};

/// The bell of an engine's merging thread, and what that is at.
#[derive(Debug, Default)]
pub(crate) struct Bell {
    rung: Mutex<Rung>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Rung {
    /// Whether there is a thread that hears it.
    heard: bool,
    stirred: bool,
    over: bool,
    at: Option<(Current, Leash)>,
}

impl Bell {
    fn rung(&self) -> MutexGuard<'_, Rung> {
        self.rung.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Something of the queue may have changed. A check of what is not to be merged any more ends.
    pub(crate) fn ring(&self, engine: &Engine) {
        let mut rung = self.rung();
        rung.stirred = true;
        let at = rung.at.clone();
        drop(rung);
        self.changed.notify_all();
        if let Some((current, leash)) = at
            && !run::is_wanted(engine, &current)
        {
            leash.let_go();
        }
    }

    /// An error where nobody hears it.
    pub(crate) fn heard(&self) -> Result<(), ApiError> {
        match self.rung().heard {
            true => Ok(()),
            false => {
                Err(ApiError::new(ErrorCode::QueueState, "no window and no server has the project open")
                    .hint("`beads-console fleet queue run` merges in the foreground"))
            }
        }
    }

    /// Waits for it, no longer than that; `false` once it is over.
    fn wait(&self, no_longer: Option<Duration>) -> bool {
        let silent = |rung: &mut Rung| !rung.stirred && !rung.over;
        let mut rung = match no_longer {
            Some(most) => {
                let waited = self.changed.wait_timeout_while(self.rung(), most, silent);
                waited.unwrap_or_else(PoisonError::into_inner).0
            }
            None => self.changed.wait_while(self.rung(), silent).unwrap_or_else(PoisonError::into_inner),
        };
        rung.stirred = false;
        !rung.over
    }
}

impl Watch for Bell {
    fn is_over(&self) -> bool {
        self.rung().over
    }

    fn at(&self, current: &Current) -> Leash {
        let mut rung = self.rung();
        let leash = match rung.at.take() {
            Some((before, leash)) if before.id == current.id => leash,
            _ => Leash::default(),
        };
        if rung.over {
            leash.let_go();
        }
        rung.at = Some((current.clone(), leash.clone()));
        leash
    }
}

/// Merges until it is dropped; a check that runs is ended then, and its merge gone on with another time.
pub(crate) struct Merger {
    engine: Arc<Engine>,
    ended: Receiver<()>,
}

/// How long another program is left to merge before it is looked whether it still does.
const ELSEWHERE: Duration = Duration::from_secs(2);

/// How long the end of a thread is awaited that may be in the middle of a push to a remote that does not answer.
/// It goes on then; the queue's lock and the step that is written down hold for it as for any other program.
const PATIENCE: Duration = Duration::from_secs(10);

impl Merger {
    /// Begins with what is there.
    pub(crate) fn start(engine: Arc<Engine>) -> Merger {
        {
            let mut rung = engine.queue_bell.rung();
            (rung.stirred, rung.over) = (true, false);
        }
        let own = Arc::clone(&engine);
        let (running, ended) = sync_channel::<()>(0);
        let merge = move || {
            let _running = running;
            let mut no_longer = None;
            while own.queue_bell.wait(no_longer) {
                // What went wrong beyond a request is tried again when something changes.
                let merged = run::run(&own, &own.queue_bell, &mut |_| ());
                own.queue_bell.rung().at = None;
                // Whoever merges elsewhere may be killed, and nothing changes then.
                no_longer = matches!(merged, Ok(Merged::Elsewhere)).then_some(ELSEWHERE);
            }
        };
        // Without a thread nobody merges here, as is told to whoever asks.
        let heard = thread::Builder::new().name("merger".into()).spawn(merge).is_ok();
        engine.queue_bell.rung().heard = heard;
        Merger { engine, ended }
    }
}

impl Drop for Merger {
    fn drop(&mut self) {
        let bell = &self.engine.queue_bell;
        let at = {
            let mut rung = bell.rung();
            (rung.over, rung.heard) = (true, false);
            rung.at.clone()
        };
        bell.changed.notify_all();
        if let Some((_, leash)) = at {
            leash.let_go();
        }
        // Nothing is ever sent: it is over when its other end is gone.
        let _ = self.ended.recv_timeout(PATIENCE);
    }
}

/// Merging in this process, to the end; whoever owns the project goes on meanwhile.
pub struct Foreground(Engine);

impl Foreground {
    /// In the project that `start` is in.
    ///
    /// # Errors
    /// There is no such project.
    pub fn of(start: &Path, programs: Programs) -> Result<Foreground, ApiError> {
        Ok(Foreground(view(start, programs)?))
    }

    /// The folder whose changes are to be told of.
    pub fn watched(&self) -> PathBuf {
        fleet::dir(&self.0.project)
    }

    /// Something in that folder changed: a check of what is not to be merged any more ends.
    pub fn stir(&self) {
        self.0.queue_bell.ring(&self.0);
    }

    /// Merges what waits; `told` hears what is printed, as it is.
    ///
    /// # Errors
    /// The queue's state cannot be read or written.
    pub fn merge(&self, told: &mut dyn FnMut(&[u8])) -> Result<Merged, ApiError> {
        run::run(&self.0, &self.0.queue_bell, told)
    }
}
