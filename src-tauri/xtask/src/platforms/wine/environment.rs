//! A separate Wine environment: its folder (prefix), a display, git for Windows, and a library that Wine 8
//! lacks.

use crate::{
    command::Step,
    display::Display,
    error::XtaskError,
    files,
    parts::{packages, windows_git},
    project::{self, Project},
};
use std::{
    fs::File,
    path::{Path, PathBuf},
};

/// The file that exists once the prefix is complete.
const READY: &str = "prefix-is-ready";

/// A prepared Wine environment. Its processes are terminated when this value is dropped.
#[derive(Debug)]
pub(super) struct Wine {
    folder: PathBuf,
    prefix: PathBuf,
    tools: PathBuf,
    /// The folder of git.exe.
    git: PathBuf,
    display: Display,
}

impl Wine {
    /// Installs Wine if necessary, compiles the library that Wine lacks, and creates the prefix.
    pub(super) fn open(project: &Project) -> Result<Wine, XtaskError> {
        packages::provide_wine()?;
        packages::provide_mingw()?;
        let folder = files::created(folder(project))?;
        let wine = Wine {
            prefix: folder.join("prefix"),
            folder: folder.clone(),
            tools: files::created(folder.join("tools"))?,
            git: windows_git::provide(&project::cache()?)?,
            display: Display::open()?,
        };
        compile(
            &wine.tools,
            "bcryptprimitives.dll",
            include_str!("bcryptprimitives.c"),
            &["-shared"],
            "advapi32",
        )?;
        let ready = folder.join(READY);
        if !ready.is_file() {
            eprintln!("creating the Wine prefix");
            wine.step(600, "wineboot").args(["-i"]).read()?;
            wine.step(120, "winecfg").args(["-v", "win10"]).read()?;
            files::save(&ready, "")?;
        }
        Ok(wine)
    }

    /// Whether a prefix was created before.
    pub(super) fn is_ready(project: &Project) -> bool {
        folder(project).join(READY).is_file()
    }

    pub(super) fn log(&self) -> Result<File, XtaskError> {
        let path = self.folder.join("output.log");
        files::save(&path, "")?;
        let opened = File::options().append(true).open(&path);
        opened.map_err(|source| XtaskError::Write { path, source })
    }

    /// Terminates all processes of this Wine environment, and returns the content of the log.
    pub(super) fn end_processes(&self) -> Result<String, XtaskError> {
        self.end();
        self.logged()
    }

    pub(super) fn logged(&self) -> Result<String, XtaskError> {
        let path = self.folder.join("output.log");
        let bytes = std::fs::read(&path).map_err(|source| XtaskError::Read { path, source })?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// Terminates only the processes of this prefix. They may already have exited.
    fn end(&self) {
        let server = ["/usr/lib/wine/wineserver64", "/usr/lib/wine/wineserver"];
        let server = server.into_iter().find(|path| Path::new(path).is_file()).unwrap_or("wineserver");
        let _ = self.give(Step::new(server)).args(["-k"]).read();
    }

    /// Creates a step that runs a Windows program with a time limit in seconds, because faults under Wine
    /// often appear as hangs.
    pub(super) fn step(&self, seconds: u32, program: impl AsRef<std::ffi::OsStr>) -> Step {
        let step =
            Step::new("timeout").args(["--kill-after=5", &seconds.to_string(), "wine"]).args([program]);
        self.give(step)
    }

    /// Sets the environment variables with which a step uses this Wine environment.
    pub(super) fn give(&self, step: Step) -> Step {
        let step = step
            .env("WINEPREFIX", &self.prefix)
            .env("WINEARCH", "win64")
            // These variables name programs for Linux.
            .env_remove("BC_TEST_BD")
            .env_remove("BC_TEST_CLAUDE")
            .env("WINEDEBUG", "-all")
            // Disable .NET (mscoree) and HTML (mshtml), which Wine would offer to download although no test
            // needs them.
            .env("WINEDLLOVERRIDES", "mscoree,mshtml=")
            .env("WINEPATH", [&self.tools, &self.git].map(PathBuf::as_path).map(windows_path).join(";"))
            // Make the tests independent of the user's git settings.
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env_remove("XDG_RUNTIME_DIR")
            .env_remove("XDG_STATE_HOME")
            .env_remove("XDG_CONFIG_HOME");
        self.display.give(step)
    }
}

/// The folder of Wine's files in the source tree.
fn folder(project: &Project) -> PathBuf {
    project.root().join("target/platforms/wine")
}

impl Drop for Wine {
    fn drop(&mut self) {
        self.end();
    }
}

/// Converts a Linux path for programs under Wine, where drive Z: is the root folder.
pub(super) fn windows_path(path: &Path) -> String {
    format!("Z:{}", path.display()).replace('/', "\\")
}

fn compile(
    tools: &Path,
    name: &str,
    source: &str,
    options: &[&str],
    library: &str,
) -> Result<(), XtaskError> {
    let (output, c) = (tools.join(name), tools.join(format!("{name}.c")));
    if output.is_file() && std::fs::read_to_string(&c).is_ok_and(|kept| kept == source) {
        return Ok(());
    }
    files::save(&c, source)?;
    let step = Step::new("x86_64-w64-mingw32-gcc").args(["-O1", "-s"]);
    step.args(options)
        .args([c.as_os_str(), "-o".as_ref(), output.as_os_str()])
        .args([format!("-l{library}")])
        .read_all()?;
    Ok(())
}
