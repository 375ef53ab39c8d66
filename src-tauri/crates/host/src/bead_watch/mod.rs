//! Watches a tracker's files, so that a host notices changes without a window or an engine.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(not(target_os = "linux"))]
mod other;

#[cfg(target_os = "linux")]
pub(crate) use linux::BeadWatch;
#[cfg(not(target_os = "linux"))]
pub(crate) use other::BeadWatch;
