//! `settings …`

use clap::{Args, ValueEnum};

/// `settings …`
#[derive(Debug, Args)]
pub(crate) struct SettingsArgs {
    /// The project's own, which win over yours there. They are kept beside yours, not in the repository.
    #[arg(long)]
    pub(crate) project_only: bool,
    /// Which one; all unless given.
    #[arg(value_name = "KEY", value_enum)]
    pub(crate) key: Option<Setting>,
    /// What it is from now on: on or off, a number, dark, light or system; `default` takes it back.
    #[arg(value_name = "VALUE", requires = "key", allow_hyphen_values = true)]
    pub(crate) value: Option<String>,
}

/// What can be set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub(crate) enum Setting {
    /// Colours of the window: dark, light, or as the system.
    Theme,
    /// Whether Enter sends and Shift+Enter breaks the line.
    EnterSends,
    /// Whether a start or a resume pauses the other active sessions.
    SingleActive,
    /// Minutes at claude's prompt, with nothing pending, after which a session is paused; 0 never.
    InactivityMinutes,
    /// Whether a commit becomes a comment on the session's bead.
    CommentCommits,
    /// Whether a bead that is done gets a comment with the files that were edited for it.
    CommentFiles,
    /// Whether a comment says where a session stands before its conversation is compacted.
    CheckpointComments,
    /// After how many turns without a commit or a comment the agent is reminded; 0 never.
    RemindAfterTurns,
    /// Whether a backup is made when a session ends.
    BackupAtEnd,
    /// Whether that backup is pushed.
    BackupPush,
    /// Whether conversations are in it, their secrets struck out.
    BackupTranscripts,
    /// Whether finished work goes to review (a project's alone).
    Reviews,
}

impl Setting {
    /// Its name in files and on the wire.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Setting::Theme => "theme",
            Setting::EnterSends => "enter_sends",
            Setting::SingleActive => "single_active",
            Setting::InactivityMinutes => "inactivity_minutes",
            Setting::CommentCommits => "comment_commits",
            Setting::CommentFiles => "comment_files",
            Setting::CheckpointComments => "checkpoint_comments",
            Setting::RemindAfterTurns => "remind_after_turns",
            Setting::BackupAtEnd => "backup_at_end",
            Setting::BackupPush => "backup_push",
            Setting::BackupTranscripts => "backup_transcripts",
            Setting::Reviews => "reviews",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_is_typed_as_it_is_named() {
        for setting in Setting::value_variants() {
            assert_eq!(setting.to_possible_value().unwrap().get_name(), setting.name());
        }
    }
}
