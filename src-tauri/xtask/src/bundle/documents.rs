//! Documents for packages: shell completions and man pages, which the built program generates, and licences.

use crate::{
    command::Step,
    error::XtaskError,
    files::{copy, emptied, save},
    licences::Written,
    project::Project,
};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// The shells, each with the usual file name of its completions for `beads-console`.
const SHELLS: &[(&str, &str)] = &[
    ("bash", "beads-console"),
    ("zsh", "_beads-console"),
    ("fish", "beads-console.fish"),
    ("powershell", "_beads-console.ps1"),
    ("elvish", "beads-console.elv"),
];

/// Writes `completions/SHELL/NAME` and `man/*.1`. On Linux, compresses the man pages, as Linux packages
/// require.
pub(super) fn write(project: &Project, program: &Path) -> Result<(), XtaskError> {
    let completions = emptied(project.bundled()?.join("completions"))?;
    for (shell, name) in SHELLS {
        let script = Step::new(program).args(["completions", shell]).read()?;
        save(&completions.join(shell).join(name), script)?;
    }
    let man = emptied(project.bundled()?.join("man"))?;
    Step::new(program).args(["man", "--dir"]).args([&man]).read()?;
    if cfg!(target_os = "linux") {
        let unread = |source| XtaskError::Read { path: man.clone(), source };
        let pages: Result<Vec<PathBuf>, XtaskError> =
            fs::read_dir(&man).map_err(unread)?.map(|page| Ok(page.map_err(unread)?.path())).collect();
        // `--no-name` omits the time, so that equal pages produce equal bytes.
        Step::new("gzip").args(["--best", "--no-name"]).args(pages?).read()?;
    }
    Ok(())
}

/// Copies completions, man pages and licences to their standard locations in a `share` folder.
pub(super) fn copy_into(project: &Project, written: &Written, share: &Path) -> Result<(), XtaskError> {
    let made = project.bundled()?;
    let places = [
        ("bash/beads-console", "bash-completion/completions/beads-console"),
        ("zsh/_beads-console", "zsh/site-functions/_beads-console"),
        ("fish/beads-console.fish", "fish/vendor_completions.d/beads-console.fish"),
    ];
    for (from, to) in places {
        copy(&made.join("completions").join(from), &share.join(to))?;
    }
    let man = made.join("man");
    let unread = |source| XtaskError::Read { path: man.clone(), source };
    for page in fs::read_dir(&man).map_err(unread)? {
        let page = page.map_err(unread)?;
        copy(&page.path(), &share.join("man/man1").join(page.file_name()))?;
    }
    let doc = share.join("doc/beads-console");
    let licences = ["LICENSE-APACHE", "LICENSE-MIT"].map(|name| project.root().join(name));
    for file in licences.iter().chain([&written.text, &written.sbom]) {
        copy(file, &doc.join(file.file_name().unwrap_or_default()))?;
    }
    Ok(())
}
