//! Previews, installs and removes the files in the project's folder that teach agents about beads.
//! `bc_core::agent_files` defines the contents.
//!
//! Invariants: if one file is refused, no file is changed. Nothing outside the repository is written, even through
//! links.
//!
//! May use: `context`.

mod place;
#[cfg(test)]
mod tests;

use self::place::{refuse, resolve_within};
use crate::context::{Context, errors::file_error};
use bc_beads::TrackerKind;
use bc_core::agent_files::{self as texts, Part, Refusal, State};
use bc_store::{
    FileError, file,
    repository::{self, limits},
};
use bc_wire::{ApiError, ErrorCode, agent_files::*};
use std::path::{Path, PathBuf};

const CLAUDE_MD: &str = "CLAUDE.md";
const AGENTS_MD: &str = "AGENTS.md";
const SETTINGS: &str = ".claude/settings.json";

struct Planned {
    plan: AgentFilePlan,
    /// The file's path with links resolved; if the file is refused, the path as named.
    path: PathBuf,
    after: texts::Content,
    refused: Option<ApiError>,
}

pub(crate) fn preview(ctx: &Context, params: &AgentFilesPreviewParams) -> Result<AgentFilesPlan, ApiError> {
    Ok(answer(ctx, plan_files(ctx, &params.files, params.remove)))
}

pub(crate) fn install(ctx: &Context, params: &AgentFilesParams) -> Result<AgentFilesPlan, ApiError> {
    carry_out(ctx, &params.files, false)
}

pub(crate) fn remove(ctx: &Context, params: &AgentFilesParams) -> Result<AgentFilesPlan, ApiError> {
    carry_out(ctx, &params.files, true)
}

fn carry_out(ctx: &Context, files: &[AgentFile], remove: bool) -> Result<AgentFilesPlan, ApiError> {
    // Take the lock, because concurrent changes would overwrite each other.
    let _sessions = ctx.session_lock();
    let mut planned = plan_files(ctx, files, remove);
    if let Some(refused) = planned.iter_mut().find_map(|file| file.refused.take()) {
        return Err(refused);
    }
    for file in &planned {
        write(&ctx.project.root, file).map_err(file_error)?;
    }
    Ok(answer(ctx, planned))
}

fn answer(ctx: &Context, planned: Vec<Planned>) -> AgentFilesPlan {
    let root = ctx.project.root.to_string_lossy().into_owned();
    AgentFilesPlan { root, files: planned.into_iter().map(|file| file.plan).collect() }
}

fn write(root: &Path, planned: &Planned) -> Result<(), FileError> {
    match (planned.plan.change, &planned.after) {
        (AgentFileChange::None, _) => Ok(()),
        (_, Some(bytes)) => {
            planned.path.parent().map_or(Ok(()), file::create_open_dir)?;
            file::replace_open(&planned.path, bytes)
        }
        (_, None) => {
            file::remove(&planned.path)?;
            // Also remove the parent folders that are now empty.
            for folder in planned.path.ancestors().skip(1).take_while(|folder| *folder != root) {
                if !folder.starts_with(root) || !file::remove_empty_dir(folder)? {
                    break;
                }
            }
            Ok(())
        }
    }
}

fn plan_files(ctx: &Context, files: &[AgentFile], remove: bool) -> Vec<Planned> {
    let root = &ctx.project.root;
    let wanted = |file: &AgentFile| match files {
        [] if remove => true,
        [] => default_files(root).contains(file),
        files => files.contains(file),
    };
    let rules = match wanted(&AgentFile::Permissions) {
        true => texts::rules(program(ctx)),
        false => Vec::new(),
    };
    let boundary = ctx.project.main_tree.as_deref().unwrap_or(root);
    let mut all: Vec<Planned> = Vec::new();
    for file in AgentFile::ALL.into_iter().filter(wanted) {
        for (path, part) in parts(file, &rules) {
            let mut one = plan(root, boundary, file, path, part, remove);
            // CLAUDE.md may be a link to AGENTS.md: change the file only once.
            if all.iter().any(|other| other.path == one.path) {
                one.plan.change = AgentFileChange::None;
                one.plan.diff.clear();
            }
            all.push(one);
        }
    }
    all
}

