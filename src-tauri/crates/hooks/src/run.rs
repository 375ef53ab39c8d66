//! Runs the hooks of an event, one after another.
//!
//! Each run checks a repository's hook again. Its scripts are read once and compared with the content that
//! the user allowed. Where possible, a private copy of exactly these bytes runs, so that later changes of the
//! files have no effect.

use crate::{
    command,
    inspect::{HooksFileContent, chain, scripts_of},
    load::Hook,
    os,
    output::{self, Output},
    payload::{Facts, Payload},
    places::Places,
    private_copies::copy_scripts,
    reaper::{Order, Ran},
    scripts::{Script, file_named, fingerprint, folders},
    trust::{Trust, workspace_allowed},
    words::{stands_alone, words},
};
use bc_core::{
    Extra, Timestamp,
    hooks::{HOOK_RUN_VERSION, HookDecision, HookRun},
    text::cut,
};
use bc_process::descendants::SESSION_MARKER;
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    time::Instant,
};
use tempfile::TempDir;

/// The maximum length of each recorded output, in characters.
const KEPT: usize = 4_000;

/// The maximum length of one hook's context, in characters.
const CONTEXT_MAX: usize = 8_000;

/// Runs the hooks of one repository, and of one session if it is given.
#[derive(Debug, Clone)]
pub struct Runner {
    /// The path of this program. Its hidden command [`crate::RUN_VERB`] is the reaper.
    pub program: PathBuf,
    pub places: Places,
    /// The id of the session to which the hooks' processes belong; `None` without a session.
    pub session: Option<String>,
}

/// The joint result of an event's hooks.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Outcome {
    pub runs: Vec<HookRun>,
    /// The messages for the agent, in the order of the hooks.
    pub context: Vec<String>,
    /// The strictest decision of all hooks, with its reason; `None` if no hook decided.
    pub decision: Option<(HookDecision, Option<String>)>,
}

impl Runner {
    /// Runs these hooks in order with the same payload. If a hook denies the tool, the remaining hooks are
    /// skipped.
    pub fn run(&self, hooks: &[Hook], payload: &Payload, facts: &Facts, now: fn() -> Timestamp) -> Outcome {
        let mut outcome = Outcome::default();
        for hook in hooks {
            let at = now();
            let (run, output) = self.run_one(hook, payload, facts, at);
            outcome.runs.push(run);
            outcome.context.extend(output.context);
            let outweighs =
                |decision: &HookDecision| outcome.decision.as_ref().is_none_or(|(other, _)| decision > other);
            if let Some(decision) = output.decision.filter(outweighs) {
                outcome.decision = Some((decision, output.reason));
                if decision == HookDecision::Deny {
                    break;
                }
            }
        }
        outcome
    }

    fn run_one(&self, hook: &Hook, payload: &Payload, facts: &Facts, at: Timestamp) -> (HookRun, Output) {
        let started = Instant::now();
        let stdin = payload.to_json(facts, at).to_string();
        let ran = self.prepare(hook).and_then(|ready| self.order(hook, &ready, stdin).run(&self.program));
        let mut run = HookRun {
            version: HOOK_RUN_VERSION,
            at,
            event: hook.event,
            reason: payload.reason.clone(),
            file: hook.file.display().to_string(),
            command: hook.command.clone(),
            duration_ms: u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX),
            exit: None,
            stdout: String::new(),
            stderr: String::new(),
            warning: None,
            decision: None,
            context_bytes: 0,
            extra: Extra::new(),
        };
        let judged = match ran {
            Ok(ran) => {
                run.exit = ran.code;
                run.stdout = cut(ran.stdout.trim_end(), KEPT);
                run.stderr = cut(ran.stderr.trim_end(), KEPT);
                judge(hook, ran)
            }
            Err(reason) => Err(format!("it was not run: {reason}")),
        };
        let (output, warning) = judged.unwrap_or_else(|warning| (Output::default(), Some(warning)));
        run.warning = warning;
        run.decision = output.decision;
        run.context_bytes = output.context.as_ref().map_or(0, |text| text.len() as u64);
        (run, output)
    }

    /// Checks that a hook may run now, and makes a private copy of its scripts.
    fn prepare(&self, hook: &Hook) -> Result<Ready, String> {
        let plain = |cwd| Ready { command: hook.command.clone(), cwd, _copy: None };
        let cwd = hook.cwd.canonicalize().map(bc_core::paths::plain);
        let cwd =
            cwd.map_err(|error| format!("its folder {} cannot be opened: {error}", hook.cwd.display()))?;
        let Some(file) = &hook.allowed else { return Ok(plain(cwd)) };
        if !cwd.starts_with(&self.places.boundary) {
            return Err(format!("its folder {} is outside the repository", cwd.display()));
        }
        let scripts = self.checked_scripts(file)?;
        if scripts.is_empty() {
            return Ok(plain(cwd));
        }
        let copy = copy_scripts(&scripts, &self.places)
            .map_err(|error| format!("its scripts could not be copied: {error}"))?;
        let command = replaced(&hook.command, &cwd, &self.places.boundary, &scripts, copy.path());
        Ok(Ready { command, cwd, _copy: Some(copy) })
    }

    /// The scripts of a hooks file; an error if the user has not allowed the file with their current content.
    fn checked_scripts(&self, file: &HooksFileContent) -> Result<BTreeMap<PathBuf, Script>, String> {
        let config = self.places.config.as_deref();
        if !workspace_allowed(config) {
            return Err("hooks of workspaces are switched off".to_owned());
        }
        let scripts = scripts_of(&file.path, &file.parsed, &self.places.boundary).map_err(|e| chain(&e))?;
        let now = fingerprint(&file.bytes, &scripts, &self.places.boundary);
        let trust = Trust::read(config).map_err(|error| chain(&error))?;
        match trust.of(&file.path) {
            Some(approval) if approval.fingerprint == now => Ok(scripts),
            Some(_) => Err("it, or a script of its file, is not what you allowed; review the change with `beads-console hooks list`".to_owned()),
            None => Err("you have revoked its permission".to_owned()),
        }
    }

    fn order(&self, hook: &Hook, ready: &Ready, stdin: String) -> Order {
        let (shell, args) = os::shell();
        let folder = hook.file.parent().unwrap_or(&hook.cwd);
        let mut env = command::environment(&self.places.boundary, folder, &hook.entry.env);
        env.push((SESSION_MARKER.to_owned(), self.session.clone()));
        let args = args.iter().map(|arg| (*arg).to_owned()).chain([ready.command.clone()]).collect();
        let timeout_ms = u64::try_from(hook.entry.timeout.as_millis()).unwrap_or(u64::MAX).max(1);
        Order { program: shell, args, env, cwd: ready.cwd.clone(), stdin, timeout_ms, log: None }
    }
}

