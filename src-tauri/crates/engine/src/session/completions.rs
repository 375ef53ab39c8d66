//! Completions for a prompt: claude's commands, and the files of the session's folder.

use crate::{claude::places, context::Context};
use bc_claude::commands::{self, Origin};
use bc_core::ids::SessionId;
use bc_git::Repo;
use bc_wire::{ApiError, session::*};
use std::path::PathBuf;

/// The maximum number of files in the list; additional files are only counted.
const FILES_MAX: usize = 20_000;

pub(crate) fn completions(ctx: &Context, id: SessionId) -> Result<Completions, ApiError> {
    let meta = ctx.meta(id)?;
    let folder = meta.cwd.map_or_else(|| ctx.project.root.clone(), PathBuf::from);
    let config = places().map(|places| places.config_dir);
    let command = |command: commands::Command| SlashCommand {
        name: command.name,
        about: command.about,
        origin: match command.origin {
            Origin::Claude => CommandOrigin::Claude,
            Origin::Project => CommandOrigin::Project,
            Origin::User => CommandOrigin::Person,
        },
    };
    let commands = commands::list(&folder, config.as_deref()).into_iter().map(command).collect();
    // Without a readable repository, no files are offered.
    let listed = Repo::discover(&folder).and_then(|repo| repo.files(&folder));
    let mut files = listed.unwrap_or_default();
    let more_files = files.len().saturating_sub(FILES_MAX) as u64;
    files.truncate(FILES_MAX);
    Ok(Completions { commands, files, more_files })
}
