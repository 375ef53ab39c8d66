//! Provides Zig from PyPI: a C compiler for other systems that includes their headers.

use super::{
    pypi,
    staging::{Staging, tail},
};
use crate::error::{XtaskError, with_causes};
use std::path::{Path, PathBuf};

const ZIG: &str = "0.15.2";

/// Returns the path of the program, and installs it if necessary.
pub(crate) fn provide(cache: &Path) -> Result<PathBuf, XtaskError> {
    let place = cache.join(format!("zig-{ZIG}"));
    let zig = place.join("ziglang/zig");
    if !zig.is_file() {
        let (log, path) = Staging::new(&place)?.log()?;
        eprintln!("zig: installing ziglang {ZIG} from PyPI (about 80 MB; {})", path.display());
        let hint = "install Python 3 with pip to fetch zig";
        pypi::install(&format!("ziglang=={ZIG}"), &place, hint, &log).map_err(|error| XtaskError::Part {
            part: "zig",
            why: format!("{}\n{}", with_causes(&error), tail(&path)),
        })?;
    }
    Ok(zig)
}
