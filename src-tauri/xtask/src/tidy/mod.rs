//! The project's own rules, each a check that names the file and what to do. They run as
//! `cargo xtask tidy` and as a test.

mod arrows;
mod documents;
mod length;
mod modules;
mod purity;
mod words;

use crate::{command::Step, error::XtaskError, project::Project};
use std::{fmt, fs, process::ExitCode};

/// A rule that is broken somewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Violation {
    /// The file or the package.
    place: String,
    /// What is wrong, and what to do.
    what: String,
}

impl Violation {
    fn new(place: impl Into<String>, what: impl Into<String>) -> Violation {
        Violation { place: place.into(), what: what.into() }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.what)
    }
}

/// A file of the source tree that is text.
#[derive(Debug)]
struct SourceFile {
    /// With `/`, relative to the root.
    path: String,
    text: String,
}

#[cfg(test)]
impl SourceFile {
    fn new(path: &str, text: impl Into<String>) -> SourceFile {
        SourceFile { path: path.to_owned(), text: text.into() }
    }
}

/// The verb: prints what is broken.
pub(crate) fn tidy(project: &Project) -> Result<ExitCode, XtaskError> {
    Ok(if check(project)? { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Prints what is broken; true when nothing is.
pub(crate) fn check(project: &Project) -> Result<bool, XtaskError> {
    let broken = violations(project)?;
    for violation in &broken {
        eprintln!("tidy: {violation}");
    }
    Ok(broken.is_empty())
}

fn violations(project: &Project) -> Result<Vec<Violation>, XtaskError> {
    let files = sources(project)?;
    let mut broken = arrows::check(&files, &arrows::edges(&project.metadata));
    broken.extend(documents::check(&files));
    for file in &files {
        broken.extend(length::check(file));
        broken.extend(modules::check(file));
        broken.extend(purity::check(file));
        broken.extend(words::check(file));
    }
    Ok(broken)
}

/// The files that git knows or would add, as far as they are text. What the tracker writes and what
/// others wrote (the samples in `tests/data`) is not ours to judge.
fn sources(project: &Project) -> Result<Vec<SourceFile>, XtaskError> {
    let list = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
    let paths = Step::new("git").args(list).dir(project.root()).read()?;
    let ours = |path: &&str| {
        let foreign = path.starts_with(".beads/") || path.contains("tests/data/") || *path == "Cargo.lock";
        !path.is_empty() && !foreign
    };
    let mut files = Vec::new();
    for path in paths.split('\0').filter(ours) {
        let place = project.root().join(path);
        match fs::read(&place) {
            Ok(bytes) => {
                files.extend(String::from_utf8(bytes).ok().map(|text| SourceFile { path: path.into(), text }))
            }
            // Deleted and not committed yet, or a link to nowhere.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(_) if place.is_dir() => {}
            Err(source) => return Err(XtaskError::Read { path: place, source }),
        }
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_source_tree_keeps_its_rules() {
        let broken = violations(&Project::find().unwrap()).unwrap();
        let lines: Vec<String> = broken.iter().map(Violation::to_string).collect();
        assert!(lines.is_empty(), "\n{}", lines.join("\n"));
    }
}
