//! Starts claude (or the simulated agent) in a session host.

use super::{context_pack, dead_hosts, hook_shares::hook_shares, remote_runner};
use crate::{
    claude,
    context::{
        Context, SessionGuard,
        errors::{chain, host_error, store_error},
    },
    hooks, hosts, recovery, settings,
};
use bc_claude::{
    argv,
    paths::Places,
    settings::{self as claude_settings, Relay},
    version::Version,
};
use bc_core::{
    fleet::Runner,
    ids::{AgentName, ConversationId, SessionId},
    session::{ClaudeSession, Meta, PauseReason, Status},
};
use bc_host::{
    Client, ClientError, ContextPiece, LaunchError, LaunchSpec, SPEC_VERSION, protocol::Readiness,
};
use bc_process::size::Size;
use bc_store::SessionLock;
use bc_wire::{ApiError, ErrorCode};
use std::{
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

/// How long claude may take to report that it is ready; its hooks usually report after about 0.6 s.
const READY_TIMEOUT: Duration = Duration::from_secs(20);

/// How long a host may take to record that its claude ended.
const EXIT_TIMEOUT: Duration = Duration::from_secs(10);

/// The program that runs in the terminal.
#[derive(Clone)]
pub(crate) struct Agent {
    program: PathBuf,
    simulated: bool,
    /// Claude's version; the simulated agent behaves like the newest one.
    version: Version,
    /// The selected agent prompt.
    prompt: Option<bc_claude::agents::Agent>,
    /// The runner, if the program runs on another machine.
    runner: Option<Runner>,
}

/// The conversation to start or to continue.
pub(crate) enum Conversation {
    /// A new conversation.
    New {
        /// Its id.
        id: ConversationId,
        /// The first prompt; empty starts claude without one.
        prompt: String,
    },
    /// An existing conversation.
    Old {
        /// Its id.
        id: ConversationId,
        /// The next prompt; empty starts claude without one.
        prompt: String,
    },
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
    if simulated {
        let program = ctx.programs.sim.clone();
        if !program.is_file() {
            let text = format!("the simulated agent is missing: {}", program.display());
            return Err(ApiError::new(ErrorCode::ClaudeMissing, text)
                .hint("build it with `cargo build --bin beads-console-sim`, or reinstall Beads Console"));
        }
        return Ok(Agent { program, simulated, version: Version::NEWEST, prompt, runner });
    }
    // The version of a remote claude is unknown.
    if let Some(program) = runner.as_ref().and_then(|runner| runner.program.clone()) {
        return Ok(Agent { program: program.into(), simulated, version: Version::NEWEST, prompt, runner });
    }
    let claude = claude::claude(&ctx.project)?;
    Ok(Agent { program: claude.path, simulated, version: claude.version, prompt, runner })
}

/// Whether claude still has this conversation.
pub(crate) fn conversation_exists(ctx: &Context, meta: &Meta, conversation: &ClaudeSession) -> bool {
    // A claude that was killed early leaves a transcript without a conversation.
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

/// Where the agent keeps its conversations: simulated ones are kept apart from the user's own.
fn places(ctx: &Context, simulated: bool) -> Option<Places> {
    let folder = ctx.store.path().join(".simulated");
    match simulated {
        true => Some(Places { state_file: folder.join(".claude.json"), config_dir: folder }),
        false => claude::places(),
    }
}

/// A session that is active on disk, with its locks.
pub(crate) struct LaunchSession<'a> {
    /// The session lock of the engine.
    pub(crate) sessions: SessionGuard<'a>,
    /// The right to write the session's files.
    pub(crate) lock: SessionLock,
    /// Its record.
    pub(crate) meta: Meta,
    /// The facts about its work.
    pub(crate) facts: recovery::StartFacts,
    /// When the index is updated.
    pub(crate) index_update: IndexUpdate,
    /// The event that the start waits for.
    pub(crate) wait_for: WaitFor,
}

/// The event that a start waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WaitFor {
    /// The host listens and has started claude.
    Host,
    /// Claude has reported that it is ready, has ended, or asks a question.
    Claude,
}

/// When the index is updated for a started session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum IndexUpdate {
    /// When the session runs, and again when it is ready.
    AtOnce,
    /// Soon: it is one of several; the caller updates the index periodically and at the end.
    Soon,
}

fn sync_index(ctx: &Context, index_update: IndexUpdate) -> Result<(), ApiError> {
    match index_update {
        IndexUpdate::AtOnce => ctx.sync_index(),
        IndexUpdate::Soon => ctx.sync_index_soon(),
    }
}

