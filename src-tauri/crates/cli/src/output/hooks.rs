//! Lifecycle hooks: files with their state, their commands, and past runs.

use super::{Style, Tone, indented, moment, units::omitted};
use bc_core::{
    hooks::HookRun,
    text::{grouped, one_line, plain},
};
use bc_wire::hooks::*;

pub(crate) fn list(files: &HookFiles, style: &Style) -> String {
    let existing = files.files.iter().filter(|file| file.state != HookFileState::Absent);
    let shown: Vec<String> = existing.map(|file| one(file, style)).collect();
    if shown.is_empty() {
        return "No hooks. docs/hooks.md describes how to write one.\n".to_owned();
    }
    shown.join("\n")
}

fn one(file: &HookFile, style: &Style) -> String {
    let (tone, state) = match (file.scope, file.state) {
        (HookScope::Git, HookFileState::Trusted) => (Tone::Good, "allowed, git runs these programs"),
        (HookScope::Git, HookFileState::New) => {
            (Tone::Attention, "not allowed yet: git would run these programs")
        }
        (HookScope::Git, HookFileState::Changed) => {
            (Tone::Attention, "changed since you allowed it: git would run these programs")
        }
        (_, of_hooks) => state(of_hooks),
    };
    let mut text =
        format!("{} · {}\n", style.paint(Tone::Strong, &plain(&file.path)), style.paint(tone, state));
    if file.scope == HookScope::Git {
        for setting in file.text.iter().flat_map(|text| text.lines()) {
            text.push_str(&format!("  {}\n", one_line(setting)));
        }
    }
    text.extend(file.hooks.iter().map(|hook| format!("  {}\n", entry(hook))));
    for warning in &file.warnings {
        text.push_str(&format!("  {}\n", style.paint(Tone::Attention, &one_line(warning))));
    }
    if !file.change.is_empty() {
        text.push_str(&format!("{}\n", indented(plain(&file.change).trim_end(), "  ")));
    }
    match file.state {
        HookFileState::New | HookFileState::Changed => {
            text.push_str("  allow the current content: beads-console hooks trust FILE\n");
        }
        HookFileState::Off => text.push_str("  switch them on: beads-console hooks workspace on\n"),
        _ => {}
    }
    text
}

fn entry(hook: &HookEntry) -> String {
    let command = hook.bash.as_deref().or(hook.powershell.as_deref()).unwrap_or_default();
    let off = if hook.enabled { "" } else { " (switched off)" };
    format!("{}: {}{off}", hook.event, one_line(command))
}

fn state(state: HookFileState) -> (Tone, &'static str) {
    match state {
        HookFileState::Absent => (Tone::Faint, "missing"),
        HookFileState::Own => (Tone::Good, "yours, runs"),
        HookFileState::Trusted => (Tone::Good, "allowed, runs"),
        HookFileState::Off => (Tone::Attention, "allowed, but workspace hooks are switched off"),
        HookFileState::New => (Tone::Attention, "not allowed yet, does not run"),
        HookFileState::Changed => (Tone::Attention, "changed since you allowed it, does not run"),
        HookFileState::Refused => (Tone::Bad, "cannot be allowed"),
    }
}

/// Everything that the user allows with a file: its content, its scripts, and their changes.
pub(crate) fn content(file: &HookFile, style: &Style) -> String {
    let mut text = one(file, style);
    let own = file.text.as_deref().map(|text| (file.path.as_str(), text));
    let scripts = file.scripts.iter().map(|script| (script.path.as_str(), script.text.as_str()));
    for (path, content) in own.into_iter().chain(scripts) {
        let path = style.paint(Tone::Strong, &plain(path));
        text.push_str(&format!("\n{path}\n{}\n", indented(plain(content).trim_end(), "  ")));
    }
    text
}

pub(crate) fn test(test: &HookTest, style: &Style) -> String {
    let mut text = runs(&test.runs, style);
    if let Some(decision) = test.decision {
        let word = serde_json::to_value(decision).unwrap_or_default();
        let reason =
            test.reason.as_deref().map(|reason| format!(": {}", one_line(reason))).unwrap_or_default();
        text.push_str(&format!("\nThe tool call: {}{reason}\n", word.as_str().unwrap_or_default()));
    }
    for context in &test.context {
        text.push_str(&format!(
            "\nThe agent would receive:\n{}\n",
            indented(plain(context).trim_end(), "  ")
        ));
    }
    text
}

/// Runs with their sessions, and the number of omitted runs.
pub(crate) fn all_runs(shown: &HookRunsShown, style: &Style) -> String {
    if shown.runs.is_empty() {
        return runs(&[], style);
    }
    let run = |of: &HookRunOf| {
        format!("{} {}", style.paint(Tone::Faint, &of.session_id.short()), ran(&of.run, style))
    };
    let mut text: String = shown.runs.iter().map(run).collect();
    text.push_str(&omitted(shown.runs.len(), shown.total));
    text
}

/// Each run with its output.
pub(crate) fn runs(runs: &[HookRun], style: &Style) -> String {
    if runs.is_empty() {
        return "No hook ran.\n".to_owned();
    }
    runs.iter().map(|run| ran(run, style)).collect()
}

fn ran(run: &HookRun, style: &Style) -> String {
    let reason = run.reason.as_deref().map(|reason| format!(" ({})", one_line(reason))).unwrap_or_default();
    let exit = run.exit.map(|code| format!(" · exit {code}")).unwrap_or_default();
    let faint = format!("{} · {} ms{exit}", moment(style, &run.at), grouped(run.duration_ms));
    let head = format!("{}{reason}: {}", run.event, one_line(&run.command));
    let mut text = format!("{} · {}\n", style.paint(Tone::Strong, &head), style.paint(Tone::Faint, &faint));
    if let Some(warning) = &run.warning {
        text.push_str(&format!("  {}\n", style.paint(Tone::Bad, &one_line(warning))));
    }
    for printed in [&run.stdout, &run.stderr] {
        if !printed.trim().is_empty() {
            text.push_str(&format!("{}\n", indented(plain(printed).trim_end(), "  ")));
        }
    }
    text
}
