//! Versions of claude and what each of them can do. The table is what was tried with real programs.

use bc_core::mode::PermissionMode;
use std::{fmt, str::FromStr};

/// A version of claude: `2.1.329`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version {
    /// Major.
    pub major: u32,
    /// Minor.
    pub minor: u32,
    /// Patch.
    pub patch: u32,
}

impl Version {
    /// The oldest one that works: before it, settings with one hook event that it did not know were
    /// dropped whole and without a word (seen with 2.1.39; 2.1.120 keeps the others).
    pub const OLDEST: Version = Version::new(2, 1, 120);
    /// The newest one that was tried.
    pub const NEWEST: Version = Version::new(2, 1, 329);
    /// From here on Manual is called `manual`; `default` before, which later ones still take.
    const NAMES_MANUAL: Version = Version::new(2, 1, 329);
    /// From here on the reply's text is seen while it streams (hook `MessageDisplay`; seen with 2.1.197,
    /// not with 2.1.120).
    const STREAMS_TEXT: Version = Version::new(2, 1, 197);

    /// A version of three numbers.
    pub const fn new(major: u32, minor: u32, patch: u32) -> Self {
        Version { major, minor, patch }
    }

    /// The value of `--permission-mode` for this version.
    pub fn mode_name(self, mode: PermissionMode) -> &'static str {
        match mode {
            PermissionMode::Manual if self < Version::NAMES_MANUAL => "default",
            mode => mode.as_str(),
        }
    }

    /// Whether the reply's text is seen before its message is complete.
    pub fn streams_text(self) -> bool {
        self >= Version::STREAMS_TEXT
    }
}

/// A text that has no version in it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is not a version of claude: one like 2.1.329 is wanted")]
pub struct NoVersion {
    /// The text, cut to 80 characters.
    pub text: String,
}

impl FromStr for Version {
    type Err = NoVersion;

    /// Reads what `claude --version` prints, `2.1.329 (Claude Code)`.
    fn from_str(text: &str) -> Result<Self, NoVersion> {
        let none = || NoVersion { text: bc_core::text::cut(text.trim(), 80) };
        let first = text.split_whitespace().next().ok_or_else(none)?;
        // A suffix, as of a preview, does not matter.
        let mut parts = first.trim_start_matches('v').splitn(3, '.').map(|part| {
            let digits = part.find(|c: char| !c.is_ascii_digit()).map_or(part, |end| &part[..end]);
            digits.parse().ok()
        });
        let mut next = || parts.next().flatten().ok_or_else(none);
        Ok(Version::new(next()?, next()?, next()?))
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_read_from_what_claude_prints() {
        let check =
            |text: &str, expect: &str| assert_eq!(text.parse::<Version>().unwrap().to_string(), expect);
        check("2.1.329 (Claude Code)\n", "2.1.329");
        check("v2.1.5-beta.1", "2.1.5");
        for bad in ["", "claude", "2.1", "bd version 1.3.0", "..."] {
            assert!(bad.parse::<Version>().is_err(), "{bad:?}");
        }
    }

    #[test]
    fn manual_has_the_name_that_the_version_knows() {
        let name = |v| Version::mode_name(v, PermissionMode::Manual);
        assert_eq!(name(Version::new(2, 1, 197)), "default");
        assert_eq!(name(Version::new(2, 1, 329)), "manual");
        assert_eq!(Version::new(2, 1, 197).mode_name(PermissionMode::Plan), "plan");
    }
}
