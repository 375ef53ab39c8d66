//! `doctor`: the checks, and with `--report` an archive for a bug report.

use crate::{args::DoctorArgs, failure::Failure, io::Io, output};
use bc_app::Existing;
use bc_engine::Packed;
use bc_wire::{ApiError, ErrorCode, app::ProblemReport, doctor::DoctorReport};
use serde::Serialize;
use serde_json::{Value, json};
use std::path::Path;

/// The output of `doctor --json`.
#[derive(Serialize)]
struct Printed<'a> {
    #[serde(flatten)]
    checks: &'a DoctorReport,
    #[serde(skip_serializing_if = "Option::is_none")]
    report: Option<Value>,
}

/// Prints the checks and saves the report, if requested. Fails if no session can be started.
pub(crate) fn doctor(
    args: &DoctorArgs,
    checks: &DoctorReport,
    pack: impl FnOnce() -> Result<Packed, ApiError>,
    json: bool,
    io: &mut dyn Io,
) -> Result<(), Failure> {
    let saved = match &args.report {
        Some(path) => Some(save(path, args.force, pack()?, json, io)?),
        None => None,
    };
    let report = saved.as_ref().map(|(place, report)| in_json(place, report));
    let printed = Printed { checks, report };
    super::context::print(&printed, json, io, |_, style| {
        let mut text = output::doctor::report(checks, style);
        if let Some((place, report)) = &saved {
            text.push_str(&output::doctor::saved(place, report));
        }
        text
    })?;
    match checks.ok {
        true => Ok(()),
        false => Err(Failure::Reported),
    }
}

fn save(
    path: &Path,
    force: bool,
    packed: Packed,
    json: bool,
    io: &mut dyn Io,
) -> Result<(String, ProblemReport), Failure> {
    let existing = if force { Existing::Replace } else { Existing::Keep };
    let place = match bc_app::save_as(path, &packed.bytes, existing) {
        Err(refusal) if refusal.code == ErrorCode::ConfirmationNeeded && !json && io.can_ask() => {
            match io.ask(&refusal.message)? {
                true => bc_app::save_as(path, &packed.bytes, Existing::Replace)?,
                false => {
                    return Err(ApiError::new(ErrorCode::ConfirmationNeeded, "nothing was written").into());
                }
            }
        }
        saved => saved?,
    };
    Ok((place.display().to_string(), packed.report))
}

fn in_json(place: &str, report: &ProblemReport) -> Value {
    let entry = |entry: &bc_wire::app::ReportEntry| json!({"name": entry.name, "bytes": entry.bytes});
    json!({
        "file": place,
        "entries": report.entries.iter().map(entry).collect::<Vec<_>>(),
        "secrets_removed": report.secrets_removed,
    })
}
