//! The program that runs in a session's terminal (claude or the simulated agent), and where its transcripts are.

use super::remote_runner;
use crate::{
    claude::{self, Claude},
    context::Context,
};
use bc_claude::{paths::Places, probe::Launcher, version::Version};
use bc_core::{
    fleet::Runner,
    ids::{AgentName, ConversationId},
    session::{ClaudeSession, Meta},
};
use bc_wire::{ApiError, ErrorCode};
use std::path::{Path, PathBuf};

#[derive(Clone)]
pub(crate) struct Agent {
    pub(super) program: PathBuf,
    /// The program's arguments before claude's own.
    pub(super) first_args: Vec<String>,
    pub(super) simulated: bool,
    /// Claude's version. For the simulated agent and a runner's program, the newest supported version is assumed.
    pub(super) version: Version,
    /// The agent prompt for claude's `--agent`, if one is chosen.
    pub(super) prompt: Option<bc_claude::agents::Agent>,
    /// The runner; `None` if the program runs on this machine.
    pub(super) runner: Option<Runner>,
}

/// The program for a session; the error says what is missing and how to fix it.
pub(crate) fn agent(
    ctx: &Context,
    simulated: bool,
    prompt: &Option<AgentName>,
    runner: Option<&str>,
) -> Result<Agent, ApiError> {
    let runner = remote_runner::runner(&ctx.project, runner)?;
    let prompt = match prompt {
        Some(name) => Some(claude::named(&ctx.project, name)?),
        None => None,
    };
    let first_args = Vec::new();
    if simulated {
        let program = ctx.programs.sim.clone();
        if !program.is_file() {
            let text = format!("the simulated agent is missing: {}", program.display());
            return Err(ApiError::new(ErrorCode::ClaudeMissing, text)
                .hint("build it with `cargo build --bin beads-console-sim`, or reinstall Beads Console"));
        }
        return Ok(Agent { program, first_args, simulated, version: Version::NEWEST, prompt, runner });
    }
    // The version of a runner's claude is unknown.
    if let Some(program) = runner.as_ref().and_then(|runner| runner.program.clone()) {
        let (program, version) = (program.into(), Version::NEWEST);
        return Ok(Agent { program, first_args, simulated, version, prompt, runner });
    }
    let Claude { launcher, version, .. } = claude::claude(&ctx.project)?;
    let Launcher { program, args: first_args, .. } = launcher;
    Ok(Agent { program, first_args, simulated, version, prompt, runner })
}

/// Whether claude still has this conversation.
pub(crate) fn conversation_exists(ctx: &Context, meta: &Meta, conversation: &ClaudeSession) -> bool {
    // A claude that was killed early leaves a transcript without messages, so the file's existence is not enough.
    transcript_of(ctx, meta, conversation).is_some_and(|path| bc_claude::transcript::has_conversation(&path))
}

/// The path of this conversation's transcript, whether or not it exists.
pub(crate) fn transcript_of(ctx: &Context, meta: &Meta, conversation: &ClaudeSession) -> Option<PathBuf> {
    if let Some(known) = &conversation.transcript_path {
        return Some(PathBuf::from(known));
    }
    transcript_at(ctx, meta, conversation.id)
}

/// The path of the transcript of a conversation that starts in the session's working folder.
pub(crate) fn transcript_at(ctx: &Context, meta: &Meta, conversation: ConversationId) -> Option<PathBuf> {
    let cwd = Path::new(meta.cwd.as_deref()?);
    Some(places(ctx, meta.simulated)?.transcript(cwd, conversation))
}

/// Where the agent keeps its conversations. The simulated agent's are kept apart from the user's own.
pub(super) fn places(ctx: &Context, simulated: bool) -> Option<Places> {
    let folder = ctx.store.path().join(".simulated");
    match simulated {
        true => Some(Places { state_file: folder.join(".claude.json"), config_dir: folder }),
        false => claude::places(),
    }
}
