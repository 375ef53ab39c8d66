//! Zig as the C compiler for a target.
//!
//! Build scripts pass options for Apple's or GNU's compiler, and zig refuses some of them or interprets them
//! differently. A small script in the target's folder removes these options. Zig does not include the headers
//! of Apple's frameworks, so the script compiles an empty file instead of an Objective-C file. The result is
//! never linked.

use super::target::Target;
use crate::{command::Step, error::XtaskError, files};
use std::{os::unix::fs::PermissionsExt, path::Path};

/// Writes the scripts that call zig, and sets them as the compilers in a build's environment.
pub(super) fn give(
    mut step: Step,
    target: &Target,
    zig_target: &str,
    zig: &Path,
    folder: &Path,
) -> Result<Step, XtaskError> {
    let tools = files::created(folder.join("tools"))?;
    let suffix = target.triple.replace('-', "_");
    for (variable, name, text) in [
        ("CC", "cc", compiler(zig, "cc", zig_target)),
        ("CXX", "c++", compiler(zig, "c++", zig_target)),
        ("AR", "ar", format!("#!/bin/sh\nexec {} ar \"$@\"\n", quoted(zig))),
    ] {
        let script = tools.join(name);
        // Do not rewrite an unchanged script, because build scripts compare its modification time.
        if std::fs::read_to_string(&script).ok().as_ref() != Some(&text) {
            files::save(&script, &text)?;
            std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755))
                .map_err(|source| XtaskError::Write { path: script.clone(), source })?;
        }
        step = step.env(&format!("{variable}_{suffix}"), &script);
    }
    // Build scripts for Apple's targets would otherwise query Xcode for its headers; zig includes its own.
    Ok(step.env("SDKROOT", files::created(folder.join("sdk"))?))
}

fn compiler(zig: &Path, mode: &str, zig_target: &str) -> String {
    format!(
        r#"#!/bin/bash
kept=()
while [ $# -gt 0 ]; do
  case $1 in
    --target=*|-mmacosx-version-min=*|-mmacos-version-min=*) ;;
    -arch|-isysroot|-target) shift ;;
    *.m) kept+=(-x c /dev/null) ;;
    *) kept+=("$1") ;;
  esac
  shift
done
exec {zig} {mode} -target {zig_target} "${{kept[@]}}"
"#,
        zig = quoted(zig)
    )
}

fn quoted(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_of_other_compilers_are_dropped_and_all_others_kept() {
        let dir = tempfile::tempdir().unwrap();
        let script = dir.path().join("cc");
        files::save(&script, compiler(Path::new("/bin/echo"), "cc", "aarch64-macos")).unwrap();
        let args =
            ["-arch", "arm64", "-O2", "--target=arm64-apple-macosx", "-isysroot", "/sdk", "-c", "a b.c"];
        let objective = ["-fmodules", "-o", "notify.o", "-c", "objc/notify.m"];
        let output = Step::new("bash").args([&script]).args(args).read().unwrap();
        assert_eq!(output.trim(), "cc -target aarch64-macos -O2 -c a b.c");
        let output = Step::new("bash").args([&script]).args(objective).read().unwrap();
        assert_eq!(output.trim(), "cc -target aarch64-macos -fmodules -o notify.o -c -x c /dev/null");
    }

    #[test]
    fn a_path_is_one_word() {
        assert_eq!(quoted(Path::new("/it's here")), r"'/it'\''s here'");
    }
}
