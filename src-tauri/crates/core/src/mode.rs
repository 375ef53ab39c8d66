//! The permission modes of Claude Code under their usual names, and lasting permission rules.

use crate::ids::InvalidId;
use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// The permission mode. A mode is always passed to claude, because our default is [`PermissionMode::Manual`]
/// and claude's own default can be `auto`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum PermissionMode {
    /// Asks before every edit and command. Claude's hooks report it as `default`.
    #[default]
    Manual,
    /// Edits inside the working folder are allowed.
    AcceptEdits,
    /// Reads and plans without changes.
    Plan,
    /// Claude's classifier decides.
    Auto,
    /// Everything is allowed.
    BypassPermissions,
}

impl PermissionMode {
    /// All modes, in the order in which Shift+Tab selects them.
    pub const ALL: [PermissionMode; 5] = [
        PermissionMode::Manual,
        PermissionMode::AcceptEdits,
        PermissionMode::Plan,
        PermissionMode::Auto,
        PermissionMode::BypassPermissions,
    ];

    /// The more restrictive of the two modes.
    pub fn narrower(self, other: PermissionMode) -> PermissionMode {
        if other.width() < self.width() { other } else { self }
    }

    /// The rank of the mode: a higher number is more permissive.
    fn width(self) -> u8 {
        match self {
            PermissionMode::Plan => 0,
            PermissionMode::Manual => 1,
            PermissionMode::AcceptEdits => 2,
            PermissionMode::Auto => 3,
            PermissionMode::BypassPermissions => 4,
        }
    }

    /// The display name.
    pub fn title(self) -> &'static str {
        match self {
            PermissionMode::Manual => "Manual",
            PermissionMode::AcceptEdits => "Accept edits",
            PermissionMode::Plan => "Plan",
            PermissionMode::Auto => "Auto",
            PermissionMode::BypassPermissions => "Bypass",
        }
    }

    /// The value of claude's `--permission-mode`, in current versions.
    pub fn as_str(self) -> &'static str {
        match self {
            PermissionMode::Manual => "manual",
            PermissionMode::AcceptEdits => "acceptEdits",
            PermissionMode::Plan => "plan",
            PermissionMode::Auto => "auto",
            PermissionMode::BypassPermissions => "bypassPermissions",
        }
    }
}

/// A permission rule that stays in effect after its first use.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct LastingRule {
    /// The rule: `Bash(git push *)`, `Accept edits mode`, `access to /tmp/x`.
    pub rule: String,
    /// The rule's duration and scope, as text for the user.
    pub holds: String,
}

impl FromStr for PermissionMode {
    type Err = InvalidId;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let lower = text.to_ascii_lowercase().replace(['-', '_', ' '], "");
        Ok(match lower.as_str() {
            "manual" | "default" => PermissionMode::Manual,
            "acceptedits" => PermissionMode::AcceptEdits,
            "plan" => PermissionMode::Plan,
            "auto" => PermissionMode::Auto,
            "bypass" | "bypasspermissions" => PermissionMode::BypassPermissions,
            _ => {
                let why = "expected manual, acceptEdits, plan, auto or bypassPermissions";
                return Err(InvalidId::new("permission mode", text, why));
            }
        })
    }
}
