//! Where a thread may run, and how soon it does.

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

/// Of what a thread that answers is given at a time, in nanoseconds: the shortest piece that the system knows.
const SHORT: u64 = 100_000;

/// A thread that asks for short pieces of a processor has one as soon as it is woken, before those that have longer
/// pieces. What it starts has the usual ones. Before Linux 6.12 that is not listened to.
pub(crate) fn answers_at_once() {
    let asked = libc::sched_attr {
        size: size_of::<libc::sched_attr>() as u32,
        sched_policy: libc::SCHED_OTHER as u32,
        sched_flags: libc::SCHED_FLAG_RESET_ON_FORK as u64,
        sched_nice: nice(),
        sched_priority: 0,
        sched_runtime: SHORT,
        sched_deadline: 0,
        sched_period: 0,
    };
    // SAFETY: the structure is whole, says its size, and outlives the call, which reads it; 0 is this thread.
    unsafe { libc::syscall(libc::SYS_sched_setattr, 0, &raw const asked, 0) };
}

/// This thread's own, which stays what it is.
fn nice() -> i32 {
    rustix::process::getpriority_process(None).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{sync::mpsc::sync_channel, thread};

    /// What the system has of this thread.
    fn scheduled() -> libc::sched_attr {
        let mut has = libc::sched_attr {
            size: 0,
            sched_policy: 0,
            sched_flags: 0,
            sched_nice: 0,
            sched_priority: 0,
            sched_runtime: 0,
            sched_deadline: 0,
            sched_period: 0,
        };
        let size = size_of::<libc::sched_attr>() as u32;
        // SAFETY: the system writes no more than this size into the structure, which is as large and outlives the call.
        let done = unsafe { libc::syscall(libc::SYS_sched_getattr, 0, &raw mut has, size, 0) };
        assert_eq!(done, 0);
        has
    }

    #[test]
    fn a_thread_that_answers_asks_for_short_pieces_and_what_it_starts_does_not() {
        let short = |has: &libc::sched_attr| has.sched_runtime == SHORT;
        let of = |has: libc::sched_attr| (has.sched_policy, has.sched_nice);
        let resets = |has: &libc::sched_attr| has.sched_flags & libc::SCHED_FLAG_RESET_ON_FORK as u64 != 0;
        let (before, after, child) = thread::spawn(|| {
            let before = scheduled();
            answers_at_once();
            (before, scheduled(), thread::spawn(scheduled).join().unwrap())
        })
        .join()
        .unwrap();
        assert!(resets(&after) && !resets(&child));
        // Where the system knows no pieces, it says 0.
        assert!(short(&after) || after.sched_runtime == 0);
        assert!(!short(&before) && !short(&child));
        assert_eq!((of(after), of(child)), (of(before), of(before)));
    }

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
