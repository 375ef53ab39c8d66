//! Starts claude (or the simulated agent) in a session host.

use super::{
    agent::{Agent, claude_folders},
    context_pack, dead_hosts,
    hook_shares::hook_shares,
    place_link,
    readiness::await_claude,
    remote_runner,
};
use crate::{
    context::{Context, SessionGuard, errors::chain},
    hooks, hosts, recovery, settings,
};
use bc_claude::{
    argv,
    settings::{self as claude_settings, Relay},
};
use bc_core::{
    ids::{ConversationId, SessionId},
    session::Meta,
};
use bc_host::{Client, ContextPiece, LaunchError, LaunchSpec, SPEC_VERSION};
use bc_process::size::Size;
use bc_store::SessionLock;
use bc_wire::{ApiError, ErrorCode};
use std::path::{Path, PathBuf};

/// The conversation to start or to continue.
pub(crate) struct Conversation {
    pub(crate) id: ConversationId,
    /// The first or next prompt; if it is empty, claude starts without a prompt.
    pub(crate) prompt: String,
    /// Whether the conversation exists.
    pub(crate) resumes: bool,
}

/// A session to launch: its record, which is already active on disk, and its locks.
pub(crate) struct LaunchSession<'a> {
    /// The engine's session lock; the launch releases it.
    pub(crate) sessions: SessionGuard<'a>,
    /// The session's own lock: the right to write its files.
    pub(crate) lock: SessionLock,
    pub(crate) meta: Meta,
    /// Facts that the start has already gathered.
    pub(crate) facts: recovery::StartFacts,
    pub(crate) index_update: IndexUpdate,
    pub(crate) wait_for: WaitFor,
}

/// The event that a start waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WaitFor {
    /// The host is listening and has started claude.
    Host,
    /// Claude is ready, has exited, or asks a question.
    Claude,
}

/// When the index is updated for a started session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum IndexUpdate {
    /// Immediately: once the host is running, and again after the wait for claude.
    AtOnce,
    /// Later, unless the index is old: the session is one of several, and the caller updates the index after
    /// the last one.
    Soon,
}

fn sync_index(ctx: &Context, index_update: IndexUpdate) -> Result<(), ApiError> {
    match index_update {
        IndexUpdate::AtOnce => ctx.sync_index(),
        IndexUpdate::Soon => ctx.sync_index_soon(),
    }
}

/// Starts the host of a session that is active on disk, and returns warnings. If the host cannot be started,
/// the session is paused. The engine's session lock is released immediately, so that other sessions can
/// start: the state is on disk, and the session's own lock is held until the host takes over that lock.
pub(crate) fn launch(
    ctx: &Context,
    LaunchSession { sessions, lock, meta, facts, index_update, wait_for }: LaunchSession<'_>,
    agent: Agent,
    conversation: Conversation,
    size: Option<(u16, u16)>,
    in_review: bool,
) -> Result<Vec<String>, ApiError> {
    drop(sessions);
    let id = meta.id;
    let mut warnings = Vec::new();
    // Read the context at every launch, so that a resumed session gets its original context pack again.
    let mut context = recovery::at_launch(ctx, &lock, &meta, facts, &mut warnings);
    context.extend(context_pack::stored(&lock).unwrap_or_else(|error| {
        warnings.push(format!("the session resumes without its context: {error}"));
        Vec::new()
    }));
    let hooks = hooks::setup(ctx, &meta, &mut warnings);
    let spec = LaunchSpec {
        hooks: Some(hooks),
        ..spec(ctx, &agent, &meta, conversation, context, size, in_review)?
    };
    let (socket, idle_ms, runner) = (spec.socket.clone(), spec.idle_ms, spec.runner.clone());
    let launched = match agent.place {
        Some(place) => {
            let run = place_link::new_run(ctx, spec, &meta);
            place_link::launch(ctx, place, &meta, Some(run), lock)
        }
        None => bc_host::launch(&ctx.programs.console, &spec, lock),
    };
    if let Err(error) = &launched {
        // No process is running. The session is in the same state as after a crash, and is paused in the same way.
        let sessions = ctx.session_lock();
        dead_hosts::pause_failed_start(ctx, &sessions, id)?;
        return Err(launch_error(error, id));
    }
    sync_index(ctx, index_update)?;
    // If the setting changed after `spec` was built, the change could not reach the host, so send it now.
    let ms = settings::idle_ms(&ctx.project);
    if ms != idle_ms {
        // If the host has exited, the wait for claude below reports it.
        let _ = Client::connect(&socket).and_then(|mut client| client.idle_after(ms));
    }
    if wait_for == WaitFor::Claude {
        warnings.extend(await_claude(ctx, id, &socket, runner.as_deref())?);
        sync_index(ctx, index_update)?;
    }
    Ok(warnings)
}

