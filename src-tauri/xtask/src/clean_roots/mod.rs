//! Tests of the Linux packages, for `cargo xtask test --full`. Each package is installed, used and removed in
//! a root folder that contains only Debian's base system. npm packages are tested in an empty prefix.
//!
//! Each root is a copy of a debootstrap installation, so the tests do not change this machine's system. The
//! tests need root privileges for chroot and a separate mount namespace.

mod npm_prefix;
mod root;
mod trial;

use crate::{
    bundle,
    command::Step,
    error::{XtaskError, with_causes},
    parts::packages,
    project::Project,
    tally::Counts,
};
use root::Root;
use std::{path::Path, process::ExitCode};
use trial::Trial;

/// Builds and tests all packages. Returns true if no test failed.
pub(crate) fn run(project: &Project, counts: &mut Counts) -> Result<bool, XtaskError> {
    if Step::new("id").args(["-u"]).read()?.trim() != "0" {
        eprintln!("SKIPPED the tests of the packages: they need root privileges");
        counts.skipped += 1;
        return Ok(true);
    }
    packages::provide_clean_roots()?;
    let built = [bundle::bundle(project)?, bundle::bundle_npm(project)?];
    if built.iter().any(|code| *code != ExitCode::SUCCESS) {
        return Ok(false);
    }
    test_packages(project, counts)
}

/// The command `cargo xtask bundle --try`: tests packages that are already built.
pub(crate) fn try_built(project: &Project) -> Result<ExitCode, XtaskError> {
    packages::provide_clean_roots()?;
    let mut counts = Counts::default();
    let all = test_packages(project, &mut counts)?;
    println!("{} packages passed, {} failed", counts.passed, counts.failed);
    Ok(if all && counts.passed > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn test_packages(project: &Project, counts: &mut Counts) -> Result<bool, XtaskError> {
    let version = project.version();
    let packages = bundle::finished_packages(&project.built("release").join("bundle"))?;
    let mut all = true;
    let mut count = |name: &str, result: Result<(), XtaskError>| {
        match &result {
            Ok(()) => println!("ok {name}: installed, used and removed"),
            Err(error) => println!("FAILED {name}: {}", with_causes(error)),
        }
        *(if result.is_ok() { &mut counts.passed } else { &mut counts.failed }) += 1;
        all &= result.is_ok();
    };
    for (ending, test) in
        [("deb", deb as PackageTest), ("rpm", rpm as PackageTest), ("AppImage", appimage as PackageTest)]
    {
        let package = packages.iter().find(|path| path.extension().is_some_and(|found| found == ending));
        let result = match package {
            Some(package) => Root::new().and_then(|root| test(&root, package, &version)),
            None => Err(XtaskError::trial(ending, "it was not built: run `cargo xtask bundle`")),
        };
        count(ending, result);
    }
    count("npm", npm_prefix::test(project, &version));
    Ok(all)
}

/// The folder of the static programs in a package.
const PLACES: &str = "/usr/lib/beads-console/places";

/// A function that installs, uses and removes a package in a new root.
type PackageTest = fn(&Root, &Path, &str) -> Result<(), XtaskError>;

/// Tests the deb. Installs it with apt, which also tests its dependencies.
fn deb(root: &Root, package: &Path, version: &str) -> Result<(), XtaskError> {
    root.put(package, "/opt/package.deb")?;
    root.run(&["apt-get", "update", "-q"])?;
    root.run(&["apt-get", "install", "-y", "-q", "--no-install-recommends", "/opt/package.deb"])?;
    check_window_libraries(root)?;
    let trial = Trial::in_root(root, "/usr/bin/beads-console", version);
    trial.run()?;
    trial.places(PLACES)?;
    check_documents(root, "/usr/share/zsh/vendor-completions/_beads-console")?;
    root.run(&["apt-get", "purge", "-y", "-q", "beads-console"])?;
    root.check_nothing_left()
}

/// Tests the rpm. This machine's rpm installs it into the root, with a separate database. The dependencies
/// have other names in Debian, so they are not installed. The test only checks that the package requires
/// WebKitGTK.
fn rpm(root: &Root, package: &Path, version: &str) -> Result<(), XtaskError> {
    let rpm = |args: &[&str]| Step::new("rpm").args(["--root"]).args([root.folder()]).args(args);
    rpm(&["--initdb"]).read()?;
    rpm(&["--install", "--nodeps"]).args([package]).read()?;
    let needs = Step::new("rpm").args(["--query", "--requires", "--package"]).args([package]).read()?;
    if !needs.contains("webkit2gtk") {
        return Err(XtaskError::trial("rpm", &format!("it does not require WebKitGTK: {needs}")));
    }
    let trial = Trial::in_root(root, "/usr/bin/beads-console", version);
    trial.run()?;
    trial.places(PLACES)?;
    check_documents(root, "/usr/share/zsh/site-functions/_beads-console")?;
    rpm(&["--erase", "beads-console"]).read()?;
    root.check_nothing_left()
}

/// Tests the AppImage. Runs the file, and checks the unpacked copy in the user's cache.
fn appimage(root: &Root, package: &Path, version: &str) -> Result<(), XtaskError> {
    let file = "/opt/beads-console.AppImage";
    root.put(package, file)?;
    let trial = Trial::in_root(root, file, version);
    trial.run()?;
    let unpacked = root.run(&["find", trial::HOME, "-name", "AppRun", "-path", "*/appimage/*"])?;
    let Some((folder, "\n" | "")) = unpacked.split_once("/AppRun") else {
        return Err(XtaskError::trial("AppImage", &format!("it was unpacked to {unpacked:?}")));
    };
    trial.places(&format!("{folder}{PLACES}"))?;
    // Without WebKitGTK, the window must report the missing package.
    let refusal = root.run(&["sh", "-c", "HOME=/home/trial /opt/beads-console.AppImage 2>&1 || true"])?;
    if !refusal.contains("libwebkit2gtk-4.1-0") {
        return Err(XtaskError::trial(
            "AppImage",
            &format!("without WebKitGTK, the window printed {refusal:?}"),
        ));
    }
    root.run(&["rm", file])?;
    root.check_nothing_left()
}

/// Checks that the package's dependencies provide all libraries that the window needs.
fn check_window_libraries(root: &Root) -> Result<(), XtaskError> {
    let found = root.run(&["ldd", "/usr/bin/beads-console-desktop"])?;
    let missing: Vec<&str> = found.lines().filter(|line| line.contains("not found")).collect();
    match missing.is_empty() && found.contains("libwebkit2gtk") {
        true => Ok(()),
        false => Err(XtaskError::trial("deb", &format!("the window lacks {missing:?}"))),
    }
}

/// Checks that the completions, the man pages and the SBOM are in their standard locations.
fn check_documents(root: &Root, zsh: &str) -> Result<(), XtaskError> {
    let places = [
        "/usr/share/bash-completion/completions/beads-console",
        zsh,
        "/usr/share/fish/vendor_completions.d/beads-console.fish",
        "/usr/share/man/man1/beads-console.1.gz",
        "/usr/share/man/man1/beads-console-session-start.1.gz",
        "/usr/share/doc/beads-console/beads-console.cdx.json",
    ];
    let missing: Vec<&str> = places.into_iter().filter(|path| !root.path(path).is_file()).collect();
    match missing.is_empty() {
        true => Ok(()),
        false => Err(XtaskError::trial("documents", &format!("missing: {}", missing.join(", ")))),
    }
}
