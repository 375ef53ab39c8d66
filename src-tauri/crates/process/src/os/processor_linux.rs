//! Where a thread may run.

use rustix::{
    process::Pid,
    thread::{CpuSet, gettid, sched_getaffinity, sched_getcpu, sched_setaffinity},
};

/// A thread, and where it may run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Thread {
    id: Pid,
    everywhere: Option<CpuSet>,
}

impl Thread {
    pub(crate) fn this() -> Thread {
        Thread { id: gettid(), everywhere: sched_getaffinity(None).ok() }
    }

    /// From now on, and until this is said again, it runs where it may, but not where this thread runs now. Where there is
    /// but one processor, it runs there.
    pub(crate) fn runs_elsewhere(self) {
        let (Some(mut others), here) = (self.everywhere, sched_getcpu()) else { return };
        if here < CpuSet::MAX_CPU {
            others.unset(here);
        }
        if others.count() > 0 {
            let _ = sched_setaffinity(Some(self.id), &others);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{sync::mpsc::sync_channel, thread};

    #[test]
    fn a_thread_that_runs_elsewhere_does_and_one_that_may_run_in_one_place_stays() {
        let (tell, told) = sync_channel(0);
        let (go, goes) = sync_channel::<()>(0);
        let other = thread::spawn(move || {
            tell.send(Thread::this()).unwrap();
            goes.recv().unwrap();
            sched_getaffinity(None).unwrap()
        });
        let thread = told.recv().unwrap();
        thread.runs_elsewhere();
        go.send(()).unwrap();
        let all = thread.everywhere.unwrap();
        let left = other.join().unwrap();
        assert_eq!(left.count(), (all.count() - 1).max(1));
    }
}
