//! CPU affinity and scheduling latency of a thread, on Linux.

use rustix::{
    process::Pid,
    thread::{CpuSet, gettid, sched_getaffinity, sched_getcpu, sched_setaffinity},
};

/// A thread and the CPUs that it may run on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Thread {
    id: Pid,
    allowed_cpus: Option<CpuSet>,
}

impl Thread {
    pub(crate) fn current() -> Thread {
        Thread { id: gettid(), allowed_cpus: sched_getaffinity(None).ok() }
    }

    /// From now until the next call, the thread may run on every allowed CPU except the one of the calling thread. If
    /// only one CPU is allowed, it stays there.
    pub(crate) fn avoid_current_cpu(self) {
        let (Some(mut others), here) = (self.allowed_cpus, sched_getcpu()) else { return };
        if here < CpuSet::MAX_CPU {
            others.unset(here);
        }
        if others.count() > 0 {
            let _ = sched_setaffinity(Some(self.id), &others);
        }
    }
}

/// Scheduler slice for latency-sensitive threads, in nanoseconds: the shortest one that the kernel accepts.
const LOW_LATENCY_SLICE_NS: u64 = 100_000;

/// Requests a short scheduler slice: such a thread runs as soon as it is woken, before threads with longer slices.
/// Its children have the default slice. Kernels before Linux 6.12 ignore the request.
pub(crate) fn set_low_latency() {
    let asked = libc::sched_attr {
        size: size_of::<libc::sched_attr>() as u32,
        sched_policy: libc::SCHED_OTHER as u32,
        sched_flags: libc::SCHED_FLAG_RESET_ON_FORK as u64,
        sched_nice: nice(),
        sched_priority: 0,
        sched_runtime: LOW_LATENCY_SLICE_NS,
        sched_deadline: 0,
        sched_period: 0,
    };
    // SAFETY: the structure is complete, states its size, and outlives the call, which only reads it. 0 is this
    // thread.
    unsafe { libc::syscall(libc::SYS_sched_setattr, 0, &raw const asked, 0) };
}

/// The current nice value, which must stay unchanged.
fn nice() -> i32 {
    rustix::process::getpriority_process(None).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{sync::mpsc::sync_channel, thread};

    /// The scheduling attributes of this thread.
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
        // SAFETY: the kernel writes at most this size into the structure, which is as large and outlives the call.
        let done = unsafe { libc::syscall(libc::SYS_sched_getattr, 0, &raw mut has, size, 0) };
        assert_eq!(done, 0);
        has
    }

    #[test]
    fn a_low_latency_thread_has_a_short_slice_and_its_children_do_not() {
        let short = |has: &libc::sched_attr| has.sched_runtime == LOW_LATENCY_SLICE_NS;
        let of = |has: libc::sched_attr| (has.sched_policy, has.sched_nice);
        let resets = |has: &libc::sched_attr| has.sched_flags & libc::SCHED_FLAG_RESET_ON_FORK as u64 != 0;
        let (before, after, child) = thread::spawn(|| {
            let before = scheduled();
            set_low_latency();
            (before, scheduled(), thread::spawn(scheduled).join().unwrap())
        })
        .join()
        .unwrap();
        assert!(resets(&after) && !resets(&child));
        // Kernels without slices report 0.
        assert!(short(&after) || after.sched_runtime == 0);
        assert!(!short(&before) && !short(&child));
        assert_eq!((of(after), of(child)), (of(before), of(before)));
    }

    #[test]
    fn a_thread_leaves_the_current_cpu_unless_it_has_only_one() {
        let (tell, told) = sync_channel(0);
        let (go, goes) = sync_channel::<()>(0);
        let other = thread::spawn(move || {
            tell.send(Thread::current()).unwrap();
            goes.recv().unwrap();
            sched_getaffinity(None).unwrap()
        });
        let thread = told.recv().unwrap();
        thread.avoid_current_cpu();
        go.send(()).unwrap();
        let all = thread.allowed_cpus.unwrap();
        let left = other.join().unwrap();
        assert_eq!(left.count(), (all.count() - 1).max(1));
    }
}
