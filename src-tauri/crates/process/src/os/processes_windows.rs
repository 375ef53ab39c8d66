//! Processes on Windows: a Toolhelp snapshot for the process tree, creation times for identities, and the
//! current process's job for orphans.

use super::{
    console,
    handle::{checked, owned, raw, wait_any},
    job,
};
use crate::process_entry::{Identity, ProcessEntry, Signal};
use std::{
    collections::HashMap,
    ffi::OsString,
    io,
    os::windows::{ffi::OsStringExt, io::OwnedHandle},
    time::Instant,
};
use windows_sys::Win32::{
    Foundation::{ERROR_ACCESS_DENIED, ERROR_INVALID_PARAMETER, FILETIME, HANDLE, STILL_ACTIVE},
    System::{
        Diagnostics::ToolHelp::{
            CreateToolhelp32Snapshot, PROCESSENTRY32W, Process32FirstW, Process32NextW, TH32CS_SNAPPROCESS,
        },
        Threading::{
            GetExitCodeProcess, GetProcessTimes, OpenProcess, PROCESS_QUERY_LIMITED_INFORMATION,
            PROCESS_SYNCHRONIZE, PROCESS_TERMINATE, TerminateProcess,
        },
    },
};

pub(crate) use super::environment::environment_of;

/// The exit code of a process that this program terminates. Windows uses the same code for Ctrl+C.
pub(crate) const ENDED_BY_US: u32 = 0xC000_013A;

/// Enters a job, so that this process's orphans can be listed as its children.
pub(crate) fn become_subreaper() -> io::Result<()> {
    job::enter()
}

/// Returns 0, because Windows processes need no reaping: an exited process disappears when its last handle is closed.
pub(crate) fn reap_ended_children(_is_own: &dyn Fn(u32) -> bool) -> usize {
    0
}

