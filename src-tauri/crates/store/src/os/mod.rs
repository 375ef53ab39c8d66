//! Platform-specific parts of the file layer: file modes, locks, syncs, file identity and network file systems.

#[cfg(unix)]
mod unix;
#[cfg(unix)]
pub(crate) use unix::*;

#[cfg(target_os = "linux")]
#[path = "mounts_linux.rs"]
mod mounts;
#[cfg(target_os = "macos")]
#[path = "mounts_macos.rs"]
mod mounts;
#[cfg(unix)]
pub(crate) use mounts::network_file_system;

#[cfg(windows)]
mod windows;
#[cfg(windows)]
pub(crate) use windows::*;
