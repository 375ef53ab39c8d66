//! Commands that concern the whole program: open projects, the user's settings, access to the server, and
//! places. Commands that concern one project are in [`crate::api`].

use crate::{
    place::{Place, PlaceCheck, PlaceRef, Places},
    project::Nothing,
    session::NeedKind,
};
use serde::{Deserialize, Serialize};

contract! {
    /// The program's version and environment.
    "app.info" app_info(Nothing) -> AppInfo;
    /// The open and recent projects.
    "app.projects" app_projects(Nothing) -> ProjectList;
    /// Opens a folder, or returns its project if it is already open.
    "app.open_project" app_open_project(OpenProjectParams) -> OpenProject;
    /// Creates the sample project in a temporary folder and opens it.
    "app.open_sample" app_open_sample(Nothing) -> OpenProject;
    /// Folder completions for a partly typed path.
    "app.folders" app_folders(OpenProjectParams) -> FolderSuggestions;
    /// Closes a project; its sessions keep running.
    "app.close_project" app_close_project(ProjectRef) -> ProjectList;
    /// The user's settings.
    "app.settings" app_settings(Nothing) -> Settings;
    /// Changes the given settings.
    "app.set_settings" app_set_settings(SettingsChange) -> Settings;
    /// Saves the layout of a project's window.
    "app.keep_layout" app_keep_layout(LayoutKept) -> Nothing;
    /// Creates a link for another browser of the same person, which replaces an earlier, unused link.
    "app.link" app_link(Nothing) -> Link;
    /// The people with access to this server, and their connections.
    "app.people" app_people(Nothing) -> People;
    /// Gives a person access with a link, which replaces the person's earlier, unused link.
    "app.add_person" app_add_person(PersonRef) -> Link;
    /// Ends a person's access and closes their connections.
    "app.revoke_person" app_revoke_person(PersonRef) -> People;
    /// The user's places.
    "app.places" app_places(Nothing) -> Places;
    /// Adds a place; nothing changes on its machine.
    "app.add_place" app_add_place(Place) -> Places;
    /// Replaces the settings of the place with this name. Sessions that run at the place are not changed.
    "app.change_place" app_change_place(Place) -> Places;
    /// Removes a place; nothing changes on its machine.
    "app.remove_place" app_remove_place(PlaceRef) -> Places;
    /// Connects to a place and checks the parts that sessions need. A missing folder is created, and this
    /// program is copied to the place if necessary.
    "app.test_place" app_test_place(PlaceRef) -> PlaceCheck;
    /// Creates an archive of logs and diagnostic facts to attach to a bug report.
    "app.report" app_report(ReportParams) -> ProblemReport;
    /// Queries the repository in the settings for the newest version.
    "app.check_version" app_check_version(Nothing) -> VersionCheck;
    /// The licences of the program and of everything that it contains.
    "app.licences" app_licences(Nothing) -> Licences;
}

/// Identifies an open project in commands, events and URLs. The key is short and depends only on the folder.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, specta::Type)]
#[serde(transparent)]
pub struct ProjectKey(pub String);

/// Identifies an open project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct ProjectRef {
    pub project: ProjectKey,
}

/// The result of `app.info`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct AppInfo {
    pub version: String,
    /// Whether claude can be used.
    pub claude: ClaudeState,
    /// Whether the simulated agent is available.
    pub simulated_available: bool,
    /// The user's name in conversations and as an assignee.
    pub display_name: String,
    /// Whether this process serves browsers. If false, `app.link` fails.
    #[serde(default)]
    pub serves_browsers: bool,
}

/// A link that gives another browser access.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct Link {
    /// The address, which works once.
    pub url: String,
}

/// Names a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(deny_unknown_fields)]
pub struct PersonRef {
    pub name: String,
}

/// The result of `app.people`: the user first, then the others by name. Empty in the window, which serves no
/// browsers.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct People {
    pub people: Vec<PersonAccess>,
}

/// A person with access to the server.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct PersonAccess {
    pub name: String,
    /// The number of open tabs; 0 if the person is not connected.
    pub tabs: u32,
    /// Whether the person has an unused link.
    pub unused_link: bool,
    /// Whether this person runs the server, and so can give and revoke access.
    pub owner: bool,
    /// Whether this person sent the request.
    pub you: bool,
}

/// Whether sessions with the real claude can be started.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum ClaudeState {
    /// Claude is ready.
    Ready {
        /// Claude's version.
        version: String,
    },
    /// Claude was not found.
    Missing {
        /// How to install claude.
        hint: String,
    },
    /// Claude is older than the required version.
    TooOld {
        version: String,
        /// The required version.
        needed: String,
    },
    /// A policy or setting disables claude's hooks, so sessions could not be recorded.
    HooksDisabled {
        /// Claude's version.
        version: String,
        /// The next step.
        hint: String,
    },
    /// Claude is not logged in.
    NotLoggedIn {
        /// Claude's version.
        version: String,
    },
}

