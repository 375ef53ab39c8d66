//! Reads and appends JSON lines. Torn and unrecognized lines are reported and do not affect other lines.

use super::{Problem, StoreError};
use crate::{
    FileError,
    file::{Appender, read_line},
    repository,
};
use bc_core::message::in_line;
use serde::{Serialize, de::DeserializeOwned};
use std::{
    io::{self, BufReader},
    path::Path,
};

/// The maximum number of reported problems per file. A file in a clone may consist of invalid lines only.
pub(super) const PROBLEMS_MAX: usize = 10_000;

/// Calls `each` with every value in the file, and returns up to [`PROBLEMS_MAX`] skipped lines. A missing
/// file is treated as empty.
pub(super) fn read_lines<T: DeserializeOwned>(
    path: &Path,
    mut each: impl FnMut(T),
) -> Result<Vec<Problem>, StoreError> {
    let error = |source| FileError::Read { path: path.into(), source };
    let mut reader = match repository::open_log(path) {
        Ok(file) => BufReader::new(file),
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(source) => return Err(error(source).into()),
    };
    let mut problems = Vec::new();
    let mut bytes = Vec::new();
    for line in 1.. {
        bytes.clear();
        if read_line(&mut reader, &mut bytes).map_err(error)? == 0 {
            break;
        }
        let whole = bytes.ends_with(b"\n");
        let (values, error) = in_line(&bytes);
        values.into_iter().for_each(|(_, value)| each(value));
        match error {
            _ if problems.len() == PROBLEMS_MAX => {}
            None => {}
            Some(source) if whole => problems.push(Problem::ForeignLine { path: path.into(), line, source }),
            Some(_) => problems.push(Problem::TornLine { path: path.into(), bytes: bytes.len() as u64 }),
        }
    }
    Ok(problems)
}

/// Appends values as JSON lines. They are on disk when this function returns. On an error, none of them is
/// appended.
pub(super) fn append_lines<T: Serialize>(appender: &Appender, values: &[T]) -> Result<(), StoreError> {
    Ok(appender.append(&encode_lines(appender.path(), values)?)?)
}

/// Returns the bytes of the JSON lines for the file at `path`.
pub(super) fn encode_lines<T: Serialize>(path: &Path, values: &[T]) -> Result<Vec<u8>, StoreError> {
    let mut lines = Vec::new();
    for value in values {
        serde_json::to_writer(&mut lines, value)
            .map_err(|source| StoreError::Encode { path: path.into(), source })?;
        lines.push(b'\n');
    }
    Ok(lines)
}
