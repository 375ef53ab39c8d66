//! Runs a user journey through a session with each claude version in `tests/tools/claude-versions.txt`, and
//! writes the table of results into `docs/claude-code.md`.
//!
//! Each version is removed after its run, because a version takes about 300 MB. npm verifies each version
//! against the integrity hash in the list.

use crate::{
    command::Step,
    error::XtaskError,
    files, npm,
    parts::Staging,
    project::{self, Project},
    tally::Counts,
};
use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
    process::ExitCode,
};

const PACKAGE: &str = "@anthropic-ai/claude-code-linux-x64";

/// A version of claude, and the integrity hash of its package.
#[derive(Debug, PartialEq, Eq)]
struct Pin<'a> {
    version: &'a str,
    integrity: &'a str,
}

/// The name of each step and its result per version, by the step's number.
type Table = BTreeMap<usize, (String, BTreeMap<String, String>)>;

/// Runs the journey with every version, and prints and saves the table. Returns true if every version passed,
/// or if claude's packages are not available for this system.
pub(crate) fn run(project: &Project, counts: &mut Counts) -> Result<bool, XtaskError> {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        eprintln!("SKIPPED the journeys with other versions of claude: their packages are for Linux on x64");
        counts.skipped += 1;
        return Ok(true);
    }
    let path = project.root().join("tests/tools/claude-versions.txt");
    let list = fs::read_to_string(&path).map_err(|source| XtaskError::Read { path, source })?;
    let pins = pins(&list);
    let (mut table, mut all) = (Table::new(), true);
    for pin in &pins {
        let passed = run_version(project, pin, &mut table)?;
        *(if passed { &mut counts.passed } else { &mut counts.failed }) += 1;
        all &= passed;
    }
    let versions: Vec<&str> = pins.iter().map(|pin| pin.version).collect();
    let markdown = markdown(&versions, &table);
    println!("{markdown}");
    save_table(&project.root().join("docs/claude-code.md"), &markdown)?;
    Ok(all)
}

