//! The job of this process. Everything that this process starts belongs to the job, orphans included, and
//! ends with it.

use super::handle::{checked, owned, raw};
use std::{collections::HashSet, io, os::windows::io::OwnedHandle, ptr, sync::OnceLock};
use windows_sys::Win32::System::{
    JobObjects::{
        AssignProcessToJobObject, CreateJobObjectW, JOB_OBJECT_LIMIT_BREAKAWAY_OK,
        JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE, JOBOBJECT_BASIC_PROCESS_ID_LIST,
        JOBOBJECT_EXTENDED_LIMIT_INFORMATION, JobObjectBasicProcessIdList, JobObjectExtendedLimitInformation,
        QueryInformationJobObject, SetInformationJobObject,
    },
    Threading::GetCurrentProcess,
};

/// The handle is never closed. The system closes it when this process ends, and then terminates the remaining
/// processes.
static JOB: OnceLock<OwnedHandle> = OnceLock::new();

/// The limit of processes in a query of the job.
const PIDS_MAX: usize = 4096;

/// Puts this process into a job, together with everything that it starts from now on. Only a detached program
/// leaves the job.
pub(super) fn enter() -> io::Result<()> {
    if JOB.get().is_some() {
        return Ok(());
    }
    // SAFETY: neither attributes nor a name are given; the handle is checked.
    let job = owned(unsafe { CreateJobObjectW(ptr::null(), ptr::null()) })?;
    let mut limits = JOBOBJECT_EXTENDED_LIMIT_INFORMATION::default();
    limits.BasicLimitInformation.LimitFlags =
        JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE | JOB_OBJECT_LIMIT_BREAKAWAY_OK;
    let size = u32::try_from(size_of_val(&limits)).expect("a few bytes");
    // SAFETY: `limits` has the type of this class and the given size; the pseudo-handle is always valid.
    unsafe {
        checked(SetInformationJobObject(
            raw(&job),
            JobObjectExtendedLimitInformation,
            (&raw const limits).cast(),
            size,
        ))?;
        checked(AssignProcessToJobObject(raw(&job), GetCurrentProcess()))?;
    }
    let _ = JOB.set(job);
    Ok(())
}

#[repr(C)]
struct List {
    head: JOBOBJECT_BASIC_PROCESS_ID_LIST,
    more: [usize; PIDS_MAX],
}

/// The processes of this process's job; empty if it has none.
pub(super) fn pids() -> HashSet<u32> {
    let Some(job) = JOB.get() else { return HashSet::new() };
    let mut list = Box::new(List { head: JOBOBJECT_BASIC_PROCESS_ID_LIST::default(), more: [0; PIDS_MAX] });
    let size = u32::try_from(size_of::<List>()).expect("some KiB");
    // SAFETY: the list has the type of this class, with room for more pids, and the given size.
    let answered = unsafe {
        QueryInformationJobObject(
            raw(job),
            JobObjectBasicProcessIdList,
            (&raw mut *list).cast(),
            size,
            ptr::null_mut(),
        )
    };
    if answered == 0 {
        return HashSet::new();
    }
    let count = (list.head.NumberOfProcessIdsInList as usize).min(PIDS_MAX);
    let all = std::iter::once(list.head.ProcessIdList[0]).chain(list.more);
    all.take(count).filter_map(|pid| u32::try_from(pid).ok()).collect()
}
