//! Available memory on Windows.

use windows_sys::Win32::System::SystemInformation::{GlobalMemoryStatusEx, MEMORYSTATUSEX};

/// Returns the available physical memory in MiB, or `None` if the system does not report it.
pub fn free_mib() -> Option<u32> {
    let size = u32::try_from(size_of::<MEMORYSTATUSEX>()).ok()?;
    let mut status = MEMORYSTATUSEX { dwLength: size, ..MEMORYSTATUSEX::default() };
    // SAFETY: the structure's size field is set, as the function requires.
    let known = unsafe { GlobalMemoryStatusEx(&raw mut status) } != 0;
    known.then(|| u32::try_from(status.ullAvailPhys >> 20).unwrap_or(u32::MAX))
}