/// `cargo xtask versions`: builds the programs and runs only these journeys.
pub(crate) fn versions(project: &Project) -> Result<ExitCode, XtaskError> {
    let built =
        Step::linting_cargo().args(["build", "--bins"]).args(["--package", "bc-cli", "--package", "bc-sim"]);
    if !built.dir(project.root()).run()?.success() {
        return Ok(ExitCode::FAILURE);
    }
    Ok(if run(project, &mut Counts::default())? { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The lines of the document that surround the table.
const MARKS: [&str; 2] = ["<!-- table -->\n", "<!-- end of the table -->\n"];

fn save_table(path: &Path, table: &str) -> Result<(), XtaskError> {
    let read = |source| XtaskError::Read { path: path.to_owned(), source };
    let text = fs::read_to_string(path).map_err(read)?;
    let Some(text) = with_table(&text, table) else {
        return Err(read(io::Error::new(io::ErrorKind::InvalidData, "the table's marks are missing")));
    };
    files::save(path, text)
}

fn with_table(text: &str, table: &str) -> Option<String> {
    let (before, rest) = text.split_once(MARKS[0])?;
    let (_, after) = rest.split_once(MARKS[1])?;
    Some(format!("{before}{}{table}{}{after}", MARKS[0], MARKS[1]))
}

fn run_version(project: &Project, pin: &Pin<'_>, table: &mut Table) -> Result<bool, XtaskError> {
    // `staging` removes its folder when it is dropped.
    let staging = Staging::new(&project::cache()?.join(format!("claude-journey-{}", pin.version)))?;
    let program = install(staging.folder(), pin)?;
    let step = Step::linting_cargo()
        .args(["test", "--package", "bc-cli", "--test", "cli", "versions::"])
        .args(["--", "--include-ignored", "--nocapture"])
        .env("BC_TEST_CLAUDE", &program)
        .env("BC_TEST_DEMAND", "1")
        .dir(project.root());
    let status = step.stream(|line| {
        if let Some((number, name, word)) = step_of(line) {
            let row = table.entry(number).or_insert_with(|| (name.to_owned(), BTreeMap::new()));
            row.1.insert(pin.version.to_owned(), word.to_owned());
        }
        if !line.trim().is_empty() {
            println!("{line}");
        }
    })?;
    Ok(status.success())
}

fn install(folder: &Path, pin: &Pin<'_>) -> Result<PathBuf, XtaskError> {
    let Pin { version, integrity } = pin;
    let manifest = format!("{{\"private\":true,\"dependencies\":{{\"{PACKAGE}\":\"{version}\"}}}}");
    let lock = format!(
        "{{\"lockfileVersion\":3,\"requires\":true,\"packages\":{{\"\":{{\"dependencies\":{{\"{PACKAGE}\":\"{version}\"}}}},\
         \"node_modules/{PACKAGE}\":{{\"version\":\"{version}\",\"integrity\":\"{integrity}\"}}}}}}"
    );
    for (name, text) in [("package.json", manifest), ("package-lock.json", lock)] {
        files::save(&folder.join(name), text)?;
    }
    let install = ["ci", "--ignore-scripts", "--no-audit", "--no-fund"];
    if !npm::step(folder, &install)?.run()?.success() {
        let why = format!("npm ci of {PACKAGE} {version} failed");
        return Err(XtaskError::Part { part: "claude", why });
    }
    Ok(folder.join("node_modules").join(PACKAGE).join("claude"))
}

/// Parses lines of the form `VERSION INTEGRITY`.
fn pins(list: &str) -> Vec<Pin<'_>> {
    let lines = list.lines().map(str::trim).filter(|line| !line.starts_with('#'));
    lines
        .filter_map(|line| line.split_once(' '))
        .map(|(version, integrity)| Pin { version, integrity })
        .collect()
}

/// Parses a line of the test's output, of the form `JOURNEY VERSION NUMBER WORD NAME`.
fn step_of(line: &str) -> Option<(usize, &str, &str)> {
    let mut parts = line.strip_prefix("JOURNEY ")?.splitn(4, ' ');
    let (_, number, word, name) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    Some((number.parse().ok()?, name, word))
}

fn markdown(versions: &[&str], table: &Table) -> String {
    let mut text =
        format!("| | step | {} |\n|---|---|{}\n", versions.join(" | "), "---|".repeat(versions.len()));
    for (number, (name, words)) in table {
        let cells: Vec<&str> =
            versions.iter().map(|version| words.get(*version).map_or("–", String::as_str)).collect();
        text.push_str(&format!("| {number} | {name} | {} |\n", cells.join(" | ")));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_versions_is_read_without_its_comments() {
        let found = pins("# a comment\n2.1.150 sha512-a==\n\n2.1.330 sha512-b==\n");
        let versions: Vec<&str> = found.iter().map(|pin| pin.version).collect();
        assert_eq!((versions, found[1].integrity), (vec!["2.1.150", "2.1.330"], "sha512-b=="));
    }

    #[test]
    fn the_committed_list_pins_every_version() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
        let list = fs::read_to_string(root.join("tests/tools/claude-versions.txt")).unwrap();
        let pins = pins(&list);
        assert!(pins.len() >= 9 && pins.iter().all(|pin| pin.integrity.starts_with("sha512-")), "{pins:#?}");
    }

    #[test]
    fn the_table_has_a_column_per_version_and_a_dash_for_unreached_steps() {
        let mut table = Table::new();
        for line in [
            "JOURNEY 2.1.150 1 ok start with a prompt",
            "JOURNEY 2.1.330 1 FAILED start with a prompt",
            "noise",
        ] {
            if let Some((number, name, word)) = step_of(line) {
                let version = line.split(' ').nth(1).unwrap().to_owned();
                let row = table.entry(number).or_insert_with(|| (name.to_owned(), BTreeMap::new()));
                row.1.insert(version, word.to_owned());
            }
        }
        let markdown = markdown(&["2.1.150", "2.1.152", "2.1.330"], &table);
        let row = markdown.lines().nth(2).unwrap();
        assert_eq!(row, "| 1 | start with a prompt | ok | – | FAILED |");
        let text = with_table("a\n<!-- table -->\nold\n<!-- end of the table -->\nb\n", &markdown).unwrap();
        assert_eq!(text, format!("a\n<!-- table -->\n{markdown}<!-- end of the table -->\nb\n"));
        assert_eq!(with_table("no marks", &markdown), None);
    }
}
