//! The age of a JSONL export, also relative to the tracker's database.

use crate::place;
use chrono::{DateTime, Local};
use std::{
    path::Path,
    time::{Duration, SystemTime},
};

/// Describes the age of a displayed export, in words.
pub(super) fn described(beads_dir: &Path, now: SystemTime) -> String {
    let file = place::jsonl_file(beads_dir);
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let written = std::fs::metadata(&file).ok().filter(|it| it.len() > 0).and_then(|it| it.modified().ok());
    let Some(written) = written else {
        return format!("no beads were exported to {name}, so none can be shown");
    };
    let date = DateTime::<Local>::from(written).format("%Y-%m-%d %H:%M");
    let age = match now.duration_since(written) {
        Ok(age) if age >= MINUTE => format!("{} ago", span(age)),
        _ => "just now".to_owned(),
    };
    let behind = place::database_changed(beads_dir)
        .and_then(|changed| changed.duration_since(written).ok())
        .filter(|behind| *behind >= MINUTE);
    let behind = behind.map_or(String::new(), |behind| {
        format!(", but the database changed {} later, so later changes are missing", span(behind))
    });
    format!("the export {name} of {date} ({age}) is shown{behind}")
}

const MINUTE: Duration = Duration::from_secs(60);

/// A duration in its largest unit.
fn span(time: Duration) -> String {
    let minutes = time.as_secs() / 60;
    let (count, unit) = match minutes {
        0..60 => (minutes, "minute"),
        60..1440 => (minutes / 60, "hour"),
        _ => (minutes / 1440, "day"),
    };
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {unit}{plural}")
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "the files of a test's own folder")]
mod tests {
    use super::*;

    #[test]
    fn an_exports_age_and_lag_are_described() {
        let dir = tempfile::tempdir().unwrap();
        let now = SystemTime::now();
        let put = |name: &str, text: &str, minutes: u32| {
            let path = dir.path().join(name);
            std::fs::write(&path, text).unwrap();
            let file = std::fs::File::options().append(true).open(&path).unwrap();
            file.set_modified(now - MINUTE * minutes).unwrap();
        };
        let text = || described(dir.path(), now);
        assert_eq!(text(), "no beads were exported to issues.jsonl, so none can be shown");
        put("issues.jsonl", "", 0);
        assert_eq!(text(), "no beads were exported to issues.jsonl, so none can be shown");
        put("issues.jsonl", "{}\n", 3 * 1440 + 5);
        assert!(text().ends_with("(3 days ago) is shown"), "{}", text());
        put("beads.db", "x", 3 * 1440);
        assert!(text().ends_with("changed 5 minutes later, so later changes are missing"), "{}", text());
        put("beads.db-wal", "x", 60);
        assert!(text().contains("the database changed 2 days later"), "{}", text());
        put("issues.jsonl", "{}\n", 0);
        assert!(text().ends_with("(just now) is shown"), "{}", text());
    }
}
