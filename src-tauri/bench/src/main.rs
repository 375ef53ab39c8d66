//! Measures operations of the product, most of them against a baseline that does only the minimum.
//! `cargo xtask bench` builds all programs and runs this one.
//!
//! A missed goal is reported, but the exit code stays 0, because the cause may be a busy machine.

mod bare;
mod chromium;
mod display;
mod environment;
mod error;
mod family;
mod hosting;
mod http;
mod machine;
mod pages;
mod recorded;
mod report;
mod rounds;
mod rows;
mod samples;
mod serving;
mod ssh_place;
mod watching;

use crate::{
    environment::Bench,
    machine::Machine,
    report::{Measured, Report},
    rows::{ROWS, Row},
};
use std::{
    path::{Path, PathBuf},
    process::ExitCode,
};

const USAGE: &str = "\
bc-bench [--row NAME]... [--quick] [--list] [--keep DIR]

  --row NAME   only this row (can be repeated)
  --quick      few rounds, as a smoke test
  --list       list the rows
  --keep DIR   write the run to DIR/tests/bench/runs and its table into DIR/docs/benchmarks.md";

/// The lines of docs/benchmarks.md before and after the latest table.
const MARKS: [&str; 2] = ["<!-- table -->", "<!-- end of the table -->"];

struct Options {
    rows: Vec<&'static Row>,
    quick: bool,
    keep: Option<PathBuf>,
    /// The arguments except `--keep`, for the report.
    args: String,
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if args == ["--list"] {
        ROWS.iter().for_each(|row| println!("{:<16} {} / {}", row.name, row.operation, row.baseline));
        return ExitCode::SUCCESS;
    }
    let Some(options) = parse(&args) else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    let programs = std::env::current_exe().ok().and_then(|exe| Some(exe.parent()?.to_owned()));
    let Some(programs) = programs else {
        eprintln!("bc-bench: this program cannot find its own folder");
        return ExitCode::FAILURE;
    };
    let bench = Bench { programs, quick: options.quick };
    let machine = Machine::current();
    let mut measured = Vec::new();
    for row in &options.rows {
        eprintln!("{} …", row.name);
        machine::wait_idle();
        let samples = (row.measure)(&bench);
        measured.push(Measured::new(row, samples));
    }
    let report = Report::new(format!("cargo xtask bench{}", options.args), machine.clone(), measured);
    println!("{}", report.table());
    match options.keep.map(|root| save(&root, &report, &machine)) {
        None | Some(Ok(())) => ExitCode::SUCCESS,
        Some(Err(error)) => {
            eprintln!("bc-bench: the run could not be stored: {error}");
            ExitCode::FAILURE
        }
    }
}

fn parse(args: &[String]) -> Option<Options> {
    let mut options = Options { rows: Vec::new(), quick: false, keep: None, args: String::new() };
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        match arg.as_str() {
            "--quick" => options.quick = true,
            "--row" => {
                let name = rest.next()?;
                options.rows.push(ROWS.iter().find(|row| row.name == name)?);
                options.args.push_str(&format!(" --row {name}"));
            }
            "--keep" => options.keep = Some(PathBuf::from(rest.next()?)),
            _ => return None,
        }
    }
    if options.quick {
        options.args.push_str(" --quick");
    }
    if options.rows.is_empty() {
        options.rows = ROWS.iter().collect();
    }
    Some(options)
}

/// Writes the run to `tests/bench/runs` and its table into `docs/benchmarks.md`, both below `root`.
fn save(root: &Path, report: &Report, machine: &Machine) -> std::io::Result<()> {
    let runs = root.join("tests").join("bench").join("runs");
    std::fs::create_dir_all(&runs)?;
    write(&runs.join(machine.file_name()), &report.json())?;
    let document = root.join("docs").join("benchmarks.md");
    let text = std::fs::read_to_string(&document)?;
    let [begin, end] = MARKS;
    let (Some((before, _)), Some((_, after))) = (text.split_once(begin), text.split_once(end)) else {
        return Err(std::io::Error::other(format!("{} has no lines {begin} and {end}", document.display())));
    };
    write(&document, &format!("{before}{begin}\n{}{end}{after}", report.table()))
}

// A plain write, because these are documents of the source tree, not data of a user.
#[allow(clippy::disallowed_methods)]
fn write(path: &Path, text: &str) -> std::io::Result<()> {
    std::fs::write(path, text)
}