/// Starts the host of a session that is active on disk, and returns warnings. If it cannot be started, the session
/// is paused. The session lock is released at once, so that others can start: the state is on disk, and the
/// session's own lock is held until the host has it.
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
    // Read for every launch: a resumed session gets its original context again.
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
    let launched = bc_host::launch(&ctx.programs.console, &spec, lock);
    if let Err(error) = &launched {
        // No process runs: the session is in the same state as after a crash, and is recovered like that.
        let sessions = ctx.session_lock();
        dead_hosts::pause_all(ctx, &sessions)?;
        return Err(launch_error(error, id));
    }
    sync_index(ctx, index_update)?;
    // A change of the setting meanwhile could not reach the host.
    let ms = settings::idle_ms(&ctx.project);
    if ms != spec.idle_ms {
        // The wait for claude notices a host that is gone.
        let _ = Client::connect(&spec.socket).and_then(|mut client| client.idle_after(ms));
    }
    if wait_for == WaitFor::Claude {
        warnings.extend(await_claude(ctx, id, &spec.socket, spec.runner.as_deref())?);
        sync_index(ctx, index_update)?;
    }
    Ok(warnings)
}

/// Waits until claude has reported that it is ready, and returns warnings. The host must be listening.
pub(crate) fn started(ctx: &Context, id: SessionId) -> Result<Vec<String>, ApiError> {
    let dir = ctx.store.session(id);
    let meta = dir.meta().map_err(store_error)?;
    if meta.status != Status::Active {
        return match (meta.pause_reason, bc_host::read_exit_note(&dir)) {
            (Some(PauseReason::Exited | PauseReason::Interrupted), Some(note)) => {
                Err(exited_error(&note, id))
            }
            // The session was paused or ended meanwhile.
            _ => Ok(Vec::new()),
        };
    }
    let warnings = await_claude(ctx, id, &hosts::socket_path(id)?, meta.runner.as_deref())?;
    ctx.sync_index()?;
    Ok(warnings)
}

/// Waits until claude has reported that it is ready, has ended, or asks a question.
fn await_claude(
    ctx: &Context,
    id: SessionId,
    socket: &Path,
    runner: Option<&str>,
) -> Result<Vec<String>, ApiError> {
    let mut warnings = Vec::new();
    let heard = Client::connect(socket).and_then(|mut client| client.wait_ready(READY_TIMEOUT));
    let readiness = if_reported(heard, |error| ended_at_once(ctx, id, host_error(error)))?;
    match readiness {
        Some(Readiness::Ready) => {}
        None if runner.is_some() => warnings.push(format!(
            "claude has not reported itself within {} seconds by way of the runner {}: it is still starting, or its hooks are \
             not heard here and its terminal is all that is seen; look with `beads-console session attach {}` and \
             `beads-console fleet runner {1}`",
            READY_TIMEOUT.as_secs(),
            runner.unwrap_or_default(),
            id.short()
        )),
        None => warnings.push(format!(
            "claude has not reported itself within {} seconds: it is still starting, or asks something; look with \
             `beads-console session attach {}`",
            READY_TIMEOUT.as_secs(),
            id.short()
        )),
        Some(Readiness::Exited { note }) => {
            await_host_exit(ctx, id, EXIT_TIMEOUT)?;
            return Err(exited_error(&note, id));
        }
        Some(Readiness::Quiet { screen }) => warnings.push(format!(
            "claude has not reported itself yet: it may be asking something; look with `beads-console session \
             attach {}`. Its screen says: {}",
            id.short(),
            bc_core::text::cut(&bc_core::text::one_line(&screen), 300)
        )),
    }
    Ok(warnings)
}

/// The result of the wait; `None` if claude is only slow, as on a busy machine: it keeps running.
fn if_reported(
    heard: Result<Readiness, ClientError>,
    otherwise: impl FnOnce(ClientError) -> Result<Readiness, ApiError>,
) -> Result<Option<Readiness>, ApiError> {
    match heard {
        Ok(readiness) => Ok(Some(readiness)),
        Err(ClientError::TimedOut(_)) => Ok(None),
        Err(error) => otherwise(error).map(Some),
    }
}

/// A host that is gone this early ended because claude did; it recorded why.
fn ended_at_once(ctx: &Context, id: SessionId, error: ApiError) -> Result<Readiness, ApiError> {
    let dir = ctx.store.session(id);
    if bc_host::read_exit_note(&dir).is_none() {
        await_host_exit(ctx, id, EXIT_TIMEOUT)?;
    }
    match bc_host::read_exit_note(&dir) {
        Some(note) => Ok(Readiness::Exited { note }),
        None => Err(error),
    }
}

/// Waits until the host of an ended or ending claude has recorded the end and exited.
pub(super) fn await_host_exit(ctx: &Context, id: SessionId, within: Duration) -> Result<(), ApiError> {
    let dir = ctx.store.session(id);
    let deadline = Instant::now() + within;
    while dir.try_lock().map_err(store_error)?.is_none() && Instant::now() < deadline {
        // The lock is released with the host's process; no event reports that.
        std::thread::sleep(Duration::from_millis(20));
    }
    let sessions = ctx.session_lock();
    dead_hosts::pause_all(ctx, &sessions)
}

