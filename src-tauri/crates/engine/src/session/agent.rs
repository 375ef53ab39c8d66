//! The program that runs in a session's terminal (claude or the simulated agent), and the location of its
//! transcripts.

use super::remote_runner;
use crate::{
    claude::{self, Claude},
    context::Context,
    places,
};
use bc_claude::{paths::Places, version::Version};
use bc_core::{
    fleet::Runner,
    ids::{AgentName, ConversationId},
    session::{ClaudeSession, Meta},
};
use bc_remote::PlaceAccess;
use bc_wire::{ApiError, ErrorCode};
use std::path::{Path, PathBuf};

#[derive(Clone)]
pub(crate) struct Agent {
    pub(super) program: PathBuf,
    /// The program's arguments that precede claude's own.
    pub(super) first_args: Vec<String>,
    pub(super) simulated: bool,
    /// Claude's version. For the simulated agent and a runner's program, the newest supported version is assumed.
    pub(super) version: Version,
    /// The agent prompt for claude's `--agent`, if the user chose one.
    pub(super) prompt: Option<bc_claude::agents::Agent>,
    /// The runner; `None` if the program runs on this machine.
    pub(super) runner: Option<Runner>,
    /// The place where the session's host runs; `None` for this machine.
    pub(super) place: Option<PlaceAccess>,
}

/// Finds the program for a session. The error names the missing program or setting, with a hint if there is a fix.
pub(crate) fn agent(
    ctx: &Context,
    simulated: bool,
    prompt: &Option<AgentName>,
    runner: Option<&str>,
    place: Option<&str>,
) -> Result<Agent, ApiError> {
    let runner = remote_runner::runner(&ctx.project, runner)?;
    let prompt = prompt.as_ref().map(|name| claude::find_agent(&ctx.project, name)).transpose()?;
    if let Some(place) = place {
        if runner.is_some() {
            return Err(ApiError::new(ErrorCode::Usage, "a session has a place or a runner, not both"));
        }
        return agent_at(places::access(place)?, simulated, prompt);
    }
    let (program, first_args, version) = if simulated {
        let program = ctx.programs.sim.clone();
        if !program.is_file() {
            let text = format!("the simulated agent is missing: {}", program.display());
            return Err(ApiError::new(ErrorCode::ClaudeMissing, text)
                .hint("build it with `cargo build --bin beads-console-sim`, or reinstall Beads Console"));
        }
        (program, Vec::new(), Version::NEWEST)
    } else if let Some(program) = runner.as_ref().and_then(|runner| runner.program.clone()) {
        // The version of a runner's own program is unknown, so the newest version is assumed.
        (program.into(), Vec::new(), Version::NEWEST)
    } else {
        let Claude { launcher, version, .. } = claude::claude(&ctx.project)?;
        (launcher.program, launcher.args, version)
    };
    Ok(Agent { program, first_args, simulated, version, prompt, runner, place: None })
}

/// Finds the program for a session at a place, from the place's description.
fn agent_at(
    place: PlaceAccess,
    simulated: bool,
    prompt: Option<bc_claude::agents::Agent>,
) -> Result<Agent, ApiError> {
    let found = places::describe(&place)?;
    let name = place.name.clone();
    let missing = |why: String| {
        ApiError::new(ErrorCode::ClaudeMissing, format!("{name}: {}", bc_core::text::plain(&why)))
            .hint(format!("check it with `beads-console places test {name}`"))
    };
    let (program, first_args, version) = match (simulated, found.claude) {
        (true, _) if found.simulated => (PathBuf::new(), Vec::new(), Version::NEWEST),
        (true, _) => return Err(missing("the simulated agent is not installed".to_owned())),
        (false, Ok(claude)) => {
            let version =
                claude.version.parse().map_err(|_| missing("its claude has no version".to_owned()))?;
            (PathBuf::from(claude.program), claude.args, version)
        }
        (false, Err(why)) => return Err(missing(why)),
    };
    Ok(Agent { program, first_args, simulated, version, prompt, runner: None, place: Some(place) })
}

/// Whether claude still has this conversation.
pub(crate) fn conversation_exists(ctx: &Context, meta: &Meta, conversation: &ClaudeSession) -> bool {
    // A claude that was killed early leaves a transcript without messages, so the file's existence is not enough.
    transcript_of(ctx, meta, conversation).is_some_and(|path| bc_claude::transcript::has_conversation(&path))
}

/// The path of this conversation's transcript, even if the file does not exist; `None` if the transcript is
/// at a place or its path is unknown.
pub(crate) fn transcript_of(ctx: &Context, meta: &Meta, conversation: &ClaudeSession) -> Option<PathBuf> {
    if meta.place.is_some() {
        return None;
    }
    if let Some(known) = &conversation.transcript_path {
        return Some(PathBuf::from(known));
    }
    transcript_at(ctx, meta, conversation.id)
}

/// The transcript path of a conversation that starts in the session's working folder; `None` if the session
/// is at a place, or its working folder or claude's folder is unknown.
pub(crate) fn transcript_at(ctx: &Context, meta: &Meta, conversation: ConversationId) -> Option<PathBuf> {
    if meta.place.is_some() {
        return None;
    }
    let cwd = Path::new(meta.cwd.as_deref()?);
    Some(claude_folders(ctx, meta.simulated)?.transcript(cwd, conversation))
}

/// The folders in which the agent keeps its conversations. Those of the simulated agent are separate from the
/// user's.
pub(super) fn claude_folders(ctx: &Context, simulated: bool) -> Option<Places> {
    let folder = ctx.store.path().join(".simulated");
    match simulated {
        true => Some(Places { state_file: folder.join(".claude.json"), config_dir: folder }),
        false => claude::places(),
    }
}