/// A hook that was checked.
struct Ready {
    command: String,
    cwd: PathBuf,
    /// The private copy of its scripts, which is removed when this value is dropped.
    _copy: Option<TempDir>,
}

/// Replaces the paths of scripts in the command by the paths of their copies. A path is replaced only if it
/// is a separate and unambiguous word. Otherwise the script runs in its original place, where it was checked
/// just before.
fn replaced(
    command: &str,
    cwd: &Path,
    boundary: &Path,
    scripts: &BTreeMap<PathBuf, Script>,
    copy: &Path,
) -> String {
    let folders = folders(command, cwd, boundary);
    let mut text = command.to_owned();
    for word in words(command).into_iter().rev() {
        let named = |folder: &PathBuf| file_named(&command[word.clone()], folder, boundary).ok().flatten();
        let mut meant: Vec<PathBuf> = folders.iter().filter_map(named).map(|script| script.path).collect();
        meant.dedup();
        let [path] = meant.as_slice() else { continue };
        let place = path.strip_prefix(boundary).ok().filter(|_| scripts.contains_key(path));
        if let Some(quoted) = place.and_then(|place| os::quote(&copy.join(place)))
            && stands_alone(command, &word)
        {
            text.replace_range(word, &quoted);
        }
    }
    text
}

/// The hook's answer, with a warning if necessary. Returns the reason if the answer is ignored.
fn judge(hook: &Hook, ran: Ran) -> Result<(Output, Option<String>), String> {
    if let Some(error) = ran.error {
        return Err(format!("it could not be run: {error}"));
    }
    if ran.timed_out {
        let seconds = hook.entry.timeout.as_secs_f64();
        let left = match ran.left.as_slice() {
            [] => "was ended with everything that it started".to_owned(),
            left => format!("was ended, but {} could not be", left.join(", ")),
        };
        return Err(format!("it was still running after {seconds} seconds and {left}"));
    }
    match ran.code {
        Some(0) => {}
        Some(code) => return Err(format!("it ended with exit code {code}")),
        None => return Err("it was ended by a signal".to_owned()),
    }
    if ran.truncated {
        return Err("it printed more than a hook may; print one short JSON object".to_owned());
    }
    let mut output = output::read(ran.stdout.as_bytes())?;
    let mut notes = match ran.told.len() {
        0 => Vec::new(),
        1 => vec![format!("it left a process behind, {}, which was ended", ran.told[0])],
        n => vec![format!("it left {n} processes behind, which were ended")],
    };
    if let Some(text) = output.context.as_mut().filter(|text| text.chars().count() > CONTEXT_MAX) {
        *text = cut(text, CONTEXT_MAX);
        notes.push(format!("its context is longer than {CONTEXT_MAX} characters and was cut"));
    }
    Ok((output, (!notes.is_empty()).then(|| notes.join("; "))))
}
