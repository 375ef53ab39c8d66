//! The project's own checks. Each violation names the file and the remedy. The checks run in `cargo xtask
//! tidy` and in a test.

mod arrows;
mod banned;
mod callers;
mod code_map;
mod docstrings;
mod documents;
mod file_cycles;
mod folder_arrows;
mod length;
mod modules;
mod purity;
mod source;
mod words;

use crate::{command::Step, error::XtaskError, licences, project::Project};
use source::{SourceFile, Violation};
use std::{fs, process::ExitCode};

/// `cargo xtask tidy`: prints the violations.
pub(crate) fn tidy(project: &Project) -> Result<ExitCode, XtaskError> {
    Ok(if check(project)? { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Prints the violations. Returns true if there are none.
pub(crate) fn check(project: &Project) -> Result<bool, XtaskError> {
    let broken = violations(project)?;
    for violation in &broken {
        eprintln!("tidy: {violation}");
    }
    let refused = licences::refused(project)?;
    for message in &refused {
        eprintln!("licences: {message}");
    }
    Ok(broken.is_empty() && refused.is_empty())
}

fn violations(project: &Project) -> Result<Vec<Violation>, XtaskError> {
    let files = sources(project)?;
    let mut broken = arrows::check(&files, &arrows::edges(&project.metadata));
    broken.extend(documents::check(&files));
    broken.extend(code_map::check(&files));
    broken.extend(callers::check(&files));
    broken.extend(folder_arrows::check(&files));
    broken.extend(file_cycles::check(&files));
    for file in &files {
        broken.extend(banned::check(file));
        broken.extend(docstrings::check(file));
        broken.extend(length::check(file));
        broken.extend(modules::check(file));
        broken.extend(purity::check(file));
        broken.extend(words::check(file));
    }
    Ok(broken)
}

/// Returns the text files that git tracks or would add, without `Cargo.lock`, the tracker's files, and the
/// third-party samples in `tests/data`.
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
            // The file was deleted without a commit, or it is a dangling link.
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
    fn this_source_tree_has_no_violations() {
        let broken = violations(&Project::find().unwrap()).unwrap();
        let lines: Vec<String> = broken.iter().map(Violation::to_string).collect();
        assert!(lines.is_empty(), "\n{}", lines.join("\n"));
    }
}
