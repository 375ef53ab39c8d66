//! Decides from a line's first bytes whether it is needed, without parsing its JSON.
//!
//! Most of a transcript consists of claude's internal records: in extreme cases 99 % of the bytes, in lines
//! of several megabytes. The scanner reads only the keys of the outermost object, and the `type` inside an
//! `attachment`, byte by byte. Internal records are therefore never held in memory.

/// Whether a line is needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Verdict {
    #[default]
    Undecided,
    /// The line must be parsed.
    Keep,
    /// An internal record of claude that this program does not use.
    Noise,
}

/// Types of lines that this program does not use. A type that is neither in this list nor decoded is reported
/// as unknown.
const NOISE: &[&str] = &[
    "agent-color",
    "agent-name",
    "agent-setting",
    "api-request",
    "api-request-blob",
    "api-request-resumed",
    "api-request-shape",
    "artifact-autoreact-ledger",
    "artifact-comment-monitor",
    "atis-latch",
    "attribution-snapshot",
    "bridge-session",
    "content-replacement",
    "continued-in",
    "data-flow-incomplete",
    "data-flow-records",
    "derived-from",
    "dev-mods",
    "ended-by-model",
    "file-history-delta",
    "file-history-snapshot",
    "fork-context-ref",
    "frame-link",
    "history-suppression",
    "hybrid-organization",
    "isolation-latch",
    "last-prompt",
    "memory-mode",
    "mode",
    "observer-ref",
    "permission-mode",
    "pr-link",
    "progress",
    "relocated",
    "repl-mode",
    "resume-head-vouch",
    "session-owner",
    "speculation-accept",
    "tag",
    "tools-used",
    "worktree-state",
];

/// Types of attachments that this program does not use.
const NOISE_ATTACHMENTS: &[&str] = &[
    "account_memory_recall",
    "advisor_stripped",
    "advisor_tool",
    "agent_ask_notice",
    "agent_listing_delta",
    "agent_mention",
    "already_read_file",
    "artifact_opening_prefetch",
    "assistant_text",
    "async_hook_response",
    "async_hook_response_batch",
    "attention_budget",
    "auto_mode",
    "auto_mode_exit",
    "bash_output_audience_note",
    "batching_reminder",
    "batching_reminder_sent",
    "budget_usd",
    "claude_app_notice",
    "cloud_session_delta",
    "command_permissions",
    "compact_file_reference",
    "compaction_reminder",
    "context_efficiency",
    "context_sections",
    "coordinator_context",
    "cowork_memory_context",
    "critical_system_reminder",
    "date",
    "date_change",
    "deferred_tools_delta",
    "deferred_tools_record",
    "diagnostics",
    "dir_sync_notice",
    "dynamic_skill",
    "edited_image_file",
    "edited_text_file",
    "elapsed_time_reminder",
    "environment",
    "first_week",
    "fork_briefing",
    "goal_status",
    "guidance_loaded",
    "hook_additional_context",
    "hook_blocking_error",
    "hook_cancelled",
    "hook_deferred_tool",
    "hook_error_during_execution",
    "hook_non_blocking_error",
    "hook_permission_decision",
    "hook_stopped_continuation",
    "hook_success",
    "hook_system_message",
    "inlined_image_paths",
    "instruction_files_not_loaded",
    "instructions",
    "invoked_skills",
    "language",
    "linked_plugin_tools_note",
    "max_turns_reached",
    "mcp_dropped_tools_delta",
    "mcp_instructions_delta",
    "memory_update",
    "message_pdf_reads",
    "model",
    "nested_memory",
    "observer",
    "opened_file_in_ide",
    "output_limit_note",
    "output_style",
    "output_style_instructions",
    "output_token_usage",
    "peer_mention",
    "plan_file_reference",
    "plan_mode",
    "plan_mode_exit",
    "plan_mode_reentry",
    "poll_events",
    "prefix_delta",
    "proactivity",
    "project_doc_reads",
    "projects_thread_ask",
    "prompt_as_file",
    "prompt_snapshot",
    "read_truncation_notice",
    "relevant_memories",
    "remote_session_change",
    "repl_mcp_needs_auth",
    "repl_mcp_servers",
    "sandbox_instructions",
    "secondary_reminder",
    "secondary_reminder_sent",
    "seed_read_state",
    "session_context",
    "session_cron_carry",
    "silent_turn_reminder",
    "skill_discovery",
    "skill_listing",
    "skill_mention",
    "structured_output",
    "task_reminder",
    "task_status",
    "team_context",
    "thinking_drop",
    "thinking_stripped",
    "thread_state",
    "todo_reminder",
    "token_usage",
    "tool_host_result_lines",
    "tool_hosts_correction",
    "tool_hosts_notice",
    "tool_offer_record",
    "tool_results_cut",
    "tool_search_usage_reminder",
    "total_tokens_reminder",
    "ultra_effort_enter",
    "ultra_effort_exit",
    "ultrathink_effort",
    "unknown_command_fallback",
    "verify_plan_reminder",
    "whole_texts_withdrawn",
    "widget_context_hint",
    "withheld_memory",
    "workflow_keyword_request",
    "workflow_size_guideline_change",
];