/// The default files to install: the skill, and a section in each existing instruction file, else in a new
/// CLAUDE.md. If CLAUDE.md includes an existing AGENTS.md, only AGENTS.md gets the section.
fn default_files(root: &Path) -> Vec<AgentFile> {
    let exists = |name: &str| root.join(name).symlink_metadata().is_ok();
    let includes_agents_md = || {
        let text = repository::read(&root.join(CLAUDE_MD), limits::TEXT).ok().flatten().unwrap_or_default();
        String::from_utf8_lossy(&text).lines().any(|line| line.trim() == "@AGENTS.md")
    };
    match (exists(CLAUDE_MD), exists(AGENTS_MD)) {
        (true, true) if !includes_agents_md() => {
            vec![AgentFile::Skill, AgentFile::ClaudeMd, AgentFile::AgentsMd]
        }
        (_, true) => vec![AgentFile::Skill, AgentFile::AgentsMd],
        (_, false) => vec![AgentFile::Skill, AgentFile::ClaudeMd],
    }
}

/// The name of the tracker's own program; `None` if the tracker is embedded, is read-only, or cannot be
/// opened.
fn program(ctx: &Context) -> Option<&'static str> {
    match ctx.tracker().ok()?.kind() {
        TrackerKind::Bd => Some("bd"),
        TrackerKind::Br => Some("br"),
        _ => None,
    }
}

fn parts(file: AgentFile, rules: &[String]) -> Vec<(&'static str, Part<'_>)> {
    match file {
        AgentFile::Skill => texts::SKILL.to_vec(),
        AgentFile::Agent => vec![texts::AGENT],
        AgentFile::ClaudeMd => vec![(CLAUDE_MD, texts::SECTION)],
        AgentFile::AgentsMd => vec![(AGENTS_MD, texts::SECTION)],
        AgentFile::Permissions => vec![(SETTINGS, Part::Rules(rules))],
    }
}

fn plan(root: &Path, boundary: &Path, file: AgentFile, name: &str, part: Part<'_>, remove: bool) -> Planned {
    let plan = |state, change, diff| AgentFilePlan {
        file,
        path: name.to_owned(),
        state,
        change,
        diff,
        problem: None,
    };
    match inspect(root, boundary, name, part, remove) {
        Ok(Inspected { path, state, before, after }) => {
            let change = match (&before, &after) {
                (None, None) => AgentFileChange::None,
                (Some(before), Some(after)) if before == after => AgentFileChange::None,
                (None, Some(_)) => AgentFileChange::Create,
                (Some(_), Some(_)) => AgentFileChange::Change,
                (Some(_), None) => AgentFileChange::Delete,
            };
            let diff = texts::diff(before.as_deref(), after.as_deref());
            Planned { plan: plan(state, change, diff), path, after, refused: None }
        }
        Err(refused) => {
            let problem = Some(refused.message.clone());
            let plan = plan(AgentFileState::Refused, AgentFileChange::None, String::new());
            let plan = AgentFilePlan { problem, ..plan };
            Planned { plan, path: root.join(name), after: None, refused: Some(refused) }
        }
    }
}

struct Inspected {
    path: PathBuf,
    state: AgentFileState,
    before: texts::Content,
    after: texts::Content,
}

fn inspect(
    root: &Path,
    boundary: &Path,
    name: &str,
    part: Part<'_>,
    remove: bool,
) -> Result<Inspected, ApiError> {
    let path = resolve_within(root, boundary, name)?;
    let before = repository::read(&path, limits::TEXT).map_err(file_error)?;
    let refused = |refusal: Refusal| refuse(name, &refusal.to_string());
    let state = match part.state(before.as_deref()) {
        Ok(State::Absent) => AgentFileState::Absent,
        Ok(State::Current) => AgentFileState::Current,
        Ok(State::Outdated) => AgentFileState::Outdated,
        Ok(State::Newer) => AgentFileState::Newer,
        Err(refusal) => return Err(refused(refusal)),
    };
    let after = match remove {
        false => part.install(before.as_deref()),
        true => part.remove(before.as_deref()),
    };
    let after = after.map_err(refused)?;
    let read_only = path.metadata().is_ok_and(|metadata| metadata.permissions().readonly());
    if read_only && before != after {
        let text = format!("{name} is marked read-only");
        return Err(ApiError::new(ErrorCode::ReadOnly, text).hint("make it writable, or exclude it"));
    }
    Ok(Inspected { path, state, before, after })
}
