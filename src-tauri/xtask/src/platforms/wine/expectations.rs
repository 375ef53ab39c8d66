//! The tests that Wine cannot run, each with a reason, from `cannot.txt`.

use std::collections::BTreeMap;

/// The reasons, by package and test.
#[derive(Debug)]
pub(super) struct Expectations(BTreeMap<(&'static str, &'static str), &'static str>);

impl Expectations {
    pub(super) fn own() -> Result<Expectations, String> {
        Expectations::parse(include_str!("cannot.txt"))
    }

    fn parse(text: &'static str) -> Result<Expectations, String> {
        let mut all = BTreeMap::new();
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let parts = line.split_once(' ').and_then(|(package, rest)| {
                let (test, reason) = rest.split_once(": ")?;
                Some(((package, test.trim()), reason.trim()))
            });
            let Some((key, reason)) = parts.filter(|(key, reason)| !key.1.is_empty() && !reason.is_empty())
            else {
                return Err(format!("cannot.txt: not `PACKAGE TEST: REASON`: {line}"));
            };
            if all.insert(key, reason).is_some() {
                return Err(format!("cannot.txt: listed twice: {line}"));
            }
        }
        Ok(Expectations(all))
    }

    /// Returns a package's listed tests, each with its reason.
    pub(super) fn of(&self, package: &str) -> Vec<(&'static str, &'static str)> {
        let of = |((in_package, test), reason): (&(&'static str, &'static str), &&'static str)| {
            (*in_package == package).then_some((*test, *reason))
        };
        self.0.iter().filter_map(of).collect()
    }

    #[cfg(test)]
    pub(super) fn packages(&self) -> impl Iterator<Item = &'static str> {
        self.0.keys().map(|(package, _)| *package)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_names_a_package_a_test_and_a_reason() {
        let list =
            Expectations::parse("# why\n\nbc-git a::b: it runs sh\nbc-git c: x: y\nbc-host a::b: no\n")
                .unwrap();
        assert_eq!(list.of("bc-git"), [("a::b", "it runs sh"), ("c", "x: y")]);
        for bad in ["bc-git a::b", "bc-git: why", "bc-git a::b: ", "bc-git a: x\nbc-git a: y"] {
            assert!(Expectations::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn the_list_names_packages_of_this_workspace_only() {
        let project = crate::project::Project::find().unwrap();
        for name in Expectations::own().unwrap().packages() {
            assert!(project.metadata.packages.iter().any(|package| package.name.as_str() == name), "{name}");
        }
    }
}
