//! Session hosts as processes, each with a fake claude or the real one.

#![allow(clippy::unwrap_used, reason = "a panic here is a failed test")]

mod attached_terminal;
mod automatic_end;
mod claude_hooks;
mod context_injection;
mod lifecycle;
mod lifecycle_hooks;
mod prompt_queue;
mod real_claude;
mod real_composer;
mod real_dialogs;
mod real_rules;
mod real_stop;
mod support;
