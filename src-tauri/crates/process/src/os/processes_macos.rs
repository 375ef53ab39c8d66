//! Processes on macOS: libproc for the process list, `sysctl` for arguments and environments, kqueue for
//! exits.
//!
//! macOS has no subreapers. Instead, a thread observes the process list each time a descendant forks, and
//! [`list`] then shows orphans as children of this process, as on Linux.

use super::{
    lineage::{Lineage, Listed},
    outermost_shell::outermost_shell,
    proc_args::{self, ProcArgs},
    signal::unix_signal,
};
use crate::process_entry::{Identity, ProcessEntry, Signal};
use rustix::{
    buffer::spare_capacity,
    event::kqueue::{Event, EventFilter, EventFlags, ProcessEvents, kevent, kqueue},
    fd::OwnedFd,
    io::Errno,
    process::{self, Pid},
};
use std::{
    ffi::{CStr, c_int},
    io,
    mem::MaybeUninit,
    ptr::null_mut,
    sync::{Mutex, OnceLock, PoisonError},
    thread,
    time::{Duration, Instant},
};

/// The descendants of this process, after [`become_subreaper`].
static LINEAGE: OnceLock<Mutex<Lineage>> = OnceLock::new();

/// How often [`wait_ended`] checks whether the process list also shows the exit.
const POLL_INTERVAL: Duration = Duration::from_millis(1);

fn pid_of(pid: u32) -> Option<Pid> {
    i32::try_from(pid).ok().and_then(Pid::from_raw)
}

/// Starts to record this process's descendants.
pub(crate) fn become_subreaper() -> io::Result<()> {
    if LINEAGE.set(Mutex::default()).is_err() {
        return Ok(());
    }
    let queue = kqueue()?;
    watch_forks(&queue, std::process::id())?;
    thread::Builder::new().name("descendants".into()).spawn(move || observe_forks(&queue))?;
    Ok(())
}

fn watch_forks(queue: &OwnedFd, pid: u32) -> io::Result<()> {
    watch(queue, pid, ProcessEvents::FORK, EventFlags::ADD | EventFlags::CLEAR)
}

fn observe_forks(queue: &OwnedFd) {
    loop {
        let Ok((_, new)) = observed() else { return };
        for pid in new {
            // Ignore errors: the process may have exited.
            let _ = watch_forks(queue, pid);
        }
        let mut events: Vec<Event> = Vec::with_capacity(16);
        // SAFETY: process events contain no descriptors.
        match unsafe { kevent(queue, &[], spare_capacity(&mut events), None) } {
            Ok(_) | Err(Errno::INTR) => {}
            Err(_) => return,
        }
    }
}

/// Returns 0, because the init process reaps orphans on macOS.
pub(crate) fn reap_ended_children(_is_own: &dyn Fn(u32) -> bool) -> usize {
    0
}

fn listed(pid: u32) -> Option<Listed> {
    let pid = c_int::try_from(pid).ok()?;
    let mut info = MaybeUninit::<libc::proc_bsdinfo>::zeroed();
    let size = c_int::try_from(size_of::<libc::proc_bsdinfo>()).ok()?;
    // The argument 1 also includes a process that has exited and has not been reaped yet.
    // SAFETY: the buffer is valid for `size` bytes.
    let got = unsafe { libc::proc_pidinfo(pid, libc::PROC_PIDTBSDINFO, 1, info.as_mut_ptr().cast(), size) };
    if got != size {
        return None;
    }
    // SAFETY: the system has filled the structure completely.
    let info = unsafe { info.assume_init() };
    let text = |chars: &[libc::c_char]| {
        let bytes: Vec<u8> = chars.iter().map(|c| c.to_ne_bytes()[0]).chain([0]).collect();
        CStr::from_bytes_until_nul(&bytes).map(|text| text.to_string_lossy().into_owned()).unwrap_or_default()
    };
    let long = text(&info.pbi_name);
    let name = if long.is_empty() { text(&info.pbi_comm) } else { long };
    // The start time is in microseconds since 1970 and does not change during the lifetime of the process.
    let start = info.pbi_start_tvsec.saturating_mul(1_000_000).saturating_add(info.pbi_start_tvusec);
    let entry = ProcessEntry {
        identity: Identity { pid: info.pbi_pid, start },
        parent: info.pbi_ppid,
        name,
        ended: info.pbi_status == libc::SZOMB,
    };
    Some(Listed { entry, group: info.pbi_pgid })
}

fn entry(pid: u32) -> Option<ProcessEntry> {
    listed(pid).map(|listed| listed.entry)
}

fn pids() -> io::Result<Vec<u32>> {
    let mut pids: Vec<c_int> = Vec::new();
    loop {
        // SAFETY: without a buffer, only the number is returned.
        let count = unsafe { libc::proc_listallpids(null_mut(), 0) };
        // Leave room for processes that start after the count.
        let room = usize::try_from(count).map_err(|_| io::Error::last_os_error())? + 64;
        pids.resize(room, 0);
        let bytes = c_int::try_from(size_of_val(pids.as_slice())).map_err(io::Error::other)?;
        // SAFETY: the buffer is valid for `bytes` bytes.
        let filled = unsafe { libc::proc_listallpids(pids.as_mut_ptr().cast(), bytes) };
        let filled = usize::try_from(filled).map_err(|_| io::Error::last_os_error())?;
        if filled < room {
            return Ok(pids[..filled].iter().filter_map(|pid| u32::try_from(*pid).ok()).collect());
        }
    }
}

