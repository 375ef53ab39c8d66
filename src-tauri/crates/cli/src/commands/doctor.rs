//! `doctor`: the checks, and with `--report` an archive for a bug report.

use super::export;
use crate::{args::DoctorArgs, failure::Failure, io::Io, output};
use bc_engine::Packed;
use bc_wire::{
    ApiError,
    app::{ProblemReport, ReportEntry},
    doctor::DoctorReport,
};
use serde::Serialize;
use serde_json::{Value, json};

/// The output of `doctor --json`.
#[derive(Serialize)]
struct Printed<'a> {
    #[serde(flatten)]
    checks: &'a DoctorReport,
    #[serde(skip_serializing_if = "Option::is_none")]
    report: Option<Value>,
}

/// Prints the checks and saves the report, if requested. Fails if a check found a problem.
pub(crate) fn doctor(
    args: &DoctorArgs,
    checks: &DoctorReport,
    pack: impl FnOnce() -> Result<Packed, ApiError>,
    json: bool,
    io: &mut dyn Io,
) -> Result<(), Failure> {
    let saved = match &args.report {
        Some(path) => {
            let packed = pack()?;
            let path = export::write(path, &packed.bytes, args.force, json, io)?;
            Some((path.display().to_string(), packed.report))
        }
        None => None,
    };
    let report = saved.as_ref().map(|(path, report)| in_json(path, report));
    let printed = Printed { checks, report };
    super::context::print(&printed, json, io, |_, style| {
        let mut text = output::doctor::report(checks, style);
        if let Some((path, report)) = &saved {
            text.push_str(&output::doctor::saved(path, report));
        }
        text
    })?;
    if checks.ok { Ok(()) } else { Err(Failure::Reported) }
}

fn in_json(path: &str, report: &ProblemReport) -> Value {
    let entry = |entry: &ReportEntry| json!({"name": entry.name, "bytes": entry.bytes});
    json!({
        "file": path,
        "entries": report.entries.iter().map(entry).collect::<Vec<_>>(),
        "secrets_removed": report.secrets_removed,
    })
}