/// Opens a process. Returns `None` if no process has this pid. The process may have exited; see [`has_ended`].
fn open(pid: u32, access: u32) -> io::Result<Option<OwnedHandle>> {
    // SAFETY: no pointers are passed; the handle is checked.
    match owned(unsafe { OpenProcess(access, 0, pid) }) {
        Ok(handle) => Ok(Some(handle)),
        Err(error) if error.raw_os_error() == Some(ERROR_INVALID_PARAMETER.cast_signed()) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Returns the process's creation time, in units of 100 ns since 1601.
fn start_of(process: HANDLE) -> io::Result<u64> {
    let (mut created, mut other) = (FILETIME::default(), [FILETIME::default(); 3]);
    let [exited, kernel, user] = &mut other;
    // SAFETY: all four are valid for writing.
    checked(unsafe { GetProcessTimes(process, &raw mut created, exited, kernel, user) })?;
    Ok(u64::from(created.dwHighDateTime) << 32 | u64::from(created.dwLowDateTime))
}

/// Whether a process has exited. An exited process is still listed while a handle to it is open.
fn has_ended(process: HANDLE) -> bool {
    let mut code = 0;
    // SAFETY: the handle is open; the code is written only on success.
    let known = unsafe { GetExitCodeProcess(process, &raw mut code) } != 0;
    known && code != STILL_ACTIVE.cast_unsigned()
}

pub(crate) fn identity_of(pid: u32) -> Option<Identity> {
    let process = open(pid, PROCESS_QUERY_LIMITED_INFORMATION).ok()??;
    if has_ended(raw(&process)) {
        return None;
    }
    Some(Identity { pid, start: start_of(raw(&process)).ok()? })
}

/// Returns the process itself, because Windows programs are not started through `sh -c`.
pub(crate) fn outermost_shell_of(pid: u32) -> Option<Identity> {
    identity_of(pid)
}

pub(crate) fn is_listed(identity: Identity) -> bool {
    identity_of(identity.pid) == Some(identity)
}

/// Returns all processes with a readable start time. A process whose parent has exited is listed without a
/// parent, even if the parent's pid was reused. An orphan in this process's job is listed as a child of this
/// process.
pub(crate) fn list() -> io::Result<Vec<ProcessEntry>> {
    // SAFETY: no pointers are passed; the handle is checked.
    let snapshot = owned(unsafe { CreateToolhelp32Snapshot(TH32CS_SNAPPROCESS, 0) })?;
    let size = u32::try_from(size_of::<PROCESSENTRY32W>()).expect("a few hundred bytes");
    let mut entry = PROCESSENTRY32W { dwSize: size, ..PROCESSENTRY32W::default() };
    let mut all = Vec::new();
    // SAFETY: the snapshot is open, and the entry has its size set, as the functions require.
    let mut found = unsafe { Process32FirstW(raw(&snapshot), &raw mut entry) };
    while found != 0 {
        let pid = entry.th32ProcessID;
        // The start times of system processes and other users' processes are not readable.
        if let Some(identity) = identity_of(pid) {
            let name: Vec<u16> = entry.szExeFile.iter().copied().take_while(|&unit| unit != 0).collect();
            let name = OsString::from_wide(&name).to_string_lossy().into_owned();
            all.push(ProcessEntry { identity, parent: entry.th32ParentProcessID, name, ended: false });
        }
        // SAFETY: as above.
        found = unsafe { Process32NextW(raw(&snapshot), &raw mut entry) };
    }
    let starts: HashMap<u32, u64> = all.iter().map(|p| (p.identity.pid, p.identity.start)).collect();
    let (mine, me) = (job::pids(), std::process::id());
    for process in &mut all {
        let parent_lives = starts.get(&process.parent).is_some_and(|&start| start <= process.identity.start);
        if !parent_lives {
            let is_orphan = mine.contains(&process.identity.pid) && process.identity.pid != me;
            process.parent = if is_orphan { me } else { 0 };
        }
    }
    Ok(all)
}

/// Terminates a process, or requests that it exit.
///
/// A program in one of this process's terminals can be asked to exit: closing its terminal sends it a console
/// event, and it has time to react. Any other program is terminated immediately. Stop and continue have no
/// effect, because Windows has no such signals.
pub(crate) fn send(identity: Identity, signal: Signal) -> io::Result<bool> {
    match signal {
        Signal::Cont | Signal::Stop => Ok(is_listed(identity)),
        Signal::Term | Signal::Hup | Signal::Int if console::close_terminal_of(identity.pid) => Ok(true),
        Signal::Term | Signal::Hup | Signal::Int | Signal::Kill => terminate(identity),
    }
}

fn terminate(identity: Identity) -> io::Result<bool> {
    let access = PROCESS_TERMINATE | PROCESS_QUERY_LIMITED_INFORMATION;
    let Some(process) = open(identity.pid, access)? else { return Ok(false) };
    // The handle refers to the process that had the pid when the handle was opened.
    if has_ended(raw(&process)) || start_of(raw(&process))? != identity.start {
        return Ok(false);
    }
    // SAFETY: the process is open with the right to terminate it.
    match checked(unsafe { TerminateProcess(raw(&process), ENDED_BY_US) }) {
        Ok(()) => Ok(true),
        // The process is already exiting.
        Err(error) if error.raw_os_error() == Some(ERROR_ACCESS_DENIED.cast_signed()) => Ok(true),
        Err(error) => Err(error),
    }
}

/// Waits until all these processes have exited, or until the deadline.
pub(crate) fn wait_ended(identities: &[Identity], deadline: Instant) -> io::Result<()> {
    for identity in identities {
        let access = PROCESS_SYNCHRONIZE | PROCESS_QUERY_LIMITED_INFORMATION;
        let Some(process) = open(identity.pid, access)? else { continue };
        if start_of(raw(&process))? != identity.start {
            continue;
        }
        if wait_any(&[raw(&process)], Some(deadline))?.is_none() {
            return Ok(());
        }
    }
    Ok(())
}

/// Terminates a program and all its descendants, and repeats this until no new process appears.
pub(crate) fn kill_group(pid: u32) {
    loop {
        let Ok(all) = list() else { return };
        let mut family = vec![pid];
        let mut at = 0;
        while let Some(&parent) = family.get(at) {
            family.extend(all.iter().filter(|p| p.parent == parent).map(|p| p.identity.pid));
            at += 1;
        }
        let ended = all.iter().filter(|p| family.contains(&p.identity.pid));
        if !ended.map(|p| terminate(p.identity)).any(|ended| matches!(ended, Ok(true))) {
            return;
        }
    }
}
