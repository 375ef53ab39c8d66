//! Injects a fault into each system call of an operation: the program is killed at the call, or the call
//! fails, is interrupted or is short.

use crate::{
    operations::{ALL, Operation},
    scene::Scene,
    seen::{Going, take_over},
    trace::{self, Call, TracedRun},
};
use std::{
    collections::BTreeMap,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

/// System calls that a signal can interrupt before they have any effect. The program must retry them.
const RETRIED: &[&str] = &[
    "openat",
    "write",
    "fsync",
    "fdatasync",
    "ftruncate",
    "fchmod",
    "rename",
    "renameat",
    "renameat2",
    "mkdir",
    "unlink",
    "unlinkat",
    "rmdir",
    "flock",
];

/// System calls for memory or a random seed. If one fails, the program may panic, but must not lose data.
const VITAL: &[&str] = &["getrandom", "brk", "mmap", "munmap", "mremap", "mprotect", "madvise"];

/// System calls that read a session. An unreadable session is reported and skipped. It may then be missing
/// from the index, which is only a cache and is rebuilt by the next sync.
const READING: &[&str] = &["openat", "read", "statx", "newfstatat", "fstat", "getdents64", "lseek"];

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fault {
    Kill,
    Eio,
    Enospc,
    Eintr,
    Short,
}

const FAULTS: [Fault; 5] = [Fault::Kill, Fault::Eio, Fault::Enospc, Fault::Eintr, Fault::Short];

#[test]
fn a_refused_call_loses_no_acknowledged_operation() {
    let few = [
        "append after a torn line",
        "write messages and sync them later",
        "create a session",
        "rewrite the index",
        "move a session to the trash",
    ];
    if trace::strace_available("a_refused_call_loses_no_acknowledged_operation") {
        let few: Vec<_> = ALL.iter().filter(|operation| few.contains(&operation.name)).collect();
        // Each call gets one of the first four faults in turn, and each write is also made short.
        refuse(&few, |index, fault| FAULTS[index % 4] == fault || fault == Fault::Short);
    }
}

#[test]
#[ignore = "takes minutes"]
fn every_refused_call_of_every_operation_loses_no_acknowledged_operation() {
    if trace::strace_available("every_refused_call_of_every_operation_loses_no_acknowledged_operation") {
        refuse(&ALL.iter().collect::<Vec<_>>(), |_, _| true);
    }
}

fn refuse(operations: &[&'static Operation], wanted: impl Fn(usize, Fault) -> bool + Sync) {
    let mut total = 0;
    let mut by_fault = BTreeMap::new();
    for operation in operations {
        let scene = Scene::of(operation);
        let calls = trace::list_calls(&scene);
        let mut runs = Vec::new();
        for (index, call) in calls.iter().enumerate() {
            let possible = FAULTS.into_iter().filter(|fault| fault.is_possible(call));
            runs.extend(possible.filter(|fault| wanted(index, *fault)).map(|fault| (call, fault)));
        }
        let next = AtomicUsize::new(0);
        thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    while let Some((at, (call, fault))) = {
                        let at = next.fetch_add(1, Ordering::Relaxed);
                        runs.get(at).map(|run| (at, run))
                    } {
                        one(&scene, at + 2, call, *fault);
                    }
                });
            }
        });
        for (_, fault) in &runs {
            *by_fault.entry(*fault).or_insert(0) += 1;
        }
        total += runs.len();
        println!("COUNTED faults of {:?}: {} system calls, {} runs", operation.name, calls.len(), runs.len());
    }
    println!("COUNTED faults of {} operations: {total} runs, of which {by_fault:?}", operations.len());
}

impl Fault {
    /// Whether the fault is possible at this call. Only writes of more than one byte can be short.
    fn is_possible(self, call: &Call) -> bool {
        self != Fault::Short || call.name == "write" && call.result.is_some_and(|len| len > 1)
    }

    /// Returns the fault in strace's notation. strace only simulates a short write: it writes nothing and
    /// reports some bytes as written. This test therefore only checks that the writer continues with the
    /// rest. `short.rs` tests real partial lines.
    fn inject(self, call: &Call) -> String {
        let how = match self {
            Fault::Kill => "signal=SIGKILL".to_owned(),
            Fault::Eio => "error=EIO".to_owned(),
            Fault::Enospc => "error=ENOSPC".to_owned(),
            Fault::Eintr => "error=EINTR".to_owned(),
            Fault::Short => format!("retval={}", call.result.unwrap_or(2) / 2),
        };
        format!("{}:{how}:when={}", call.name, call.nth)
    }
}

fn one(scene: &Scene, number: usize, call: &Call, fault: Fault) {
    let what = format!("{fault:?} at {} {} ({})", call.name, call.nth, call.line);
    trace::run(scene, number, Some(&fault.inject(call)), |root, ran| {
        let describe = || {
            let calls: Vec<&str> = ran.calls.iter().map(|call| &*call.line).collect();
            format!(
                "{}, {what}: printed {:?}\n{}\n{}",
                scene.operation.name,
                ran.output,
                ran.err,
                calls.join("\n")
            )
        };
        let hit = match fault {
            Fault::Kill => ran.log.contains("+++ killed by SIGKILL +++"),
            _ => ran
                .calls
                .iter()
                .any(|c| c.nth == call.nth && c.name == call.name && c.line.contains("(INJECTED)")),
        };
        assert!(hit, "the fault hit another call: {}", describe());
        // Rust's standard library panics if closing a folder fails, which does not happen on real file
        // systems.
        let closing = call.name == "close" && ran.err.contains("unexpected error during closedir");
        let may_panic = closing || VITAL.contains(&&*call.name);
        assert!(may_panic || !ran.err.contains("panicked"), "{}", describe());
        let all = scene.all_parts();
        if fault == Fault::Short {
            assert!(continues(ran, call), "{}", describe());
            return;
        }
        let may_die = may_panic || fault == Fault::Kill || call.fd == Some(1);
        assert!(may_die || ran.log.contains("+++ exited with 0 +++"), "{}", describe());
        if fault == Fault::Eintr && RETRIED.contains(&call.name.as_str()) {
            assert_eq!(ran.output, all, "{}", describe());
        }
        scene.assert_holds(root, &ran.output, READING.contains(&&*call.name), &what);
        take_over(root, Going::On);
    });
}

/// Whether the next system call writes the rest of a short write to the same file.
fn continues(ran: &TracedRun, call: &Call) -> bool {
    let len = call.result.unwrap_or(0);
    let Some(at) = ran.calls.iter().position(|c| c.name == call.name && c.nth == call.nth) else {
        return false;
    };
    let next = ran.calls.get(at + 1);
    next.is_some_and(|next| next.name == "write" && next.fd == call.fd && next.result == Some(len - len / 2))
}
