//! Detects whether a file changed since it was read, without reading it again.

use std::{
    fs::Metadata,
    path::Path,
    time::{Duration, SystemTime},
};

/// The identity, length and times of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Stamp {
    length: u64,
    modified: SystemTime,
    /// On Unix: device, inode, and the time of the last change (ctime) in seconds and nanoseconds.
    place: (u64, u64, i64, i64),
}

impl Stamp {
    /// The time resolution of the coarsest file systems.
    const COARSE: Duration = Duration::from_secs(2);
    /// An upper bound of the time resolution of other file systems, which is the tick of the system's clock.
    const FINE: Duration = Duration::from_millis(20);

    /// The stamp, and whether the file is at rest, which means that any later change alters the stamp. A file
    /// that changed a moment ago may change again and keep its stamp. `None` for a missing file.
    pub(crate) fn of(path: &Path) -> Option<(Stamp, bool)> {
        let metadata = std::fs::metadata(path).ok()?;
        let modified = metadata.modified().ok()?;
        let stamp = Stamp { length: metadata.len(), modified, place: place(&metadata) };
        let tick = if stamp.is_fine() { Stamp::FINE } else { Stamp::COARSE };
        let rested = SystemTime::now().duration_since(stamp.changed()).is_ok_and(|age| age > tick);
        Some((stamp, rested))
    }

    /// Whether the file system's times have a fine resolution. Then only two writes within one clock tick, in
    /// place and with the same length, can have equal stamps.
    pub(crate) fn is_fine(&self) -> bool {
        let since = self.modified.duration_since(SystemTime::UNIX_EPOCH);
        since.is_ok_and(|since| since.subsec_nanos() % 10_000_000 != 0)
    }

    /// When the file last changed.
    fn changed(&self) -> SystemTime {
        let (_, _, seconds, nanoseconds) = self.place;
        let since = u64::try_from(seconds).ok().map(Duration::from_secs);
        let since = since.map(|since| since + Duration::from_nanos(nanoseconds.unsigned_abs()));
        let changed = since.and_then(|since| SystemTime::UNIX_EPOCH.checked_add(since));
        changed.map_or(self.modified, |changed| changed.max(self.modified))
    }
}

/// Device, inode, and the time of the last change, which no program can set.
#[cfg(unix)]
fn place(metadata: &Metadata) -> (u64, u64, i64, i64) {
    use std::os::unix::fs::MetadataExt;
    (metadata.dev(), metadata.ino(), metadata.ctime(), metadata.ctime_nsec())
}

#[cfg(not(unix))]
fn place(_metadata: &Metadata) -> (u64, u64, i64, i64) {
    (0, 0, 0, 0)
}
