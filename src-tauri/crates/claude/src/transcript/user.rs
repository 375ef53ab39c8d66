//! Lines with the user's role: prompts, tool results, interruptions, local commands, and the summary after a
//! compaction. Also attachments.

use super::{
    assistant::Run,
    blocks::{block_text, content_text, tagged},
    details::{ImageData, attached_image, images_in},
    entry::{Object, flag, object, text},
    paste_tags::as_pasted,
    state::{Heading, State},
};
use bc_core::message::{MessageKind, Role};
use serde_json_borrow::Value;

const INTERRUPTED: &str = "[Request interrupted by user";

impl State {
    pub(super) fn user(&mut self, entry: &Object<'_>) {
        let Some(message) = object(entry, "message") else { return self.malformed() };
        let heading = self.heading(entry);
        if flag(entry, "isMeta") {
            return;
        }
        let content = message.get("content").unwrap_or(&Value::Null);
        if flag(entry, "isCompactSummary") {
            let kind = Some(MessageKind::CompactionSummary);
            return self.note(heading, Role::System, kind, content_text(content));
        }
        let Value::Array(blocks) = content else {
            return self.user_text(heading, &content_text(content), role_of(entry), Vec::new());
        };
        let is_result = |block: &&Object<'_>| text(block, "type") == Some("tool_result");
        let results: Vec<&Object<'_>> =
            blocks.iter().filter_map(Value::as_object).filter(is_result).collect();
        // A line has only one duration, which is not used if the line contains several results. No tested
        // version of claude writes such a line.
        let run = if results.len() == 1 { Run::of(entry) } else { Run::Unmeasured };
        let about = if results.len() == 1 { object(entry, "toolUseResult") } else { None };
        for result in &results {
            self.answer(&heading, result, &run, about);
        }
        if !results.is_empty() {
            self.asked(&heading);
        }
        let parts: Vec<String> = blocks.iter().filter_map(block_text).collect();
        self.user_text(heading, &parts.join("\n\n"), role_of(entry), images_in(content));
    }

    /// Handles an attachment, such as a file, or a prompt that was queued while the model was working.
    pub(super) fn attachment(&mut self, entry: &Object<'_>) {
        let Some(attachment) = object(entry, "attachment") else { return self.malformed() };
        match text(attachment, "type").unwrap_or("") {
            "queued_command" => {
                let heading = self.heading(entry);
                if !flag(attachment, "isMeta") {
                    let prompt = attachment.get("prompt").unwrap_or(&Value::Null);
                    let (text, images) = (content_text(prompt), images_in(prompt));
                    self.attached_prompt(&text);
                    self.user_text(heading, &text, role_of(attachment), images);
                }
            }
            "file"
            | "directory"
            | "pdf_reference"
            | "mcp_resource"
            | "selected_lines_in_ide"
            | "selected_lines_in_diff" => {
                let heading = self.heading(entry);
                if let Some(name) = named(attachment) {
                    let images = attached_image(attachment).into_iter().collect();
                    let kind = Some(MessageKind::Attachment);
                    self.note_with(heading, Role::System, kind, format!("Attached: {name}"), images);
                }
            }
            kind => {
                let kind: String = kind.chars().take(80).collect();
                self.unknown(&format!("attachment/{kind}"));
                // Each kind gets only one message, because a new version of claude may write such an
                // attachment with every prompt.
                if self.traced.insert(kind.clone()) {
                    let name = named(attachment).map_or(String::new(), |name| format!(": {name}"));
                    let content = format!("Attachment of an unknown kind, {kind}{name}");
                    let heading = self.heading(entry);
                    self.note(heading, Role::System, Some(MessageKind::Attachment), content);
                }
            }
        }
    }

    fn user_text(&mut self, heading: Heading, content: &str, role: Role, images: Vec<ImageData>) {
        if content.starts_with(INTERRUPTED) {
            let kind = Some(MessageKind::Interrupted);
            return self.note(heading, Role::System, kind, content.trim_matches(['[', ']']).to_owned());
        }
        if content.starts_with("<command-")
            || content.starts_with("<local-command-")
            || content.starts_with("<bash-")
        {
            return self.local_command(heading, content);
        }
        if !content.trim().is_empty() {
            self.asked(&heading);
        }
        self.prompt_arrived(content);
        self.note_with(heading, role, None, as_pasted(content).into_owned(), images);
    }

    /// Adds a slash command, a `!` command, or the output of such a command.
    pub(super) fn local_command(&mut self, heading: Heading, content: &str) {
        let kind = Some(MessageKind::LocalCommand);
        if let Some(name) = tagged(content, "command-name") {
            let args = tagged(content, "command-args").unwrap_or("").trim();
            // The command may contain a prompt for the model.
            self.asked(&heading);
            return self.note(heading, Role::User, kind, format!("{} {args}", name.trim()).trim().to_owned());
        }
        if let Some(command) = tagged(content, "bash-input") {
            return self.note(heading, Role::User, kind, format!("! {}", command.trim()));
        }
        const OUTPUTS: [&str; 4] =
            ["local-command-stdout", "local-command-stderr", "bash-stdout", "bash-stderr"];
        let outputs = OUTPUTS.iter().filter_map(|tag| tagged(content, tag)).map(str::trim);
        let parts: Vec<&str> = outputs.filter(|part| !part.is_empty()).collect();
        if !parts.is_empty() {
            self.note(heading, Role::System, kind, parts.join("\n"));
        }
    }
}

fn named<'a>(attachment: &'a Object<'_>) -> Option<&'a str> {
    ["displayPath", "filename", "path", "uri", "name"].into_iter().find_map(|key| text(attachment, key))
}

/// The role of an entry. Newer versions record a prompt's origin, so a program's prompt is not attributed to
/// the user.
fn role_of(entry: &Object<'_>) -> Role {
    match object(entry, "origin").and_then(|origin| text(origin, "kind")) {
        None
        | Some("human" | "person" | "remote" | "composer" | "unclassified" | "voice-call" | "suggestion") => {
            Role::User
        }
        Some(_) => Role::System,
    }
}
