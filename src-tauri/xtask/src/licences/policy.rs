//! The list of acceptable licences: those compatible with a program under MIT OR Apache-2.0.

use super::component::Component;
use spdx::{Expression, LicenseReq, ParseMode};

/// Permissive licences, one licence that covers only its own files (MPL-2.0), and one for fonts (OFL-1.1).
const ACCEPTABLE: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "ISC",
    "MIT",
    "MIT-0",
    "MPL-2.0",
    "OFL-1.1",
    "PSF-2.0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// Licence exceptions that only grant additional permissions.
const ADDITIONS: &[&str] = &["LLVM-exception"];

/// Components whose metadata does not state a licence, with the licence found in their licence file.
const FOUND: &[(&str, &str)] = &[("runed", "MIT"), ("svelte-toolbelt", "MIT")];

/// Returns a message for each component without an acceptable licence, with the reason and the remedy.
pub(super) fn refused(components: &[Component]) -> Vec<String> {
    components.iter().filter_map(refusal).collect()
}

fn refusal(component: &Component) -> Option<String> {
    let Component { name, version, .. } = component;
    let Some(stated) = stated(component) else {
        return Some(format!(
            "{name} {version} states no licence: read its licence file and add it to FOUND in policy.rs"
        ));
    };
    match parsed(stated) {
        Some(expression) if expression.evaluate(is_acceptable) => None,
        Some(_) => Some(format!(
            "{name} {version} has the licence {stated}, which is not on the list in policy.rs: replace the part, or \
             add the licence if it fits MIT OR Apache-2.0"
        )),
        None => Some(format!("{name} {version}: {stated:?} is not an SPDX licence expression")),
    }
}

/// Returns the licence that a component states, or that was found in its files.
pub(super) fn stated(component: &Component) -> Option<&str> {
    let found = || FOUND.iter().find(|(name, _)| *name == component.name).map(|(_, licence)| *licence);
    component.licence.as_deref().or_else(found)
}

/// Returns the names of the licences under which a component is used: the first acceptable licence that
/// suffices alone, or else all acceptable licences.
pub(super) fn used(component: &Component) -> Vec<&'static str> {
    let Some(expression) = stated(component).and_then(parsed) else { return Vec::new() };
    let all: Vec<&'static str> = expression
        .requirements()
        .filter(|requirement| is_acceptable(&requirement.req))
        .filter_map(|requirement| requirement.req.license.id().map(|id| id.name))
        .collect();
    let one = |name: &str| {
        expression.evaluate(|req| is_acceptable(req) && req.license.id().is_some_and(|id| id.name == name))
    };
    match all.iter().find(|name| one(name)) {
        Some(name) => vec![*name],
        None => all,
    }
}

/// Parses an SPDX expression. Older crates separate alternatives with `/`.
pub(super) fn parsed(text: &str) -> Option<Expression> {
    Expression::parse_mode(text, ParseMode::LAX).ok()
}

fn is_acceptable(requirement: &LicenseReq) -> bool {
    let licence = requirement.license.id().is_some_and(|id| ACCEPTABLE.contains(&id.name));
    let addition = requirement
        .addition
        .as_ref()
        .is_none_or(|addition| addition.id().is_some_and(|id| ADDITIONS.contains(&id.name)));
    licence && addition
}

#[cfg(test)]
mod tests {
    use super::{super::component::component, *};

    #[test]
    fn alternatives_need_one_acceptable_licence_and_conjunctions_need_all() {
        let check = |licence: &str| refusal(&component("part", Some(licence))).is_none();
        for licence in [
            "MIT",
            "MIT/Apache-2.0",
            "GPL-2.0-only OR MIT",
            "(MPL-2.0 OR Apache-2.0)",
            "Apache-2.0 WITH LLVM-exception OR MIT",
            "(MIT OR Apache-2.0) AND Unicode-3.0",
        ] {
            assert!(check(licence), "{licence}");
        }
        for licence in [
            "GPL-3.0-only",
            "MIT AND GPL-3.0-only",
            "LGPL-2.1-or-later",
            "AGPL-3.0-only",
            "CC-BY-NC-4.0",
            "my own",
        ] {
            assert!(!check(licence), "{licence}");
        }
    }

    #[test]
    fn a_component_without_a_licence_is_refused_unless_its_file_was_read() {
        assert!(refusal(&component("unknown", None)).unwrap().contains("states no licence"));
        assert_eq!(refusal(&component("runed", None)), None);
    }

    #[test]
    fn the_first_acceptable_alternative_is_used() {
        let used = |licence: &str| used(&component("part", Some(licence)));
        assert_eq!(used("GPL-2.0-only OR Apache-2.0 OR MIT"), ["Apache-2.0"]);
        assert_eq!(used("MIT AND Zlib"), ["MIT", "Zlib"]);
        assert_eq!(used("(MIT OR Apache-2.0) AND Unicode-3.0"), ["MIT", "Apache-2.0", "Unicode-3.0"]);
    }
}
