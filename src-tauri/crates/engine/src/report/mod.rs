//! Packs the archive for a bug report: logs, page errors, checks, settings and facts, without conversations
//! or titles.
//!
//! Detected secrets are redacted ([`redact`]) before the text is packed. Nothing is sent anywhere.
//!
//! May use: `context`, `doctor`, `settings`.

mod facts;
mod redact;

use crate::{
    context::{Programs, count},
    doctor::doctor,
    settings::logging::log_folder,
};
use bc_wire::{
    ApiError, ErrorCode,
    app::{ProblemReport, ReportEntry},
};
use redact::Redactor;
use std::{
    fs::File,
    io::{Cursor, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    time::SystemTime,
};
use zip::{ZipWriter, write::SimpleFileOptions};

/// The maximum size of the tail kept from each log file, in bytes.
const LOG_TAIL: u64 = 1 << 20;

/// The maximum number of log files; older files are omitted.
const LOG_FILES: usize = 12;

/// The maximum size of the tail that the preview shows for each entry, in bytes.
const SHOWN_TAIL: usize = 16 << 10;

/// The maximum number of page errors, and the maximum length of each page error in bytes.
const PAGE_ERRORS: (usize, usize) = (100, 4 << 10);

const README: &str = "Beads Console problem report\n\n\
    Made on this machine by its user; nothing was sent anywhere. It contains no conversations, prompts, terminal\n\
    output, bead titles or file contents. The home folder is written as ~, and what looks like a secret was removed.\n\
    Please check the files before you attach them to an issue.\n\n\
    system.json    versions and system\n\
    doctor.json    what `beads-console doctor --json` prints\n\
    settings.json  the user's settings\n\
    sessions.json  states, times and counts of the project's sessions\n\
    page-errors.txt  errors that the window or browser page has seen\n\
    logs/          the newest diagnostic logs of each process\n";

/// A report, packed as an archive.
pub struct Packed {
    /// The report's name and entries. Its field `archive` is empty; the archive is in `bytes`.
    pub report: ProblemReport,
    /// The zip archive.
    pub bytes: Vec<u8>,
}

/// Packs a report about the folder `start`, which need not be a project.
///
/// # Errors
/// The archive cannot be packed.
pub fn problem_report(start: &Path, programs: &Programs, page_errors: &[String]) -> Result<Packed, ApiError> {
    let mut redactor = Redactor::for_this_user();
    let mut texts: Vec<(String, String)> = vec![("README.txt".to_owned(), README.to_owned())];
    let mut json = |name: &str, value: serde_json::Result<String>| {
        let text = value.unwrap_or_else(|error| format!("{{\"error\":{:?}}}", error.to_string()));
        texts.push((name.to_owned(), redactor.text(&text)));
    };
    json("system.json", serde_json::to_string_pretty(&facts::system()));
    json("doctor.json", serde_json::to_string_pretty(&doctor(start, programs)));
    json("settings.json", serde_json::to_string_pretty(&crate::settings::preferences::settings()));
    json("sessions.json", serde_json::to_string_pretty(&facts::sessions(start)));
    if !page_errors.is_empty() {
        texts.push(("page-errors.txt".to_owned(), redactor.text(&joined(page_errors))));
    }
    for path in newest_logs() {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if let Ok(text) = tail_of(&path) {
            texts.push((format!("logs/{name}"), redactor.text(&text)));
        }
    }
    let bytes = pack(&texts)
        .map_err(|error| ApiError::new(ErrorCode::Io, format!("the report could not be packed: {error}")))?;
    let entry = |(name, text): &(String, String)| ReportEntry {
        name: name.clone(),
        bytes: count(text.len()),
        tail: text[text.ceil_char_boundary(text.len().saturating_sub(SHOWN_TAIL))..].to_owned(),
    };
    let stamp = crate::context::now().format("%Y%m%d-%H%M%S");
    let report = ProblemReport {
        file_name: format!("beads-console-report-{stamp}.zip"),
        entries: texts.iter().map(entry).collect(),
        secrets_removed: redactor.removed(),
        archive: String::new(),
    };
    Ok(Packed { report, bytes })
}

fn joined(errors: &[String]) -> String {
    let (count, bytes) = PAGE_ERRORS;
    let newest = &errors[errors.len().saturating_sub(count)..];
    newest.iter().map(|error| format!("{}\n\n", &error[..error.floor_char_boundary(bytes)])).collect()
}

/// The most recently written log files, newest first.
fn newest_logs() -> Vec<PathBuf> {
    let entries = log_folder().and_then(|folder| std::fs::read_dir(folder).ok());
    let written = |entry: std::fs::DirEntry| {
        let meta = entry.metadata().ok().filter(std::fs::Metadata::is_file)?;
        let log = entry.path().extension().is_some_and(|end| end == "log");
        log.then(|| (meta.modified().unwrap_or(SystemTime::UNIX_EPOCH), entry.path()))
    };
    let mut files: Vec<_> = entries.into_iter().flatten().flatten().filter_map(written).collect();
    files.sort();
    files.into_iter().rev().take(LOG_FILES).map(|(_, path)| path).collect()
}

/// The last complete lines of a file, at most [`LOG_TAIL`] bytes.
fn tail_of(path: &Path) -> std::io::Result<String> {
    let mut file = File::open(path)?;
    let start = file.metadata()?.len().saturating_sub(LOG_TAIL);
    file.seek(SeekFrom::Start(start))?;
    let mut bytes = Vec::new();
    file.take(LOG_TAIL).read_to_end(&mut bytes)?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    Ok(match start {
        0 => text,
        _ => text.split_once('\n').map_or(String::new(), |(_, rest)| rest.to_owned()),
    })
}

fn pack(texts: &[(String, String)]) -> zip::result::ZipResult<Vec<u8>> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in texts {
        archive.start_file(name, SimpleFileOptions::default())?;
        archive.write_all(text.as_bytes())?;
    }
    Ok(archive.finish()?.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_archive_holds_its_texts() {
        let bytes = pack(&[("logs/a.log".to_owned(), "line\n".repeat(1000))]).expect("packing works");
        let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).expect("the bytes are an archive");
        let mut text = String::new();
        archive.by_name("logs/a.log").expect("an entry").read_to_string(&mut text).expect("valid text");
        assert_eq!(text.lines().count(), 1000);
    }

    #[test]
    fn a_long_log_is_kept_from_its_end_in_whole_lines() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("host.log");
        let line = format!("{}\n", "x".repeat(99));
        bc_store::file::replace(&path, line.repeat(20_000).as_bytes()).expect("the file can be written");
        let text = tail_of(&path).expect("the file can be read");
        assert!(text.len() as u64 <= LOG_TAIL && text.len() > 1_000_000);
        assert!(text.lines().all(|line| line.len() == 99));
    }

    #[test]
    fn only_the_newest_page_errors_are_kept_and_long_ones_are_cut() {
        let errors: Vec<String> = (0..200).map(|n| format!("error {n} {}", "ö".repeat(10_000))).collect();
        let text = joined(&errors);
        assert!(!text.contains("error 99 ") && text.contains("error 100 ") && text.contains("error 199 "));
        assert!(text.len() < 100 * (PAGE_ERRORS.1 + 3));
    }
}
