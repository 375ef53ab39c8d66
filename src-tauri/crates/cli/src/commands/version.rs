//! `version` and `licences`: about the program itself.

use crate::{args::VersionArgs, failure::Failure, io::Io};
use bc_core::text::plain;
use bc_wire::{
    ApiError, ErrorCode,
    app::{Licences, VersionCheck},
};
use serde_json::json;

/// Prints this version and, with `--check`, the newest version. `ask` looks up the newest version at the
/// given address, or by default at the address in the settings.
pub(crate) fn version(
    args: &VersionArgs,
    ask: impl FnOnce(Option<&str>) -> Result<VersionCheck, ApiError>,
    json: bool,
    io: &mut dyn Io,
) -> Result<(), Failure> {
    let version = env!("CARGO_PKG_VERSION");
    if !args.check {
        let shown = json!({ "version": version });
        return super::context::print(&shown, json, io, |_, _| format!("beads-console {version}\n"));
    }
    let checked = ask(args.source.as_deref())?;
    super::context::print(&checked, json, io, |checked, _| checked_text(checked))
}

fn checked_text(checked: &VersionCheck) -> String {
    let VersionCheck { version, latest, newer, source } = checked;
    let source = plain(source);
    match latest {
        Some(latest) if *newer => format!(
            "beads-console {latest} is available at {source}; this is {version}.\n\
             Install it the way you installed this one: nothing is installed automatically.\n"
        ),
        Some(latest) => format!("beads-console {version}; the newest version at {source} is {latest}.\n"),
        None => format!("beads-console {version}; {source} has no released version.\n"),
    }
}

/// Prints the licences of the program and its parts. Fails if this build does not contain them.
pub(crate) fn licences(licences: &Licences, json: bool, io: &mut dyn Io) -> Result<(), Failure> {
    if licences.text.is_empty() {
        let text = "this build does not contain the licence texts; packages do";
        return Err(ApiError::new(ErrorCode::Io, text)
            .hint("in the source tree, `cargo xtask licences` writes them")
            .into());
    }
    super::context::print(licences, json, io, |licences, _| licences.text.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_doubles::FakeUser;

    fn checked(latest: Option<&str>, newer: bool) -> VersionCheck {
        VersionCheck {
            version: "0.1.0".to_owned(),
            latest: latest.map(str::to_owned),
            newer,
            source: "https://example.org/console.git".to_owned(),
        }
    }

    #[test]
    fn version_without_check_makes_no_request() {
        let mut user = FakeUser::away();
        let args = VersionArgs { check: false, source: None };
        version(&args, |_| panic!("nothing may be asked"), false, &mut user).unwrap();
        assert_eq!(user.printed(), format!("beads-console {}\n", env!("CARGO_PKG_VERSION")));
    }

    #[test]
    fn check_asks_the_given_address_and_names_it() {
        let mut user = FakeUser::away();
        let args = VersionArgs { check: true, source: Some("/releases".to_owned()) };
        let ask = |source: Option<&str>| {
            assert_eq!(source, Some("/releases"));
            Ok(checked(Some("0.2.0"), true))
        };
        version(&args, ask, false, &mut user).unwrap();
        let printed = user.printed();
        assert!(printed.contains("0.2.0 is available at https://example.org/console.git"), "{printed}");
        assert!(checked_text(&checked(Some("0.1.0"), false)).contains("the newest version"));
        assert!(checked_text(&checked(None, false)).contains("no released version"));
    }

    #[test]
    fn build_without_licence_texts_says_so() {
        let mut user = FakeUser::away();
        let empty = Licences { text: String::new() };
        assert_eq!(licences(&empty, false, &mut user).unwrap_err().exit_code(), 1);
        let full = Licences { text: "MIT\n".to_owned() };
        licences(&full, false, &mut user).unwrap();
        assert_eq!(user.printed(), "MIT\n");
    }
}
