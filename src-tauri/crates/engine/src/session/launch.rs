//! Starting claude (or the simulated agent) in a host of its own.

use super::{context, elsewhere, shares::shares};
use crate::{
    agents,
    engine::Engine,
    errors::{chain, host_error, store_error},
    hooks,
    project::Project,
    project_settings, recovery,
};
use bc_claude::{
    argv,
    paths::Places,
    settings::{self, Relay},
    version::Version,
};
use bc_core::{
    fleet::Runner,
    ids::{AgentName, ConversationId, SessionId},
    session::{ClaudeSession, Meta},
};
use bc_host::{
    Client, ClientError, ContextPiece, LaunchError, LaunchSpec, SPEC_VERSION, protocol::Readiness,
};
use bc_process::size::Size;
use bc_store::SessionLock;
use bc_wire::{ApiError, ErrorCode};
use std::{
    path::{Path, PathBuf},
    sync::MutexGuard,
    time::{Duration, Instant},
};

/// How long claude gets to say that it is there; its hooks are heard after about 0.6 s.
const READY_WITHIN: Duration = Duration::from_secs(20);

/// How long a host gets to write down that its claude ended.
const SETTLED_WITHIN: Duration = Duration::from_secs(10);

/// What will run in the terminal.
#[derive(Clone)]
pub(crate) struct Agent {
    program: PathBuf,
    simulated: bool,
    /// Claude's version; the simulated agent takes what the newest takes.
    version: Version,
    /// The agent prompt asked for.
    prompt: Option<bc_claude::agents::Agent>,
    /// What runs it, where that is not this machine.
    runner: Option<Runner>,
}

/// Which conversation is begun or gone on with.
pub(crate) enum Conversation {
    /// One that does not exist yet.
    New {
        /// Its id.
        id: ConversationId,
        /// What it begins with; empty opens claude without.
        prompt: String,
    },
    /// One that claude has.
    Old {
        /// Its id.
        id: ConversationId,
        /// What it goes on with; empty opens claude without.
        prompt: String,
    },
}

/// The program for a session, or what is missing and what to do.
pub(crate) fn agent(
    engine: &Engine,
    simulated: bool,
    prompt: &Option<AgentName>,
    runner: Option<&str>,
) -> Result<Agent, ApiError> {
    let runner = elsewhere::runner(&engine.project, runner)?;
    let prompt = match prompt {
        Some(name) => Some(agents::named(&engine.project, name)?),
        None => None,
    };
    if simulated {
        let program = engine.programs.sim.clone();
        if !program.is_file() {
            let text = format!("the simulated agent is not where it should be, {}", program.display());
            return Err(ApiError::new(ErrorCode::ClaudeMissing, text)
                .hint("build it with `cargo build --bin beads-console-sim`, or reinstall Beads Console"));
        }
        return Ok(Agent { program, simulated, version: Version::NEWEST, prompt, runner });
    }
    // Of a claude elsewhere nothing is known but where it is.
    if let Some(program) = runner.as_ref().and_then(|runner| runner.program.clone()) {
        return Ok(Agent { program: program.into(), simulated, version: Version::NEWEST, prompt, runner });
    }
    let claude = agents::claude(&engine.project)?;
    Ok(Agent { program: claude.path, simulated, version: claude.version, prompt, runner })
}

/// Whether claude still has this conversation.
pub(crate) fn conversation_exists(engine: &Engine, meta: &Meta, conversation: &ClaudeSession) -> bool {
    // A claude that was killed early leaves a file without a conversation in it.
    transcript_of(engine, meta, conversation)
        .is_some_and(|path| bc_claude::transcript::has_conversation(&path))
}

/// Where claude keeps this conversation, or would.
pub(crate) fn transcript_of(engine: &Engine, meta: &Meta, conversation: &ClaudeSession) -> Option<PathBuf> {
    if let Some(known) = &conversation.transcript_path {
        return Some(PathBuf::from(known));
    }
    transcript_at(engine, meta, conversation.id)
}

/// Where claude keeps a conversation of this session that it begins where the session works.
pub(crate) fn transcript_at(engine: &Engine, meta: &Meta, conversation: ConversationId) -> Option<PathBuf> {
    let cwd = Path::new(meta.cwd.as_deref()?);
    Some(places(engine, meta.simulated)?.transcript(cwd, conversation))
}

/// Where the agent keeps its conversations: what is simulated has no place among the person's own.
fn places(engine: &Engine, simulated: bool) -> Option<Places> {
    let folder = engine.store.path().join(".simulated");
    match simulated {
        true => Some(Places { state_file: folder.join(".claude.json"), config_dir: folder }),
        false => agents::places(),
    }
}

/// Where a session's host listens.
pub(crate) fn socket_path(id: SessionId) -> Result<PathBuf, ApiError> {
    bc_host::socket_path(id).map_err(|e| {
        ApiError::new(ErrorCode::HostUnreachable, chain(&e))
            .hint("set XDG_RUNTIME_DIR to a folder of yours with a short path")
    })
}

