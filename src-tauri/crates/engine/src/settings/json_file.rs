//! Settings files that other processes and users can edit at the same time. A change is applied to the current
//! content under a lock, and an invalid file is saved under another name before it is replaced.

use bc_core::Extra;
use bc_store::{FileError, file, lock::FileLock};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::{io, path::Path, time::Duration};

/// How long to wait for another process's change, which usually takes milliseconds.
const WAIT: Duration = Duration::from_secs(10);

/// The maximum number of saved invalid files.
const ASIDE: u32 = 100;

/// The file's fields; empty if the file is missing, unreadable or invalid.
pub(crate) fn read(path: &Path) -> Extra {
    let bytes = file::read(path).ok().flatten().unwrap_or_default();
    serde_json::from_slice(&bytes).unwrap_or_default()
}

/// The settings in these fields. An unreadable setting has its default and does not affect the others.
pub(super) fn readable<T: DeserializeOwned + Default>(fields: &Extra) -> T {
    let mut readable = fields.clone();
    readable.retain(|name, value| is_readable::<T>(name, value));
    serde_json::from_value(readable.into()).unwrap_or_default()
}

/// Whether this version can read a setting's value.
pub(super) fn is_readable<T: DeserializeOwned>(name: &str, value: &Value) -> bool {
    let alone = Extra::from_iter([(name.to_owned(), value.clone())]);
    serde_json::from_value::<T>(alone.into()).is_ok()
}

/// Applies a change to the file's current fields, and returns its result.
///
/// # Errors
/// The file cannot be read or written, or another process holds the lock for too long. The file is then unchanged.
pub(crate) fn change<T>(path: &Path, change: impl FnOnce(&mut Extra) -> T) -> Result<T, FileError> {
    path.parent().map_or(Ok(()), file::create_dir)?;
    let lock = path.with_extension("lock");
    let held = FileLock::exclusive(&lock, WAIT)?;
    let _held =
        held.ok_or_else(|| FileError::Lock { path: lock, source: io::ErrorKind::WouldBlock.into() })?;
    let bytes = file::read(path)?.unwrap_or_default();
    let mut fields = match serde_json::from_slice::<Extra>(&bytes) {
        Ok(fields) => fields,
        Err(_) => {
            put_aside(path, &bytes)?;
            Extra::new()
        }
    };
    let made = change(&mut fields);
    let mut text = serde_json::to_vec_pretty(&fields).expect("settings have string keys");
    text.push(b'\n');
    file::replace(path, &text)?;
    Ok(made)
}

fn put_aside(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    if bytes.is_empty() {
        return Ok(());
    }
    for n in 1..=ASIDE {
        let aside = path.with_extension(format!("broken-{n}.json"));
        // An earlier change that was interrupted may have saved the same text.
        if file::create(&aside, bytes)? || file::read(&aside)?.is_some_and(|kept| kept == bytes) {
            return Ok(());
        }
    }
    Err(FileError::Create { path: path.into(), source: io::ErrorKind::AlreadyExists.into() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    #[test]
    fn concurrent_changes_are_all_kept() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("new/settings.json");
        thread::scope(|scope| {
            for n in 0..8 {
                let path = &path;
                scope.spawn(move || change(path, |fields| fields.insert(n.to_string(), n.into())).unwrap());
            }
        });
        assert_eq!(read(&path).len(), 8);
    }

    #[test]
    fn a_malformed_settings_file_is_kept_aside() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("settings.json");
        for text in [b"{\"a\":1,}" as &[u8], b"{\"b\":2,}"] {
            file::replace(&path, text).unwrap();
            change(&path, |fields| fields.insert("mine".into(), 1.into())).unwrap();
            assert_eq!(read(&path)["mine"], 1);
        }
        let kept = |n| file::read(&dir.path().join(format!("settings.broken-{n}.json"))).unwrap();
        assert_eq!((kept(1).unwrap(), kept(2).unwrap()), (b"{\"a\":1,}".into(), b"{\"b\":2,}".into()));
        assert_eq!(kept(3), None);
    }

    #[test]
    fn an_unreadable_file_stays_unchanged() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("settings.json");
        file::create_dir(&path).unwrap();
        assert!(change(&path, |fields| fields.insert("mine".into(), 1.into())).is_err());
        assert!(path.is_dir());
    }
}