fn exited_error(note: &bc_host::ExitNote, id: SessionId) -> ApiError {
    let screen = bc_core::text::cut(bc_core::text::plain(&note.screen).trim(), 1_000);
    let said =
        if screen.is_empty() { "it had no output".to_owned() } else { format!("its output:\n{screen}") };
    ApiError::new(
        ErrorCode::ClaudeExited,
        format!("claude ended right after its start ({}); {said}", note.exit),
    )
    .hint(format!(
        "the session is paused; fix the reported problem, then `beads-console session resume {}`",
        id.short()
    ))
}

fn launch_error(error: &LaunchError, id: SessionId) -> ApiError {
    let code = match error {
        LaunchError::Program { .. } => ErrorCode::ClaudeExited,
        _ => ErrorCode::HostUnreachable,
    };
    let short = id.short();
    ApiError::new(code, chain(error))
        .hint(format!("the session is paused; try again with `beads-console session resume {short}`"))
}

/// The folders to watch for changes of the session's bead.
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
    let (id, resumes, prompt) = match conversation {
        Conversation::New { id, prompt } => (argv::Conversation::New(id), false, prompt),
        Conversation::Old { id, prompt } => (argv::Conversation::Resume(id), true, prompt),
    };
    let cwd = PathBuf::from(meta.cwd.clone().unwrap_or_else(|| ctx.project.root.display().to_string()));
    let places = places(ctx, agent.simulated);
    let status_line = places.as_ref().and_then(claude_settings::user_status_line);
    let console = agent.runner.as_ref().and_then(|runner| runner.console.clone()).map(PathBuf::from);
    let console = console.as_deref().unwrap_or(&ctx.programs.console);
    let relay = Relay { program: console, args: &["hook"] };
    let shares = hook_shares(&context);
    let settings = claude_settings::settings(&relay, agent.version, shares.len(), status_line.as_ref());
    let prompt = Some(prompt).filter(|text| !text.trim().is_empty());
    let launch = argv::Launch {
        conversation: id,
        mode: meta.mode,
        settings: &settings,
        model: meta.model.as_deref(),
        agent: agent.prompt.as_ref(),
        append_system_prompt: None,
        prompt: prompt.as_deref(),
    };
    // A runner passes arguments only, and a simulated prompt is not secret.
    let is_local = agent.runner.is_none() && !agent.simulated;
    let argv::Private { args, system_prompt, prompt: private } = match is_local {
        true => launch.private(agent.version),
        false => argv::Private { args: launch.argv(agent.version), system_prompt: None, prompt: None },
    };
    let id = match id {
        argv::Conversation::New(id) | argv::Conversation::Resume(id) => id,
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
    let socket = hosts::socket_path(meta.id)?;
    let args: Vec<String> = args.into_iter().map(|a| a.to_string_lossy().into_owned()).collect();
    let (program, args) = match &agent.runner {
        None => (agent.program.clone(), args),
        Some(runner) => {
            let mut line = remote_runner::command_line(
                runner,
                &remote_runner::RemoteEnv {
                    program: &agent.program,
                    args: &args,
                    cwd: &cwd,
                    env: &env,
                    session: &meta.id.to_string(),
                    agent: meta.agent_id.as_ref().map_or("", |name| name.as_str()),
                    socket: &socket,
                },
            )
            .into_iter();
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
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::{Programs, Project};
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
            simulated: true,
            version: Version::NEWEST,
            prompt: None,
            runner: None,
        };
        let id = ConversationId(Uuid::from_u128(2));
        let prompt = String::new();
        for conversation in [
            Conversation::New { id, prompt: prompt.clone() },
            Conversation::Old { id, prompt: prompt.clone() },
        ] {
            let context = context_pack::stored(&lock).unwrap();
            let spec = spec(&ctx, &agent, &meta, conversation, context, None, false).unwrap();
            assert_eq!(spec.context.len(), 2);
            assert!(spec.context.iter().all(|piece| piece.source == "context pack"));
            let hooks =
                |n: usize| spec.args.iter().any(|arg| arg.contains(&format!("hook SessionStart {n}\"")));
            assert!(hooks(0) && hooks(1) && !hooks(2), "{:?}", spec.args);
        }
    }

    #[test]
    fn a_claude_that_reports_late_has_not_failed() {
        let failed = |error| Err(host_error(error));
        assert_eq!(if_reported(Err(ClientError::TimedOut(READY_TIMEOUT)), failed), Ok(None));
        assert_eq!(if_reported(Ok(Readiness::Ready), failed), Ok(Some(Readiness::Ready)));
        let gone = if_reported(Err(ClientError::Ended), failed).expect_err("the end is unknown");
        assert_eq!(gone.code, ErrorCode::HostUnreachable);
    }
}