/// The result of `app.projects`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct ProjectList {
    /// Open projects, in the order in which they were opened.
    pub projects: Vec<OpenProject>,
    /// Absolute paths of recently opened folders, newest first.
    #[serde(default)]
    pub recent: Vec<String>,
}

/// One open project.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct OpenProject {
    /// The key that commands and events use for the project.
    pub key: ProjectKey,
    pub name: String,
    /// The folder's absolute path.
    pub root: String,
    /// Whether the folder exists.
    pub available: bool,
    /// Whether this is the sample project.
    #[serde(default)]
    pub sample: bool,
    /// The last layout of its window, from `app.keep_layout`.
    #[serde(default)]
    pub layout: Option<serde_json::Value>,
}

/// The result of `app.folders`: at most 50 folders. Folders that match the case of the typed part come first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FolderSuggestions {
    /// Folders with names that start with the last part of the path. Hidden folders are included only if that
    /// part starts with a dot.
    pub folders: Vec<SuggestedFolder>,
    /// Whether more folders match.
    pub more: bool,
}

/// A completion of a folder path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct SuggestedFolder {
    /// The completed path; the typed part is unchanged.
    pub path: String,
    pub name: String,
    /// Whether the folder is a git repository.
    pub repository: bool,
    pub beads: bool,
}

/// Parameters of `app.keep_layout`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct LayoutKept {
    /// The window's project.
    pub project: ProjectKey,
    /// The state for reopening the window, at most 16 KiB. Only the window interprets it.
    pub layout: serde_json::Value,
}

/// Parameters of `app.open_project`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct OpenProjectParams {
    /// The folder, absolute or beginning with `~/`.
    pub path: String,
}

/// The user's settings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct Settings {
    /// Dark, light, or the system's theme.
    pub theme: Theme,
    /// Whether Enter sends and Shift+Enter inserts a line break. If false, Ctrl+Enter sends.
    pub enter_sends: bool,
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
    /// The kinds of needs for which the user gets a desktop notification.
    pub notify: Vec<NeedKind>,
    /// Whether a notification plays a sound.
    pub notify_sound: bool,
    /// The level of the diagnostic logs.
    pub log_level: LogLevel,
    /// The command line of the user's editor; `{file}` and `{line}` are replaced. Empty for none.
    #[serde(default)]
    pub editor: String,
    /// Whether an open window checks for a new version once a day.
    #[serde(default)]
    pub update_check: bool,
    /// The git repository to query for the newest version: an https address or a folder. Empty for none.
    #[serde(default)]
    pub update_source: String,
}

/// Parameters of `app.set_settings`. Absent settings stay unchanged.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(default)]
pub struct SettingsChange {
    /// Dark, light, or the system's theme.
    pub theme: Option<Theme>,
    /// Whether Enter sends and Shift+Enter inserts a line break. If false, Ctrl+Enter sends.
    pub enter_sends: Option<bool>,
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
    /// The kinds of needs for which the user gets a desktop notification.
    #[serde(deserialize_with = "known_kinds")]
    #[specta(type = Option<Vec<NeedKind>>)]
    pub notify: Option<Vec<NeedKind>>,
    /// Whether a notification plays a sound.
    pub notify_sound: Option<bool>,
    /// The level of the diagnostic logs.
    pub log_level: Option<LogLevel>,
    /// The command line of the user's editor; empty for none.
    pub editor: Option<String>,
    /// Whether an open window checks for a new version once a day.
    pub update_check: Option<bool>,
    /// The git repository to query for the newest version; empty for none.
    pub update_source: Option<String>,
}

/// Reads a list of kinds and drops unknown kinds. A later version may have saved them, and an error would
/// reset all settings.
fn known_kinds<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<Vec<NeedKind>>, D::Error> {
    let names = Option::<Vec<String>>::deserialize(from)?;
    Ok(names.map(|names| {
        NeedKind::ALL.into_iter().filter(|kind| names.iter().any(|name| name == kind.as_str())).collect()
    }))
}

/// The colours of the UI.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "lowercase")]
pub enum Theme {
    /// The system's theme.
    #[default]
    System,
    /// Light text on a dark background.
    Dark,
    /// Dark text on a light background.
    Light,
}

/// The level of the diagnostic logs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "lowercase")]
pub enum LogLevel {
    /// No messages.
    Off,
    /// Failures.
    Error,
    /// Also failures from which the program recovered.
    Warn,
    /// Also the steps of sessions and projects.
    #[default]
    Info,
    /// Also every command, hook event and program run.
    Debug,
    /// All messages.
    Trace,
}

