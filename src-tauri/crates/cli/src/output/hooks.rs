//! Lifecycle hooks: files and whether they run, what they do, and what came of their runs.

use super::{Looks, Tone, indented, moment};
use bc_core::{
    hooks::HookRun,
    text::{grouped, one_line, plain},
};
use bc_wire::hooks::*;

/// Every file that is there.
pub(crate) fn list(files: &HookFiles, looks: &Looks) -> String {
    let there = files.files.iter().filter(|file| file.state != HookFileState::Absent);
    let shown: Vec<String> = there.map(|file| one(file, looks)).collect();
    if shown.is_empty() {
        return "There are no hooks. docs/hooks.md says how to write one.\n".to_owned();
    }
    shown.join("\n")
}

fn one(file: &HookFile, looks: &Looks) -> String {
    let (tone, state) = state(file.state);
    let mut text =
        format!("{} · {}\n", looks.paint(Tone::Strong, &plain(&file.path)), looks.paint(tone, state));
    for hook in &file.hooks {
        text.push_str(&format!("  {}\n", entry(hook)));
    }
    for warning in &file.warnings {
        text.push_str(&format!("  {}\n", looks.paint(Tone::Attention, &one_line(warning))));
    }
    if !file.change.is_empty() {
        text.push_str(&format!("{}\n", indented(plain(&file.change).trim_end(), "  ")));
    }
    match file.state {
        HookFileState::New | HookFileState::Changed => {
            text.push_str("  allow it as it is now: beads-console hooks trust FILE\n");
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
        HookFileState::Absent => (Tone::Faint, "not there"),
        HookFileState::Own => (Tone::Good, "yours, runs"),
        HookFileState::Trusted => (Tone::Good, "allowed, runs"),
        HookFileState::Off => (Tone::Attention, "allowed, but hooks of workspaces are switched off"),
        HookFileState::New => (Tone::Attention, "not allowed yet, does not run"),
        HookFileState::Changed => (Tone::Attention, "changed since you allowed it, does not run"),
        HookFileState::Refused => (Tone::Bad, "cannot be allowed"),
    }
}

/// All that a person allows with a file: itself, its scripts, and what changed.
pub(crate) fn whole(file: &HookFile, looks: &Looks) -> String {
    let mut text = one(file, looks);
    let own = file.text.as_deref().map(|text| (file.path.as_str(), text));
    let scripts = file.scripts.iter().map(|script| (script.path.as_str(), script.text.as_str()));
    for (path, content) in own.into_iter().chain(scripts) {
        let path = looks.paint(Tone::Strong, &plain(path));
        text.push_str(&format!("\n{path}\n{}\n", indented(plain(content).trim_end(), "  ")));
    }
    text
}

/// What came of trying hooks out.
pub(crate) fn test(test: &HookTest, looks: &Looks) -> String {
    let mut text = runs(&test.runs, looks);
    if let Some(decision) = test.decision {
        let word = serde_json::to_value(decision).unwrap_or_default();
        let reason =
            test.reason.as_deref().map(|reason| format!(": {}", one_line(reason))).unwrap_or_default();
        text.push_str(&format!("\nThe tool's use: {}{reason}\n", word.as_str().unwrap_or_default()));
    }
    for context in &test.context {
        text.push_str(&format!(
            "\nThe agent would be told:\n{}\n",
            indented(plain(context).trim_end(), "  ")
        ));
    }
    text
}

/// The runs of all sessions.
pub(crate) fn all_runs(shown: &HookRunsShown, looks: &Looks) -> String {
    if shown.runs.is_empty() {
        return runs(&[], looks);
    }
    let run = |of: &HookRunOf| {
        let id: String = of.session_id.to_string().chars().take(8).collect();
        format!("{} {}", looks.paint(Tone::Faint, &id), ran(&of.run, looks))
    };
    let mut text: String = shown.runs.iter().map(run).collect();
    let here = u32::try_from(shown.runs.len()).unwrap_or(u32::MAX);
    if here < shown.total {
        text.push_str(&format!("\n{} more: --limit shows them\n", shown.total - here));
    }
    text
}

/// Each run with what it printed.
pub(crate) fn runs(runs: &[HookRun], looks: &Looks) -> String {
    if runs.is_empty() {
        return "No hook ran.\n".to_owned();
    }
    let shown: Vec<String> = runs.iter().map(|run| ran(run, looks)).collect();
    shown.join("")
}

fn ran(run: &HookRun, looks: &Looks) -> String {
    let reason = run.reason.as_deref().map(|reason| format!(" ({})", one_line(reason))).unwrap_or_default();
    let exit = run.exit.map(|code| format!(" · exit {code}")).unwrap_or_default();
    let faint = format!("{} · {} ms{exit}", moment(looks, &run.at), grouped(run.duration_ms));
    let head = format!("{}{reason}: {}", run.event, one_line(&run.command));
    let mut text = format!("{} · {}\n", looks.paint(Tone::Strong, &head), looks.paint(Tone::Faint, &faint));
    if let Some(warning) = &run.warning {
        text.push_str(&format!("  {}\n", looks.paint(Tone::Bad, &one_line(warning))));
    }
    for printed in [&run.stdout, &run.stderr] {
        if !printed.trim().is_empty() {
            text.push_str(&format!("{}\n", indented(plain(printed).trim_end(), "  ")));
        }
    }
    text
}
