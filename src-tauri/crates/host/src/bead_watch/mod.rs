//! Watches a tracker's files, so that a host that nobody else is there for hears of changes.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(not(target_os = "linux"))]
mod other;

#[cfg(target_os = "linux")]
pub(crate) use linux::BeadWatch;
#[cfg(not(target_os = "linux"))]
pub(crate) use other::BeadWatch;