impl LogLevel {
    /// The level's name in the settings.
    pub fn as_str(self) -> &'static str {
        match self {
            LogLevel::Off => "off",
            LogLevel::Error => "error",
            LogLevel::Warn => "warn",
            LogLevel::Info => "info",
            LogLevel::Debug => "debug",
            LogLevel::Trace => "trace",
        }
    }
}

/// Parameters of `app.report`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(default)]
pub struct ReportParams {
    /// The affected project. The report then includes its checks and sessions.
    pub project: Option<ProjectKey>,
    /// Errors that occurred in the UI's page, oldest first.
    pub page_errors: Vec<String>,
}

/// An archive to attach to a bug report. It is not sent anywhere.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct ProblemReport {
    /// A suggested file name for the archive: `beads-console-report-….zip`.
    pub file_name: String,
    /// The contents of the archive.
    pub entries: Vec<ReportEntry>,
    /// The number of redacted secrets.
    pub secrets_removed: u32,
    /// The archive, in base64.
    pub archive: String,
}

/// One file of a report's archive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct ReportEntry {
    /// The file's name in the archive.
    pub name: String,
    /// The file's size in bytes before compression.
    pub bytes: u32,
    /// The end of the file, at most 16 KiB, which the user can check before sharing the archive.
    pub tail: String,
}

/// The result of `app.check_version`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct VersionCheck {
    pub version: String,
    /// The newest released version; absent if the repository has none.
    pub latest: Option<String>,
    /// Whether the latest version is newer than this program's version.
    pub newer: bool,
    /// The address of the queried repository.
    pub source: String,
}

/// The result of `app.licences`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct Licences {
    /// The program's components with their versions and licences, then all licence texts. Empty if this
    /// build does not embed them.
    pub text: String,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            theme: Theme::System,
            enter_sends: true,
            single_active: false,
            inactivity_minutes: 30,
            comment_commits: true,
            comment_files: true,
            checkpoint_comments: true,
            remind_after_turns: 8,
            backup_at_end: true,
            backup_push: false,
            backup_transcripts: false,
            notify: NeedKind::ALL.to_vec(),
            notify_sound: false,
            log_level: LogLevel::Info,
            editor: String::new(),
            update_check: false,
            update_source: String::new(),
        }
    }
}

impl Settings {
    /// Applies the changed settings.
    pub fn with(self, change: SettingsChange) -> Self {
        Settings {
            theme: change.theme.unwrap_or(self.theme),
            enter_sends: change.enter_sends.unwrap_or(self.enter_sends),
            single_active: change.single_active.unwrap_or(self.single_active),
            inactivity_minutes: change.inactivity_minutes.unwrap_or(self.inactivity_minutes),
            comment_commits: change.comment_commits.unwrap_or(self.comment_commits),
            comment_files: change.comment_files.unwrap_or(self.comment_files),
            checkpoint_comments: change.checkpoint_comments.unwrap_or(self.checkpoint_comments),
            remind_after_turns: change.remind_after_turns.unwrap_or(self.remind_after_turns),
            backup_at_end: change.backup_at_end.unwrap_or(self.backup_at_end),
            backup_push: change.backup_push.unwrap_or(self.backup_push),
            backup_transcripts: change.backup_transcripts.unwrap_or(self.backup_transcripts),
            notify: change.notify.unwrap_or(self.notify),
            notify_sound: change.notify_sound.unwrap_or(self.notify_sound),
            log_level: change.log_level.unwrap_or(self.log_level),
            editor: change.editor.unwrap_or(self.editor),
            update_check: change.update_check.unwrap_or(self.update_check),
            update_source: change.update_source.unwrap_or(self.update_source),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_keeps_unnamed_settings() {
        let change: SettingsChange = serde_json::from_str(r#"{"theme":"dark"}"#).expect("a change");
        let settings = Settings { single_active: true, ..Settings::default() }.with(change);
        assert_eq!(settings, Settings { theme: Theme::Dark, single_active: true, ..Settings::default() });
    }

    #[test]
    fn kinds_of_later_versions_are_left_out() {
        let change: SettingsChange =
            serde_json::from_str(r#"{"notify":["turn","later","question"]}"#).expect("a change");
        assert_eq!(Settings::default().with(change).notify, [NeedKind::Question, NeedKind::Turn]);
    }

    #[test]
    fn program_and_project_methods_have_distinct_names() {
        for name in METHODS {
            assert!(name.starts_with("app."), "{name}");
            assert!(!crate::api::METHODS.contains(name), "{name}");
        }
    }
}