/// The maximum length of a key or type, in bytes. A longer key or type is treated as unknown.
const TOKEN_MAX: usize = 48;

#[derive(Debug, Default)]
pub(super) struct Scan {
    verdict: Verdict,
    depth: u32,
    in_string: bool,
    escaped: bool,
    wants_key: bool,
    in_attachment: bool,
    token: Vec<u8>,
    key: Vec<u8>,
}

impl Scan {
    /// Prepares for the next line.
    pub(super) fn reset(&mut self) {
        self.token.clear();
        self.key.clear();
        let (token, key) = (std::mem::take(&mut self.token), std::mem::take(&mut self.key));
        *self = Scan { token, key, ..Scan::default() };
    }

    /// Scans more of the line. After the decision, the rest of the line is ignored.
    pub(super) fn push(&mut self, bytes: &[u8]) -> Verdict {
        for &byte in bytes {
            if self.verdict != Verdict::Undecided {
                break;
            }
            self.step(byte);
        }
        self.verdict
    }

    fn step(&mut self, byte: u8) {
        if self.in_string {
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' => self.escaped = true,
                b'"' => {
                    self.in_string = false;
                    self.string_ended();
                }
                _ if self.watched() && self.token.len() < TOKEN_MAX => self.token.push(byte),
                _ => {}
            }
            return;
        }
        match byte {
            b'"' => {
                self.in_string = true;
                self.token.clear();
            }
            b'{' | b'[' => {
                self.depth = self.depth.saturating_add(1);
                self.wants_key = byte == b'{';
                if self.depth == 2 {
                    self.in_attachment = byte == b'{' && self.key == b"attachment";
                }
            }
            b'}' | b']' => {
                self.depth = self.depth.saturating_sub(1);
                if self.depth == 1 {
                    self.in_attachment = false;
                }
            }
            b',' if self.watched() => self.wants_key = true,
            b':' => self.wants_key = false,
            _ => {}
        }
    }

    fn watched(&self) -> bool {
        self.depth == 1 || (self.depth == 2 && self.in_attachment)
    }

    fn string_ended(&mut self) {
        if !self.watched() {
            return;
        }
        if self.wants_key {
            std::mem::swap(&mut self.key, &mut self.token);
            if self.depth == 1 && self.key == b"message" {
                self.verdict = Verdict::Keep;
            }
            return;
        }
        if self.key != b"type" {
            return;
        }
        // For `"type":"attachment"`, the type inside the attachment decides.
        if self.depth == 1 && self.token == b"attachment" {
            return;
        }
        let noise = if self.depth == 1 { NOISE } else { NOISE_ATTACHMENTS };
        let is_noise = noise.iter().any(|kind| kind.as_bytes() == self.token);
        self.verdict = if is_noise { Verdict::Noise } else { Verdict::Keep };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expect: Verdict) {
        let mut scan = Scan::default();
        assert_eq!(scan.push(line.as_bytes()), expect, "{line}");
        scan.reset();
        let mut last = Verdict::Undecided;
        for byte in line.as_bytes() {
            last = scan.push(&[*byte]);
        }
        assert_eq!(last, expect, "byte by byte: {line}");
    }

    #[test]
    fn a_nested_type_is_not_the_lines_type() {
        check(r#"{"type":"progress","data":{"#, Verdict::Noise);
        check(r#"{"a":{"type":"progress"},"type":"user","#, Verdict::Keep);
        check(r#"{"a":"\"type\":\"progress\"","b":[{"type":"mode"}]"#, Verdict::Undecided);
        check(r#"{"type":"brand-new","x":1"#, Verdict::Keep);
        check(r#"{"parentUuid":null,"message":{"#, Verdict::Keep);
    }

    #[test]
    fn only_known_attachments_are_noise() {
        check(r#"{"isSidechain":false,"attachment":{"type":"hook_success","content":"#, Verdict::Noise);
        check(r#"{"attachment":{"type":"queued_command","prompt":"hi"},"type":"attachment""#, Verdict::Keep);
        check(r#"{"attachment":{"type":"brand_new","x":1"#, Verdict::Keep);
        check(r#"{"attachment":{"type":"file","filename":"a"#, Verdict::Keep);
        check(
            r#"{"type":"attachment","attachment":{"x":{"type":"queued_command"},"type":"date""#,
            Verdict::Noise,
        );
    }
}
