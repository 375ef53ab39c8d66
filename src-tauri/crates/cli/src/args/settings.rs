//! Arguments of `settings …`.

use clap::{Args, ValueEnum};

#[derive(Debug, Args)]
pub(crate) struct SettingsArgs {
    /// Show or change the project's settings. Its own settings override yours, and are stored with yours, not
    /// in the repository.
    #[arg(long)]
    pub(crate) project_only: bool,
    /// The setting; all by default.
    pub(crate) key: Option<Setting>,
    /// New value: on or off, a number, a list, or dark, light or system; `default` resets it.
    #[arg(requires = "key", allow_hyphen_values = true)]
    pub(crate) value: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub(crate) enum Setting {
    /// Theme: dark, light or system.
    Theme,
    /// Enter sends, Shift+Enter inserts a line break.
    EnterSends,
    /// Pause other active sessions when one starts or resumes.
    SingleActive,
    /// Pause a session after this many idle minutes at claude's prompt; 0 means never.
    InactivityMinutes,
    /// Add a comment to the session's bead for each commit.
    CommentCommits,
    /// Add a comment with the edited files when a bead is done.
    CommentFiles,
    /// Add a comment with the session's state before its conversation is compacted.
    CheckpointComments,
    /// Remind the agent after this many turns without a commit or comment; 0 means never.
    RemindAfterTurns,
    /// Back up when a session ends.
    BackupAtEnd,
    /// Push the backup made when a session ends.
    BackupPush,
    /// Include conversations in the backup made when a session ends, with secrets redacted.
    BackupTranscripts,
    /// Kinds of desktop notifications, separated by commas (see `session needs`); all or none.
    Notify,
    /// Play a sound with a notification.
    NotifySound,
    /// Level of diagnostic logs: off, error, warn, info, debug or trace.
    LogLevel,
    /// Command of your editor for changed files; `{file}` and `{line}` are replaced.
    Editor,
    /// Check for a newer version once a day while a window is open.
    UpdateCheck,
    /// The git repository to check for newer versions: an https address or a folder.
    UpdateSource,
    /// Send finished work to review (project setting only).
    Reviews,
    /// Start this many beads automatically, each when the previous session has ended with its bead closed. Each start
    /// lowers the number, and a failure sets it to 0 (project setting only).
    AutoNext,
}

impl Setting {
    /// The setting's name in files and on the wire.
    pub(crate) fn name(self) -> String {
        self.to_possible_value().expect("no setting is skipped").get_name().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bc_wire::{app::Settings, settings::ProjectSettings};
    use std::collections::BTreeSet;

    #[test]
    fn setting_names_match_the_wire() {
        let of_user = serde_json::to_value(Settings::default()).unwrap();
        let of_project = serde_json::to_value(ProjectSettings::default()).unwrap();
        let fields =
            [&of_user, &of_project].into_iter().flat_map(|all| all.as_object().unwrap().keys().cloned());
        let names: BTreeSet<String> =
            Setting::value_variants().iter().map(|setting| setting.name()).collect();
        assert_eq!(names, fields.collect());
    }
}
