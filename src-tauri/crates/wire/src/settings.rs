//! A project's own settings. They override the user's [`crate::app::Settings`]. They are stored next to the
//! user's settings and not in the repository, because a repository must not change its users' settings.

use crate::app::Settings;
use serde::{Deserialize, Serialize};

/// The project's own settings; absent settings follow the user's.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(default)]
pub struct ProjectSettings {
    /// Whether starting or resuming a session pauses the other active sessions.
    pub single_active: Option<bool>,
    /// The idle time in minutes at claude's prompt after which a session is paused; 0 for never.
    pub inactivity_minutes: Option<u32>,
    /// Whether a commit becomes a comment on the session's bead.
    pub comment_commits: Option<bool>,
    /// Whether a finished bead gets a comment with the files edited for it.
    pub comment_files: Option<bool>,
    /// Whether a comment on the bead describes the state of the work before each compaction.
    pub checkpoint_comments: Option<bool>,
    /// The number of turns without a commit or a comment after which the agent is reminded; 0 for never.
    pub remind_after_turns: Option<u32>,
    /// Whether a backup is made when a session ends.
    pub backup_at_end: Option<bool>,
    pub backup_push: Option<bool>,
    /// Whether backups include conversations, with secrets redacted.
    pub backup_transcripts: Option<bool>,
    /// Whether finished work goes to review, which is the default. Otherwise, agents close their beads. Only
    /// a project has this setting.
    pub reviews: Option<bool>,
    /// The number of beads to start automatically, each after the previous bead is closed and its session has
    /// ended. Every start decrements the number; a failed start sets it to 0. Only a project has this
    /// setting; the default is 0.
    pub auto_next: Option<u32>,
}

/// Identifies a setting of [`ProjectSettings`], to reset it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum ProjectSetting {
    SingleActive,
    InactivityMinutes,
    CommentCommits,
    CommentFiles,
    CheckpointComments,
    RemindAfterTurns,
    BackupAtEnd,
    BackupPush,
    BackupTranscripts,
    Reviews,
    AutoNext,
}

/// Parameters of `project.set_settings`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(default)]
pub struct ProjectSettingsChange {
    /// The settings to set; absent settings stay unchanged.
    pub set: ProjectSettings,
    /// The settings to reset, so that the user's setting or the default applies again.
    pub unset: Vec<ProjectSetting>,
}

/// The result of `project.settings`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct ProjectSettingsShown {
    /// The project's own settings.
    pub own: ProjectSettings,
    pub in_force: SettingsInForce,
}

/// The settings that apply in a project: its own settings, completed by the user's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct SettingsInForce {
    /// Whether starting or resuming a session pauses the other active sessions.
    pub single_active: bool,
    /// The idle time in minutes at claude's prompt after which a session is paused; 0 for never.
    pub inactivity_minutes: u32,
    /// Whether a commit becomes a comment on the session's bead.
    pub comment_commits: bool,
    /// Whether a finished bead gets a comment with the files edited for it.
    pub comment_files: bool,
    /// Whether a comment on the bead describes the state of the work before each compaction.
    pub checkpoint_comments: bool,
    /// The number of turns without a commit or a comment after which the agent is reminded; 0 for never.
    pub remind_after_turns: u32,
    /// Whether a backup is made when a session ends.
    pub backup_at_end: bool,
    pub backup_push: bool,
    /// Whether backups include conversations, with secrets redacted.
    pub backup_transcripts: bool,
    /// Whether finished work goes to review.
    pub reviews: bool,
    /// The number of beads that are still started automatically; 0 for none.
    #[serde(default)]
    pub auto_next: u32,
}

impl SettingsInForce {
    /// The project's own settings, completed by the user's.
    pub fn of(user: &Settings, own: &ProjectSettings) -> Self {
        SettingsInForce {
            single_active: own.single_active.unwrap_or(user.single_active),
            inactivity_minutes: own.inactivity_minutes.unwrap_or(user.inactivity_minutes),
            comment_commits: own.comment_commits.unwrap_or(user.comment_commits),
            comment_files: own.comment_files.unwrap_or(user.comment_files),
            checkpoint_comments: own.checkpoint_comments.unwrap_or(user.checkpoint_comments),
            remind_after_turns: own.remind_after_turns.unwrap_or(user.remind_after_turns),
            backup_at_end: own.backup_at_end.unwrap_or(user.backup_at_end),
            backup_push: own.backup_push.unwrap_or(user.backup_push),
            backup_transcripts: own.backup_transcripts.unwrap_or(user.backup_transcripts),
            reviews: own.reviews.unwrap_or(true),
            auto_next: own.auto_next.unwrap_or(0),
        }
    }
}

impl ProjectSettings {
    /// Applies a change. A setting that is both set and unset is unset.
    pub fn with(self, change: ProjectSettingsChange) -> Self {
        let ProjectSettingsChange { set, unset } = change;
        let mut settings = ProjectSettings {
            single_active: set.single_active.or(self.single_active),
            inactivity_minutes: set.inactivity_minutes.or(self.inactivity_minutes),
            comment_commits: set.comment_commits.or(self.comment_commits),
            comment_files: set.comment_files.or(self.comment_files),
            checkpoint_comments: set.checkpoint_comments.or(self.checkpoint_comments),
            remind_after_turns: set.remind_after_turns.or(self.remind_after_turns),
            backup_at_end: set.backup_at_end.or(self.backup_at_end),
            backup_push: set.backup_push.or(self.backup_push),
            backup_transcripts: set.backup_transcripts.or(self.backup_transcripts),
            reviews: set.reviews.or(self.reviews),
            auto_next: set.auto_next.or(self.auto_next),
        };
        for setting in unset {
            match setting {
                ProjectSetting::SingleActive => settings.single_active = None,
                ProjectSetting::InactivityMinutes => settings.inactivity_minutes = None,
                ProjectSetting::CommentCommits => settings.comment_commits = None,
                ProjectSetting::CommentFiles => settings.comment_files = None,
                ProjectSetting::CheckpointComments => settings.checkpoint_comments = None,
                ProjectSetting::RemindAfterTurns => settings.remind_after_turns = None,
                ProjectSetting::BackupAtEnd => settings.backup_at_end = None,
                ProjectSetting::BackupPush => settings.backup_push = None,
                ProjectSetting::BackupTranscripts => settings.backup_transcripts = None,
                ProjectSetting::Reviews => settings.reviews = None,
                ProjectSetting::AutoNext => settings.auto_next = None,
            }
        }
        settings
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_project_setting_overrides_the_users_until_it_is_removed() {
        let user = Settings { inactivity_minutes: 10, comment_files: false, ..Settings::default() };
        let change: ProjectSettingsChange =
            serde_json::from_str(r#"{"set":{"inactivity_minutes":0,"reviews":false}}"#).unwrap();
        let own = ProjectSettings::default().with(change);
        let held = SettingsInForce::of(&user, &own);
        assert_eq!((held.inactivity_minutes, held.comment_files, held.reviews), (0, false, false));
        let change = ProjectSettingsChange {
            unset: vec![ProjectSetting::InactivityMinutes, ProjectSetting::Reviews],
            ..ProjectSettingsChange::default()
        };
        let held = SettingsInForce::of(&user, &own.with(change));
        assert_eq!((held.inactivity_minutes, held.comment_files, held.reviews), (10, false, true));
    }
}