/// Returns all processes, and the pids of newly found descendants.
fn observed() -> io::Result<(Vec<ProcessEntry>, Vec<u32>)> {
    let mut all: Vec<Listed> = pids()?.into_iter().filter_map(listed).collect();
    let new = LINEAGE.get().map(|lineage| {
        let mut lineage = lineage.lock().unwrap_or_else(PoisonError::into_inner);
        lineage.observe(std::process::id(), &mut all)
    });
    Ok((all.into_iter().map(|listed| listed.entry).collect(), new.unwrap_or_default()))
}

pub(crate) fn list() -> io::Result<Vec<ProcessEntry>> {
    // The new pids are recorded, but a fork of such a process is detected only when the list is next read.
    observed().map(|(all, _)| all)
}

pub(crate) fn identity_of(pid: u32) -> Option<Identity> {
    entry(pid).filter(|process| !process.ended).map(|process| process.identity)
}

pub(crate) fn is_listed(identity: Identity) -> bool {
    entry(identity.pid).is_some_and(|process| process.identity == identity)
}

pub(crate) fn outermost_shell_of(pid: u32) -> Option<Identity> {
    outermost_shell(pid, entry, |pid| arguments_of(pid).map(|args| args.arguments))
}

/// Returns the environment with which the process was started, or `None` if this process may not read it. The
/// environment is empty for most of Apple's own programs.
pub(crate) fn environment_of(pid: u32) -> Option<Vec<Vec<u8>>> {
    arguments_of(pid).map(|args| args.environment)
}

fn arguments_of(pid: u32) -> Option<ProcArgs> {
    let mut name = [libc::CTL_KERN, libc::KERN_PROCARGS2, c_int::try_from(pid).ok()?];
    let mut size = 0;
    // SAFETY: without a buffer, only the size is returned.
    let sized = unsafe { libc::sysctl(name.as_mut_ptr(), 3, null_mut(), &mut size, null_mut(), 0) };
    if sized != 0 {
        return None;
    }
    let mut block = vec![0u8; size];
    // SAFETY: the buffer is valid for `size` bytes.
    let read =
        unsafe { libc::sysctl(name.as_mut_ptr(), 3, block.as_mut_ptr().cast(), &mut size, null_mut(), 0) };
    (read == 0).then(|| proc_args::parse(block.get(..size)?)).flatten()
}

fn watch(queue: &OwnedFd, pid: u32, events: ProcessEvents, flags: EventFlags) -> io::Result<()> {
    let pid = pid_of(pid).ok_or(Errno::SRCH)?;
    let event = Event::new(EventFilter::Proc { pid, flags: events }, flags, null_mut());
    let mut none: Vec<Event> = Vec::new();
    // SAFETY: process events contain no descriptors.
    unsafe { kevent(queue, &[event], spare_capacity(&mut none), Some(Duration::ZERO)) }?;
    Ok(())
}

/// Returns a queue that reports the exit of this exact process. Returns `None` if the process has exited,
/// even if its pid was reused.
fn end_of(identity: Identity) -> io::Result<Option<OwnedFd>> {
    let queue = kqueue()?;
    match watch(&queue, identity.pid, ProcessEvents::EXIT, EventFlags::ADD | EventFlags::ONESHOT) {
        // The queue watches the process that had the pid at that moment. The start time shows whether that
        // was the requested process.
        Ok(()) => Ok((identity_of(identity.pid) == Some(identity)).then_some(queue)),
        Err(error) if error.raw_os_error() == Some(Errno::SRCH.raw_os_error()) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Whether the watched process exits within this time.
fn ended(queue: &OwnedFd, within: Duration) -> io::Result<bool> {
    let until = Instant::now() + within;
    loop {
        let mut events: Vec<Event> = Vec::with_capacity(1);
        let left = until.saturating_duration_since(Instant::now());
        // SAFETY: process events contain no descriptors.
        match unsafe { kevent(queue, &[], spare_capacity(&mut events), Some(left)) } {
            Ok(_) => return Ok(!events.is_empty()),
            Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

/// Signals the process only if its start time proves its identity and the process has not exited.
pub(crate) fn send(identity: Identity, signal: Signal) -> io::Result<bool> {
    let (Some(queue), Some(pid)) = (end_of(identity)?, pid_of(identity.pid)) else { return Ok(false) };
    // Another process can get the pid only after this one has exited and been reaped.
    if ended(&queue, Duration::ZERO)? {
        return Ok(false);
    }
    match process::kill_process(pid, unix_signal(signal)) {
        Ok(()) => Ok(true),
        Err(Errno::SRCH) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Waits until all these processes have exited, or until the deadline.
pub(crate) fn wait_ended(identities: &[Identity], deadline: Instant) -> io::Result<()> {
    for identity in identities {
        let Some(queue) = end_of(*identity)? else { continue };
        if !ended(&queue, deadline.saturating_duration_since(Instant::now()))? {
            return Ok(());
        }
        // The event arrives shortly before the process list shows the exit.
        while identity_of(identity.pid) == Some(*identity) && Instant::now() < deadline {
            thread::sleep(POLL_INTERVAL);
        }
    }
    Ok(())
}
