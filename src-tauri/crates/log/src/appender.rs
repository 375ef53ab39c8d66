//! Appends lines to the log files of one role: `host-2026-11-23.log`, `host-2026-11-23.1.log` …
//!
//! Processes with the same role share the day's file. Each line is one `write` on a descriptor opened for
//! appending, so that lines of several processes do not mix. When a file is full, the next number is used;
//! the oldest files are removed.

use chrono::NaiveDate;
use std::{
    fs::{self, File, OpenOptions},
    io::{self, Write},
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

/// The size in bytes after which the next file is started.
const FILE_BYTES: u64 = 4 << 20;

/// The number of files kept for each role, which is about 32 MiB in total.
const FILES: usize = 8;

/// The maximum number of files of one day. If a fault fills them all, the rest of the day's lines are
/// dropped.
const NUMBERS: u32 = 1_000;

/// Writes lines of one role.
#[derive(Debug)]
pub(crate) struct Appender {
    folder: PathBuf,
    role: &'static str,
    open: Mutex<Option<Open>>,
}

#[derive(Debug)]
struct Open {
    day: NaiveDate,
    number: u32,
    file: File,
}

impl Appender {
    /// Creates an appender. The first line creates the folder and the file.
    pub(crate) fn new(folder: &Path, role: &'static str) -> Appender {
        Appender { folder: folder.to_owned(), role, open: Mutex::default() }
    }

    /// Appends a line to the file of this day. A line that cannot be written is dropped.
    pub(crate) fn append(&self, day: NaiveDate, line: &[u8]) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let has_room =
            |open: &Open| open.day == day && open.file.metadata().is_ok_and(|m| m.len() < FILE_BYTES);
        if !open.as_ref().is_some_and(has_room) {
            let from = open.as_ref().filter(|open| open.day == day).map_or(0, |open| open.number);
            *open = self.open(day, from).ok();
        }
        if let Some(open) = open.as_mut() {
            let _ = open.file.write_all(line);
        }
    }

    /// Opens the first file of the day that has room, starting with the number `from`.
    fn open(&self, day: NaiveDate, from: u32) -> io::Result<Open> {
        create_private_folder(&self.folder)?;
        for number in from..NUMBERS {
            let file = append_to(&self.folder.join(name(self.role, day, number)))?;
            let bytes = file.metadata()?.len();
            if bytes < FILE_BYTES {
                if bytes == 0 {
                    self.remove_oldest();
                }
                return Ok(Open { day, number, file });
            }
        }
        Err(io::ErrorKind::FileTooLarge.into())
    }

    fn remove_oldest(&self) {
        let mut files = files_of(&self.folder, self.role);
        let excess = files.len().saturating_sub(FILES);
        for file in files.drain(..excess) {
            let _ = fs::remove_file(file);
        }
    }
}

fn name(role: &str, day: NaiveDate, number: u32) -> String {
    match number {
        0 => format!("{role}-{day}.log"),
        _ => format!("{role}-{day}.{number}.log"),
    }
}

/// The log files of a role, oldest first.
fn files_of(folder: &Path, role: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let of_role = |entry: fs::DirEntry| {
        let name = entry.file_name().into_string().ok()?;
        let rest = name.strip_prefix(role)?.strip_prefix('-')?.strip_suffix(".log")?;
        let (day, number) = rest.split_once('.').unwrap_or((rest, "0"));
        let order: (NaiveDate, u32) = (day.parse().ok()?, number.parse().ok()?);
        Some((order, entry.path()))
    };
    let mut files: Vec<_> = entries.filter_map(of_role).collect();
    files.sort();
    files.into_iter().map(|(_, path)| path).collect()
}

fn create_private_folder(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

fn append_to(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> NaiveDate {
        text.parse().expect("a date")
    }

    fn names(folder: &Path) -> Vec<String> {
        files_of(folder, "host")
            .iter()
            .map(|path| path.file_name().expect("a name").to_string_lossy().into_owned())
            .collect()
    }

    #[test]
    fn a_full_file_is_rotated_and_the_oldest_removed() {
        let dir = tempfile::tempdir().expect("a folder");
        let folder = dir.path().join("logs");
        let half = vec![b'x'; usize::try_from(FILE_BYTES / 2).expect("the size fits")];
        let appender = Appender::new(&folder, "host");
        for _ in 0..2 * FILES + 2 {
            appender.append(day("2026-11-23"), &half);
        }
        let kept = names(&folder);
        assert_eq!(kept.len(), FILES);
        assert_eq!(kept.first().map(String::as_str), Some("host-2026-11-23.1.log"));
        assert_eq!(kept.last().map(String::as_str), Some("host-2026-11-23.8.log"));
        let second = Appender::new(&folder, "host");
        second.append(day("2026-11-24"), b"{}\n");
        assert_eq!(names(&folder).last().map(String::as_str), Some("host-2026-11-24.log"));
        assert_eq!(names(&folder).len(), FILES);
    }

    #[test]
    fn processes_with_the_same_role_share_a_file() {
        let dir = tempfile::tempdir().expect("a folder");
        let appenders = [Appender::new(dir.path(), "host"), Appender::new(dir.path(), "host")];
        for turn in 0..10 {
            for (index, appender) in appenders.iter().enumerate() {
                appender.append(day("2026-11-23"), format!("{index} {turn}\n").as_bytes());
            }
        }
        Appender::new(dir.path(), "host-like").append(day("2026-11-23"), b"other\n");
        assert_eq!(names(dir.path()), ["host-2026-11-23.log"]);
        let text = fs::read_to_string(dir.path().join("host-2026-11-23.log")).expect("the path exists");
        assert_eq!(text.lines().count(), 20);
    }

    #[cfg(unix)]
    #[test]
    fn the_folder_and_files_are_private() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().expect("a folder");
        let folder = dir.path().join("state/logs");
        Appender::new(&folder, "host").append(day("2026-11-23"), b"{}\n");
        let mode = |path: &Path| fs::metadata(path).expect("the path exists").permissions().mode() & 0o777;
        assert_eq!((mode(&folder), mode(&folder.join("host-2026-11-23.log"))), (0o700, 0o600));
    }

    #[test]
    fn without_a_folder_the_line_is_dropped() {
        let dir = tempfile::tempdir().expect("a folder");
        let file = dir.path().join("file");
        append_to(&file).expect("the file is created");
        Appender::new(&file.join("logs"), "host").append(day("2026-11-23"), b"{}\n");
    }
}
