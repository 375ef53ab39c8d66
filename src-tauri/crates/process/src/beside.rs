//! Two pieces of work at the same time, for whoever waits for both.

use crate::os::Thread;
use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        mpsc::{SyncSender, TrySendError, sync_channel},
    },
    thread::{self, ThreadId},
    time::Duration,
};

/// How long a thread that has done its piece waits for the next one: pieces come in rows.
const WAITS: Duration = Duration::from_millis(20);

type Piece = Box<dyn FnOnce() + Send>;
type Done<A> = Result<A, Box<dyn Any + Send>>;

/// Threads that wait for a piece.
static WAITING: Mutex<Vec<(ThreadId, Thread, SyncSender<Piece>)>> = Mutex::new(Vec::new());

/// Does `there` in another thread while it does `here`; where no thread has begun with it by then, because the processors
/// have other work or there can be no thread, it does that too.
pub fn beside<A: Send + 'static, B>(
    there: impl FnOnce() -> A + Send + 'static,
    here: impl FnOnce() -> B,
) -> (A, B) {
    let waiting = Arc::new(Mutex::new(Some(there)));
    let seen = Arc::clone(&waiting);
    let (tell, told) = sync_channel::<Done<A>>(1);
    give(Box::new(move || {
        if let Some(there) = held(&seen).take() {
            let _ = tell.send(catch_unwind(AssertUnwindSafe(there)));
        }
    }));
    let here = here();
    let left = held(&waiting).take();
    let there = match left {
        Some(there) => there(),
        None => match told.recv().expect("whoever took it tells") {
            Ok(there) => there,
            Err(panic) => resume_unwind(panic),
        },
    };
    (there, here)
}

/// From now on this thread, which answers somebody and then waits, runs as soon as it is woken, where the system lets it:
/// before what computes for longer.
pub fn answers_at_once() {
    crate::os::answers_at_once();
}

/// Has a thread ready for what is soon to be done [`beside`].
pub fn beside_soon() {
    start(Box::new(|| ()));
}

/// Where no thread can be had, the piece is left to whoever gave it.
fn give(piece: Piece) {
    let idle = held(&WAITING).pop();
    let Some((_, thread, idle)) = idle else { return start(piece) };
    // A system may well put a thread that is woken where whoever wakes it runs, and leave the other processors idle for a
    // while: for a short piece of work that is most of it.
    thread.runs_elsewhere();
    if let Err(TrySendError::Full(piece) | TrySendError::Disconnected(piece)) = idle.try_send(piece) {
        start(piece);
    }
}

fn start(piece: Piece) {
    let (give, given) = sync_channel::<Piece>(1);
    let run = move || {
        let (me, this) = (thread::current().id(), Thread::this());
        let mut next = Some(piece);
        while let Some(piece) = next {
            piece();
            held(&WAITING).push((me, this, give.clone()));
            next = given.recv_timeout(WAITS).ok();
        }
        held(&WAITING).retain(|(other, ..)| *other != me);
        // Whoever took it off the list before gives it one more.
        drop(give);
        given.iter().for_each(|piece| piece());
    };
    let _ = thread::Builder::new().name("beside".into()).spawn(run);
}

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_are_done_by_two_threads_or_by_one() {
        let (begun, begins) = sync_channel(1);
        let there = move || {
            begun.send(()).unwrap();
            thread::current().id()
        };
        // Only another thread begins while this one waits.
        let (other, waited) = beside(there, || begins.recv());
        assert_eq!(waited, Ok(()));
        assert_ne!(other, thread::current().id());
        for n in 0..1_000 {
            assert_eq!(beside(move || n + 1, || n), (n + 1, n));
        }
    }

    #[test]
    fn many_who_do_so_at_the_same_time_get_each_their_own() {
        thread::scope(|scope| {
            for own in 0..8 {
                scope.spawn(move || {
                    for n in 0..500 {
                        beside_soon();
                        assert_eq!(beside(move || (own, n), || n), ((own, n), n));
                    }
                });
            }
        });
    }

    #[test]
    fn a_thread_that_waited_in_vain_ends() {
        beside_soon();
        while !held(&WAITING).is_empty() {
            thread::yield_now();
        }
        assert_eq!(beside(|| 1, || 2), (1, 2));
    }

    #[test]
    fn a_panic_over_there_is_one_here() {
        let (begun, begins) = sync_channel::<()>(0);
        let panics = move || {
            drop(begun);
            panic!("over there")
        };
        let caught = catch_unwind(AssertUnwindSafe(|| {
            let ((), _) = beside(panics, || begins.recv());
        }));
        assert_eq!(caught.unwrap_err().downcast_ref(), Some(&"over there"));
    }
}
