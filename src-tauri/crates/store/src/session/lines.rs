//! Reading a file of JSON lines: torn and foreign lines are told of and never cost another line.

use super::{Problem, StoreError};
use crate::FileError;
use bc_core::message::in_line;
use serde::de::DeserializeOwned;
use std::{
    fs::File,
    io::{self, BufRead, BufReader},
    path::Path,
};

/// Gives each line's value to `each` and returns what was passed over. No file has no lines.
pub(super) fn read_lines<T: DeserializeOwned>(
    path: &Path,
    mut each: impl FnMut(T),
) -> Result<Vec<Problem>, StoreError> {
    let error = |source| FileError::Read { path: path.into(), source };
    let mut reader = match File::open(path) {
        Ok(file) => BufReader::new(file),
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(source) => return Err(error(source).into()),
    };
    let mut problems = Vec::new();
    let mut bytes = Vec::new();
    for line in 1.. {
        bytes.clear();
        if reader.read_until(b'\n', &mut bytes).map_err(error)? == 0 {
            break;
        }
        let whole = bytes.ends_with(b"\n");
        let (values, error) = in_line(&bytes);
        values.into_iter().for_each(|(_, value)| each(value));
        match error {
            None => {}
            Some(source) if whole => problems.push(Problem::ForeignLine { path: path.into(), line, source }),
            Some(_) => problems.push(Problem::TornLine { path: path.into(), bytes: bytes.len() as u64 }),
        }
    }
    Ok(problems)
}