fn launch_error(error: &LaunchError, id: SessionId) -> ApiError {
    let code = match error {
        LaunchError::Program { .. } => ErrorCode::ClaudeExited,
        LaunchError::Setup { .. } => ErrorCode::SetupFailed,
        LaunchError::Unreachable { .. } => ErrorCode::MachineUnreachable,
        _ => ErrorCode::HostUnreachable,
    };
    let short = id.short();
    ApiError::new(code, chain(error))
        .hint(format!("the session is paused; try again with `beads-console session resume {short}`"))
}

/// The paths that the host watches for changes to the session's bead.
fn bead_paths(ctx: &Context, meta: &Meta) -> Vec<PathBuf> {
    match (&meta.bead_id, ctx.tracker()) {
        (Some(_), Ok(tracker)) => tracker.watch_paths(),
        _ => Vec::new(),
    }
}

fn spec(
    ctx: &Context,
    agent: &Agent,
    meta: &Meta,
    conversation: Conversation,
    context: Vec<ContextPiece>,
    size: Option<(u16, u16)>,
    in_review: bool,
) -> Result<LaunchSpec, ApiError> {
    let Conversation { id, prompt, resumes } = conversation;
    let cwd = PathBuf::from(meta.cwd.clone().unwrap_or_else(|| ctx.project.root.display().to_string()));
    let places = claude_folders(ctx, agent.simulated).filter(|_| agent.place.is_none());
    let status_line = places.as_ref().and_then(claude_settings::user_status_line);
    let console = agent.runner.as_ref().and_then(|runner| runner.console.clone()).map(PathBuf::from);
    // At a place, the host puts our program's folder into claude's PATH.
    let at_place = agent.place.as_ref().map(|_| Path::new("beads-console"));
    let console = at_place.or(console.as_deref()).unwrap_or(&ctx.programs.console);
    let relay = Relay { program: console, args: &["hook"] };
    let shares = hook_shares(&context);
    let settings = claude_settings::settings(&relay, agent.version, shares.len(), status_line.as_ref());
    let prompt = Some(prompt).filter(|text| !text.trim().is_empty());
    let launch = argv::Launch {
        conversation: if resumes { argv::Conversation::Resume(id) } else { argv::Conversation::New(id) },
        mode: meta.mode,
        settings: &settings,
        model: meta.model.as_deref(),
        agent: agent.prompt.as_ref(),
        append_system_prompt: None,
        prompt: prompt.as_deref(),
    };
    // Keep prompts out of the arguments, which other users can read. A runner can only pass arguments, and a
    // simulated agent's prompts are not secret.
    let is_local = agent.runner.is_none() && !agent.simulated;
    let argv::Private { args, system_prompt, prompt: private } = match is_local {
        true => launch.private(agent.version),
        false => argv::Private { args: launch.argv(agent.version), system_prompt: None, prompt: None },
    };
    let text = |path: &Path| Some(path.display().to_string());
    let mut env = vec![
        ("BEADS_DIR".to_owned(), text(&ctx.project.beads_dir)),
        ("BEADS_CONSOLE_PROJECT".to_owned(), text(&ctx.project.root)),
        ("BD_ACTOR".to_owned(), meta.actor.clone()),
    ];
    if let Some(places) = places.as_ref().filter(|_| agent.simulated) {
        env.push(("CLAUDE_CONFIG_DIR".to_owned(), text(&places.config_dir)));
    }
    let socket = hosts::expected_socket_path(meta.id)?;
    let args = args.into_iter().map(|a| a.to_string_lossy().into_owned());
    let args: Vec<String> = agent.first_args.iter().cloned().chain(args).collect();
    let (program, args) = match &agent.runner {
        None => (agent.program.clone(), args),
        Some(runner) => {
            let line = remote_runner::command_line(runner, meta, &agent.program, &args, &cwd, &env, &socket);
            let mut line = line.into_iter();
            (PathBuf::from(line.next().unwrap_or_default()), line.collect())
        }
    };
    Ok(LaunchSpec {
        version: SPEC_VERSION,
        session: meta.id,
        beads_dir: ctx.project.beads_dir.clone(),
        project_root: ctx.project.root.clone(),
        transcript: places.map(|places| places.transcript(&cwd, id)),
        cwd,
        program,
        args,
        env,
        size: size.map(|(cols, rows)| Size::new(rows, cols)).unwrap_or_default(),
        socket,
        conversation: id,
        resumes,
        opening_prompt: prompt.is_some(),
        prompt: private,
        system_prompt,
        manual_is_unnamed: !agent.version.shows_manual(),
        context,
        shares,
        base_commit: meta.base_commit.clone(),
        simulated: agent.simulated,
        console: Some(ctx.programs.console.clone()),
        actor: meta.actor.clone(),
        bead: meta.bead_id.clone(),
        in_review,
        bead_paths: bead_paths(ctx, meta),
        idle_ms: settings::idle_ms(&ctx.project),
        hooks: None,
        runner: meta.runner.clone(),
        at_place: false,
        clock_ahead_ms: 0,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::{Programs, Project};
    use bc_claude::version::Version;
    use bc_core::{
        context_pack::{ContextPack, GenerationMethod, PackText},
        session::Draft,
    };
    use uuid::Uuid;

    fn pack(meta: &Meta) -> ContextPack {
        ContextPack {
            id: "pack".into(),
            created_at: meta.created_at,
            project_id: meta.project_id.clone(),
            bead_id: None,
            query: None,
            files: vec![],
            symbols: vec![],
            dependencies: vec![],
            config: vec![],
            commits: vec![],
            docs: vec![PackText { path: "AGENTS.md".into(), content: "a rule\n".repeat(2_000) }],
            generation_method: GenerationMethod::Heuristic,
            total_tokens: 3_500,
            truncated: false,
        }
    }

    #[test]
    fn a_session_gets_its_context_at_its_start_and_again_at_a_resume() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().to_owned();
        bc_store::file::create_dir(&root.join(".beads")).unwrap();
        let project = Project { beads_dir: root.join(".beads"), root: root.clone(), main_tree: None };
        let programs = Programs { console: root.join("beads-console"), sim: root.join("sim") };
        let store = bc_store::SessionStore::open(&project.beads_dir).unwrap();
        let ctx = Context::owning(project, programs, store, None);
        let draft =
            Draft::new(SessionId(Uuid::from_u128(1)), "proj-1".parse().unwrap(), crate::context::now());
        let meta = Meta::draft(draft);
        let lock = ctx.store.create(&meta).unwrap();
        lock.save_context(&pack(&meta)).unwrap();

        let agent = Agent {
            program: root.join("sim"),
            first_args: vec!["first".into()],
            simulated: true,
            version: Version::NEWEST,
            prompt: None,
            runner: None,
            place: None,
        };
        let id = ConversationId(Uuid::from_u128(2));
        for resumes in [false, true] {
            let conversation = Conversation { id, prompt: String::new(), resumes };
            let context = context_pack::stored(&lock).unwrap();
            let spec = spec(&ctx, &agent, &meta, conversation, context, None, false).unwrap();
            assert_eq!(spec.context.len(), 2);
            assert!(spec.context.iter().all(|piece| piece.source == "context pack"));
            let hooks =
                |n: usize| spec.args.iter().any(|arg| arg.contains(&format!("hook SessionStart {n}\"")));
            assert!(hooks(0) && hooks(1) && !hooks(2), "{:?}", spec.args);
            assert_eq!(spec.args[0], "first", "Node's script precedes claude's arguments");
        }
    }
}
