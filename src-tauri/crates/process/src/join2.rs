//! Runs two closures in parallel and waits for both.

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

/// How long an idle worker waits for its next task: tasks come in series.
const IDLE_FOR: Duration = Duration::from_millis(20);

type Task = Box<dyn FnOnce() + Send>;
type Outcome<A> = Result<A, Box<dyn Any + Send>>;

/// Worker threads that wait for a task.
static IDLE_WORKERS: Mutex<Vec<(ThreadId, Thread, SyncSender<Task>)>> = Mutex::new(Vec::new());

/// Runs `background` on a worker thread while it runs `foreground`. If no worker has started `background` by then,
/// because the processors are busy or no thread can be created, this thread runs it too.
pub fn join2<A: Send + 'static, B>(
    background: impl FnOnce() -> A + Send + 'static,
    foreground: impl FnOnce() -> B,
) -> (A, B) {
    let pending = Arc::new(Mutex::new(Some(background)));
    let shared = Arc::clone(&pending);
    let (sender, receiver) = sync_channel::<Outcome<A>>(1);
    submit(Box::new(move || {
        if let Some(background) = lock(&shared).take() {
            let _ = sender.send(catch_unwind(AssertUnwindSafe(background)));
        }
    }));
    let foreground = foreground();
    let unstarted = lock(&pending).take();
    let background = match unstarted {
        Some(background) => background(),
        None => match receiver.recv().expect("the worker that took it always sends a result") {
            Ok(background) => background,
            Err(panic) => resume_unwind(panic),
        },
    };
    (background, foreground)
}

/// Asks the scheduler to run this thread as soon as it is woken, before threads that compute for longer. For threads
/// that answer requests and then wait.
pub fn set_low_latency() {
    crate::os::set_low_latency();
}

/// Prepares a worker for a [`join2`] that follows soon.
pub fn prepare_worker() {
    start(Box::new(|| ()));
}

/// Without a worker the task stays with the caller.
fn submit(task: Task) {
    let idle = lock(&IDLE_WORKERS).pop();
    let Some((_, thread, idle)) = idle else { return start(task) };
    // The scheduler may put a woken thread on the CPU of the waking thread and leave other CPUs idle for a while. For
    // a short task this delay would dominate.
    thread.avoid_current_cpu();
    if let Err(TrySendError::Full(task) | TrySendError::Disconnected(task)) = idle.try_send(task) {
        start(task);
    }
}

fn start(task: Task) {
    let (sender, tasks) = sync_channel::<Task>(1);
    let run = move || {
        let (me, worker) = (thread::current().id(), Thread::current());
        let mut next = Some(task);
        while let Some(task) = next {
            task();
            lock(&IDLE_WORKERS).push((me, worker, sender.clone()));
            next = tasks.recv_timeout(IDLE_FOR).ok();
        }
        lock(&IDLE_WORKERS).retain(|(other, ..)| *other != me);
        // A caller that took this worker off the list before may still send one task.
        drop(sender);
        tasks.iter().for_each(|task| task());
    };
    let _ = thread::Builder::new().name("join2".into()).spawn(run);
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_closures_run_on_two_threads_or_on_one() {
        let (begun, begins) = sync_channel(1);
        let background = move || {
            begun.send(()).unwrap();
            thread::current().id()
        };
        // This thread waits, so only another thread can send.
        let (other, waited) = join2(background, || begins.recv());
        assert_eq!(waited, Ok(()));
        assert_ne!(other, thread::current().id());
        for n in 0..1_000 {
            assert_eq!(join2(move || n + 1, || n), (n + 1, n));
        }
    }

    #[test]
    fn concurrent_callers_each_get_their_own_result() {
        thread::scope(|scope| {
            for own in 0..8 {
                scope.spawn(move || {
                    for n in 0..500 {
                        prepare_worker();
                        assert_eq!(join2(move || (own, n), || n), ((own, n), n));
                    }
                });
            }
        });
    }

    #[test]
    fn an_idle_worker_ends() {
        prepare_worker();
        while !lock(&IDLE_WORKERS).is_empty() {
            thread::yield_now();
        }
        assert_eq!(join2(|| 1, || 2), (1, 2));
    }

    #[test]
    fn a_panic_in_the_background_closure_propagates() {
        let (begun, begins) = sync_channel::<()>(0);
        let panics = move || {
            drop(begun);
            panic!("over there")
        };
        let caught = catch_unwind(AssertUnwindSafe(|| {
            let ((), _) = join2(panics, || begins.recv());
        }));
        assert_eq!(caught.unwrap_err().downcast_ref(), Some(&"over there"));
    }
}
