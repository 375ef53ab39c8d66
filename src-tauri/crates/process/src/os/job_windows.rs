//! This process's job. All programs that this process starts after [`enter`], except detached ones, belong
//! to the job, including orphans. They are terminated when this process exits.

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

/// The job's handle, which is never closed explicitly. The system closes it when this process exits, and then
/// terminates the remaining processes of the job.
static JOB: OnceLock<OwnedHandle> = OnceLock::new();

/// The maximum number of processes that a query of the job returns.
const PIDS_MAX: usize = 4096;

/// Puts this process and all programs that it starts later into a job. Only detached programs leave the job.
pub(super) fn enter() -> io::Result<()> {
    if JOB.get().is_some() {
        return Ok(());
    }
    // SAFETY: neither attributes nor a name is passed; the handle is checked.
    let job = owned(unsafe { CreateJobObjectW(ptr::null(), ptr::null()) })?;
    let mut limits = JOBOBJECT_EXTENDED_LIMIT_INFORMATION::default();
    limits.BasicLimitInformation.LimitFlags =
        JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE | JOB_OBJECT_LIMIT_BREAKAWAY_OK;
    let size = u32::try_from(size_of_val(&limits)).expect("a few bytes");
    // SAFETY: `limits` has the type and the size that this class requires; the pseudo-handle is always valid.
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

/// Returns the processes in this process's job, or an empty set if there is no job.
pub(super) fn pids() -> HashSet<u32> {
    let Some(job) = JOB.get() else { return HashSet::new() };
    let mut list = Box::new(List { head: JOBOBJECT_BASIC_PROCESS_ID_LIST::default(), more: [0; PIDS_MAX] });
    let size = u32::try_from(size_of::<List>()).expect("some KiB");
    // SAFETY: the list has the type and the size that this class requires, with room for more pids.
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
