//! The state that the screen's and the agent's threads share: the conversation, the hooks, the interrupt.

use crate::{
    args::{Conversation, Options},
    hooks::{Answer, Hooks},
    interrupt::Interrupt,
    transcript::{self, Current, shown},
};
use bc_core::mode::PermissionMode;
use serde_json::{Map, Value};
use std::{
    path::PathBuf,
    sync::{Mutex, MutexGuard, PoisonError},
};
use uuid::Uuid;

#[derive(Debug, thiserror::Error)]
pub(crate) enum BeginError {
    #[error("the working folder is gone: {0}")]
    NoFolder(std::io::Error),
    #[error("there is no folder for transcripts: set CLAUDE_CONFIG_DIR or HOME")]
    NoConfig,
    #[error("Session ID {0} is already in use.")]
    InUse(Uuid),
    #[error("No conversation found with session ID: {0}")]
    NoConversation(Uuid),
}

#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) hooks: Hooks,
    pub(crate) interrupt: Interrupt,
    pub(crate) cwd: PathBuf,
    mode: Mutex<PermissionMode>,
    pub(crate) model: String,
    pub(crate) flood: Option<u32>,
    pub(crate) resumed: bool,
    projects: PathBuf,
    current: Mutex<Current>,
}

impl Shared {
    /// Creates the state from the options and finds the conversation's transcript.
    pub(crate) fn begin(options: &Options) -> Result<Shared, BeginError> {
        let cwd = std::env::current_dir().map_err(BeginError::NoFolder)?;
        let projects = transcript::projects().ok_or(BeginError::NoConfig)?;
        let (id, resumed) = match options.conversation {
            Conversation::New(id) => (id, false),
            Conversation::Resume(id) => (id, true),
        };
        let transcript = match (transcript::find(&projects, id), resumed) {
            (Some(_), false) => return Err(BeginError::InUse(id)),
            (None, true) => return Err(BeginError::NoConversation(id)),
            (found, _) => found.unwrap_or_else(|| transcript::place(&projects, &cwd, id)),
        };
        Ok(Shared {
            hooks: Hooks::new(options.settings.clone(), cwd.clone()),
            interrupt: Interrupt::default(),
            cwd,
            mode: Mutex::new(options.mode),
            model: options.model.clone().unwrap_or_else(|| "simulated-agent".to_owned()),
            flood: options.flood,
            resumed,
            projects,
            current: Mutex::new(Current { id, transcript }),
        })
    }

    pub(crate) fn current(&self) -> Current {
        self.lock().clone()
    }

    /// `/clear`: starts a new conversation in a new file.
    pub(crate) fn renew(&self) {
        let id = Uuid::new_v4();
        *self.lock() = Current { id, transcript: transcript::place(&self.projects, &self.cwd, id) };
    }

    /// Runs the hooks of an event with the fields that all events share.
    pub(crate) fn fire(&self, event: &str, subject: &str, prompt: Option<Uuid>, more: Value) -> Vec<Answer> {
        if !self.hooks.any(event, subject) {
            return Vec::new();
        }
        let current = self.current();
        let mut fields = Map::new();
        fields.insert("session_id".to_owned(), current.id.to_string().into());
        fields.insert("transcript_path".to_owned(), shown(&current.transcript).into());
        fields.insert("cwd".to_owned(), shown(&self.cwd).into());
        if let Some(prompt) = prompt {
            fields.insert("prompt_id".to_owned(), prompt.to_string().into());
            fields.insert("permission_mode".to_owned(), self.mode_in_hooks().into());
        }
        if let Value::Object(more) = more {
            fields.extend(more);
        }
        self.hooks.fire(event, subject, fields)
    }

    pub(crate) fn mode(&self) -> PermissionMode {
        *self.mode.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Switches to the next mode, as Shift+Tab does. This leaves the Bypass mode but never enters it.
    pub(crate) fn next_mode(&self) {
        let mut mode = self.mode.lock().unwrap_or_else(PoisonError::into_inner);
        *mode = match *mode {
            PermissionMode::Manual => PermissionMode::AcceptEdits,
            PermissionMode::AcceptEdits => PermissionMode::Plan,
            PermissionMode::Plan => PermissionMode::Auto,
            PermissionMode::Auto | PermissionMode::BypassPermissions => PermissionMode::Manual,
        };
    }

    /// The mode's name in hooks. Claude's hooks use the older name of the manual mode.
    pub(crate) fn mode_in_hooks(&self) -> &'static str {
        match self.mode() {
            PermissionMode::Manual => "default",
            mode => mode.as_str(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Current> {
        // The value is only replaced as a whole, so a poisoned lock is still usable.
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
