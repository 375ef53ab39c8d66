//! Versions of claude and the differences between them, which were determined with the real programs.

use crate::hooks::EventName;
use bc_core::mode::PermissionMode;
use std::{fmt, str::FromStr};

/// A version of claude: `2.1.329`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version {
    pub major: u32,
    pub minor: u32,
    pub patch: u32,
}

impl Version {
    /// The oldest version that passes the whole test in `tests/cli/versions.rs`. 2.1.120 exits at every
    /// `--resume`. Much older versions ignore settings with an unknown hook event completely (seen with
    /// 2.1.39).
    pub const OLDEST: Version = Version::new(2, 1, 121);
    /// The version that is assumed if claude's version is unknown, for example with a runner.
    pub const NEWEST: Version = Version::new(2, 1, 330);
    /// The first version that calls Manual `manual`. Earlier versions call it `default`, which later versions
    /// still accept.
    const NAMES_MANUAL: Version = Version::new(2, 1, 329);
    /// The first tested version that shows Manual below the input box (seen with 2.1.220; 2.1.197 shows
    /// nothing).
    const SHOWS_MANUAL: Version = Version::new(2, 1, 220);
    /// The first version that reports the reply's text while it streams, with the hook `MessageDisplay`.
    const STREAMS_TEXT: Version = Version::new(2, 1, 152);

    /// The version `major.minor.patch`.
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

    /// Whether Manual is shown below the input box, as the other modes are.
    pub fn shows_manual(self) -> bool {
        self >= Version::SHOWS_MANUAL
    }

    /// Whether hooks may be registered for this event. Every version since [`Version::OLDEST`] supports all
    /// events except `MessageDisplay`.
    pub fn knows(self, event: EventName) -> bool {
        event != EventName::MessageDisplay || self >= Version::STREAMS_TEXT
    }
}

/// The error for a string without a version.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is not a version of claude; expected one like 2.1.329")]
pub struct NoVersion {
    /// The text, cut to 80 characters.
    pub text: String,
}

impl FromStr for Version {
    type Err = NoVersion;

    /// Parses the output of `claude --version`, `2.1.329 (Claude Code)`.
    fn from_str(text: &str) -> Result<Self, NoVersion> {
        let none = || NoVersion { text: bc_core::text::cut(text.trim(), 80) };
        let first = text.split_whitespace().next().ok_or_else(none)?;
        // A suffix, such as that of a preview, is ignored.
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
    fn a_version_is_parsed_from_claudes_output() {
        let check =
            |text: &str, expect: &str| assert_eq!(text.parse::<Version>().unwrap().to_string(), expect);
        check("2.1.329 (Claude Code)\n", "2.1.329");
        check("v2.1.5-beta.1", "2.1.5");
        for bad in ["", "claude", "2.1", "bd version 1.3.0", "..."] {
            assert!(bad.parse::<Version>().is_err(), "{bad:?}");
        }
    }

    #[test]
    fn manual_mode_has_the_name_that_the_version_supports() {
        let name = |v| Version::mode_name(v, PermissionMode::Manual);
        assert_eq!(name(Version::new(2, 1, 197)), "default");
        assert_eq!(name(Version::new(2, 1, 329)), "manual");
        assert_eq!(Version::new(2, 1, 197).mode_name(PermissionMode::Plan), "plan");
    }
}