/// A session that is active on disk, and what is held for it.
pub(crate) struct Begun<'a> {
    /// The right to change sessions.
    pub(crate) turn: MutexGuard<'a, ()>,
    /// The right to write this one's files.
    pub(crate) lock: SessionLock,
    /// Its record.
    pub(crate) meta: Meta,
    /// What is known of its work.
    pub(crate) begins: recovery::Begins,
    /// When the index has it.
    pub(crate) indexed: Indexed,
}

/// When the index has a session that is started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Indexed {
    /// As soon as it runs, and when it is ready.
    AtOnce,
    /// Soon: it is one of several, and whoever starts them brings the index up every moment, and when all of them are.
    Soon,
}

fn bring_up(engine: &Engine, indexed: Indexed) -> Result<(), ApiError> {
    match indexed {
        Indexed::AtOnce => engine.sync_index(),
        Indexed::Soon => engine.sync_index_soon(),
    }
}

/// Starts the host of a session that is active on disk, and returns what to know of that. Where it cannot be started, the
/// session is paused. The turn ends at once: that the session begins is on disk, and its lock is held until the host
/// has it. Others may start meanwhile.
pub(crate) fn launch(
    engine: &Engine,
    Begun { turn, lock, meta, begins, indexed }: Begun<'_>,
    agent: Agent,
    conversation: Conversation,
    size: Option<(u16, u16)>,
    in_review: bool,
) -> Result<Vec<String>, ApiError> {
    drop(turn);
    let id = meta.id;
    let mut warnings = Vec::new();
    // Read and not handed over: a resumed session is given what it began with.
    let mut context = recovery::at_launch(engine, &lock, &meta, begins, &mut warnings);
    context.extend(context::stored(&lock).unwrap_or_else(|error| {
        warnings.push(format!("the session's context is not given again: {error}"));
        Vec::new()
    }));
    let hooks = hooks::setup(engine, &meta, &mut warnings);
    let spec = LaunchSpec {
        hooks: Some(hooks),
        ..spec(engine, &agent, &meta, conversation, context, size, in_review)?
    };
    let launched = bc_host::launch(&engine.programs.console, &spec, lock);
    if let Err(error) = &launched {
        // Nothing runs: the session is what a crash would have left, and is recovered as one.
        let _turn = engine.turn();
        crate::recover::recover(engine)?;
        return Err(launch_error(error, id));
    }
    bring_up(engine, indexed)?;
    let heard = Client::connect(&spec.socket).and_then(|mut client| {
        // Whoever set it meanwhile found nobody here to tell.
        let ms = idle_ms(&engine.project);
        if ms != spec.idle_ms {
            client.idle_after(ms)?;
        }
        client.wait_ready(READY_WITHIN)
    });
    let readiness = if_reported(heard, |error| ended_at_once(engine, id, host_error(error)))?;
    bring_up(engine, indexed)?;
    match readiness {
        Some(Readiness::Ready) => {}
        None if spec.runner.is_some() => warnings.push(format!(
            "claude has not reported itself within {} seconds by way of the runner {}: it is still starting, or its hooks are \
             not heard here and its terminal is all that is seen; look with `beads-console session attach {}` and \
             `beads-console fleet runner {1}`",
            READY_WITHIN.as_secs(),
            spec.runner.as_deref().unwrap_or_default(),
            id.short()
        )),
        None => warnings.push(format!(
            "claude has not reported itself within {} seconds: it is still starting, or asks something; look with \
             `beads-console session attach {}`",
            READY_WITHIN.as_secs(),
            id.short()
        )),
        Some(Readiness::Exited { note }) => {
            settled(engine, id, SETTLED_WITHIN)?;
            return Err(exited(&note, id));
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

/// What came of the wait; `None` where claude is only slow, as on a busy machine: its host has it, and it runs.
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

/// A host that is gone before it could be asked ended because claude did; it wrote down how.
fn ended_at_once(engine: &Engine, id: SessionId, error: ApiError) -> Result<Readiness, ApiError> {
    let dir = engine.store.session(id);
    match bc_host::read_exit_note(&dir) {
        Some(note) => Ok(Readiness::Exited { note }),
        None => Err(error),
    }
}

/// Waits until the host of a claude that ended, or is being ended, has written that down and is gone.
pub(super) fn settled(engine: &Engine, id: SessionId, within: Duration) -> Result<(), ApiError> {
    let dir = engine.store.session(id);
    let deadline = Instant::now() + within;
    while dir.try_lock().map_err(store_error)?.is_none() && Instant::now() < deadline {
        // The lock goes with the host's process; nothing tells of it sooner.
        std::thread::sleep(Duration::from_millis(20));
    }
    let _turn = engine.turn();
    crate::recover::recover(engine)
}

fn exited(note: &bc_host::ExitNote, id: SessionId) -> ApiError {
    let screen = bc_core::text::cut(bc_core::text::plain(&note.screen).trim(), 1_000);
    let said =
        if screen.is_empty() { "it printed nothing".to_owned() } else { format!("it said:\n{screen}") };
    ApiError::new(
        ErrorCode::ClaudeExited,
        format!("claude ended as soon as it was started ({}); {said}", note.exit),
    )
    .hint(format!(
        "the session is paused; mend what claude names, then `beads-console session resume {}`",
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

/// How long claude may sit at its prompt in this project; `None`: for ever.
pub(crate) fn idle_ms(project: &Project) -> Option<u64> {
    let minutes = project_settings::in_force(project).inactivity_minutes;
    (minutes > 0).then(|| u64::from(minutes) * 60_000)
}

/// Folders in which something changes when the session's bead does.
fn bead_paths(engine: &Engine, meta: &Meta) -> Vec<PathBuf> {
    match (&meta.bead_id, engine.tracker()) {
        (Some(_), Ok(tracker)) => tracker.watch_paths(),
        _ => Vec::new(),
    }
}

fn spec(
    engine: &Engine,
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
    let cwd = PathBuf::from(meta.cwd.clone().unwrap_or_else(|| engine.project.root.display().to_string()));
    let places = places(engine, agent.simulated);
    let status_line = places.as_ref().and_then(settings::user_status_line);
    let console = agent.runner.as_ref().and_then(|runner| runner.console.clone()).map(PathBuf::from);
    let console = console.as_deref().unwrap_or(&engine.programs.console);
    let relay = Relay { program: console, args: &["hook"] };
    let shares = shares(&context);
    let settings = settings::settings(&relay, shares.len(), status_line.as_ref());
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
    let args = launch.argv(agent.version);
    let id = match id {
        argv::Conversation::New(id) | argv::Conversation::Resume(id) => id,
    };
    let text = |path: &Path| Some(path.display().to_string());
    let mut env = vec![
        ("BEADS_DIR".to_owned(), text(&engine.project.beads_dir)),
        ("BEADS_CONSOLE_PROJECT".to_owned(), text(&engine.project.root)),
        ("BD_ACTOR".to_owned(), meta.actor.clone()),
    ];
    if let Some(places) = places.as_ref().filter(|_| agent.simulated) {
        env.push(("CLAUDE_CONFIG_DIR".to_owned(), text(&places.config_dir)));
    }
    let socket = socket_path(meta.id)?;
    let args: Vec<String> = args.into_iter().map(|a| a.to_string_lossy().into_owned()).collect();
    let (program, args) = match &agent.runner {
        None => (agent.program.clone(), args),
        Some(runner) => {
            let mut line = elsewhere::command_line(
                runner,
                &elsewhere::There {
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
        beads_dir: engine.project.beads_dir.clone(),
        project_root: engine.project.root.clone(),
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
        context,
        shares,
        base_commit: meta.base_commit.clone(),
        simulated: agent.simulated,
        console: Some(engine.programs.console.clone()),
        actor: meta.actor.clone(),
        bead: meta.bead_id.clone(),
        in_review,
        bead_paths: bead_paths(engine, meta),
        idle_ms: idle_ms(&engine.project),
        hooks: None,
        runner: meta.runner.clone(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{programs::Programs, project::Project};
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
    fn a_session_is_given_its_context_when_it_begins_and_again_when_it_is_resumed() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().to_owned();
        bc_store::file::create_dir(&root.join(".beads")).unwrap();
        let project = Project { beads_dir: root.join(".beads"), root: root.clone(), main_tree: None };
        let programs = Programs { console: root.join("beads-console"), sim: root.join("sim") };
        let store = bc_store::SessionStore::open(&project.beads_dir).unwrap();
        let engine = Engine::own(project, programs, store, None);
        let draft =
            Draft::new(SessionId(Uuid::from_u128(1)), "proj-1".parse().unwrap(), crate::engine::now());
        let meta = Meta::draft(draft);
        let lock = engine.store.create(&meta).unwrap();
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
            let context = context::stored(&lock).unwrap();
            let spec = spec(&engine, &agent, &meta, conversation, context, None, false).unwrap();
            assert_eq!(spec.context.len(), 2);
            assert!(spec.context.iter().all(|piece| piece.source == "context pack"));
            let hooks =
                |n: usize| spec.args.iter().any(|arg| arg.contains(&format!("hook SessionStart {n}\"")));
            assert!(hooks(0) && hooks(1) && !hooks(2), "{:?}", spec.args);
        }
    }

    #[test]
    fn a_claude_that_is_slow_to_report_itself_has_not_failed() {
        let failed = |error| Err(host_error(error));
        assert_eq!(if_reported(Err(ClientError::TimedOut(READY_WITHIN)), failed), Ok(None));
        assert_eq!(if_reported(Ok(Readiness::Ready), failed), Ok(Some(Readiness::Ready)));
        let gone = if_reported(Err(ClientError::Ended), failed).expect_err("nobody knows how it ended");
        assert_eq!(gone.code, ErrorCode::HostUnreachable);
    }
}
