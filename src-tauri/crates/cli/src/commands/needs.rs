//! `session needs --watch`: prints the list of needs again at each change.

use crate::{
    failure::Failure,
    io::Io,
    output::{Style, needs},
};
use bc_wire::{ApiError, ErrorCode, session::Needs};

/// Prints the changed list: a line of JSON, or the table with an empty line after it.
pub(crate) fn changed(needs: &Needs, json: bool, style: &Style, io: &mut dyn Io) -> Result<(), Failure> {
    let text = match json {
        true => serde_json::to_string(needs)
            .map_err(|e| ApiError::new(ErrorCode::Internal, format!("cannot serialize the result: {e}")))?,
        false => needs::list(needs, style),
    };
    let out = io.out();
    writeln!(out, "{text}")?;
    Ok(out.flush()?)
}
