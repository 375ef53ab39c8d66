//! The permission modes of Claude Code under the names that its users know, and what may be allowed for
//! longer than once.

use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// How much claude may do unasked. The default is [`PermissionMode::Manual`]: claude's own default
/// became `auto`, so a mode is always passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum PermissionMode {
    /// Asks before every edit and command. Hooks of claude report it as `default`.
    #[default]
    Manual,
    /// Edits inside the working folder go unasked.
    AcceptEdits,
    /// Reads and plans, changes nothing.
    Plan,
    /// Claude's own classifier decides.
    Auto,
    /// Nothing is asked.
    BypassPermissions,
}

impl PermissionMode {
    /// Every mode, in the order in which Shift+Tab goes through them.
    pub const ALL: [PermissionMode; 5] = [
        PermissionMode::Manual,
        PermissionMode::AcceptEdits,
        PermissionMode::Plan,
        PermissionMode::Auto,
        PermissionMode::BypassPermissions,
    ];

    /// What people call it.
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

/// What would be allowed for longer than this once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct LastingRule {
    /// What: `Bash(git push *)`, `Accept edits mode`, `access to /tmp/x`.
    pub rule: String,
    /// For how long and for whom.
    pub holds: String,
}

impl FromStr for PermissionMode {
    type Err = crate::ids::InvalidId;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let lower = text.to_ascii_lowercase().replace(['-', '_', ' '], "");
        Ok(match lower.as_str() {
            "manual" | "default" => PermissionMode::Manual,
            "acceptedits" => PermissionMode::AcceptEdits,
            "plan" => PermissionMode::Plan,
            "auto" => PermissionMode::Auto,
            "bypass" | "bypasspermissions" => PermissionMode::BypassPermissions,
            _ => {
                return Err(crate::ids::InvalidId {
                    kind: "permission mode",
                    text: text.chars().take(80).collect(),
                    why: "manual, acceptEdits, plan, auto or bypassPermissions is wanted",
                });
            }
        })
    }
}
