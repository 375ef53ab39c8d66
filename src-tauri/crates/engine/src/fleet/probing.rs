//! Checks whether a runner is suitable for agents: runs its own probe command, then a script through the runner.
//!
//! The script checks everything that a session needs: a terminal, the project's folder, claude, the
//! connection of claude's hooks to a host, and the folder of claude's conversations. Instead of a host, the
//! check listens on the socket.

use crate::{
    claude,
    context::{Context, errors::chain},
    session,
};
use bc_core::fleet::{LOCAL_RUNNER, Runner, RunnerCall};
use bc_process::{
    descendants::Signal,
    pty::{self, PtyCommand},
    run::Program,
    size::Size,
    socket,
};
use bc_wire::{ApiError, fleet::*};
use std::{
    io::Read,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::sync_channel,
    },
    thread,
    time::Duration,
};

/// The time limit for each command on the runner.
const TIMEOUT: Duration = Duration::from_secs(30);
/// The maximum length of the output shown, in characters.
const OUTPUT_SHOWN: usize = 1_000;

/// The script that runs on the runner's machine. Each line of its output reports a fact; equal inode numbers mean the
/// same folder.
const PROBE_SCRIPT: &str = r#"
echo bc-reached
test -t 1 && echo bc-terminal
n=$(ls -di -- "$1" 2>/dev/null) && echo "bc-folder ${n%%/*}"
command -v -- "$2" >/dev/null 2>&1 && echo bc-program
test -x "$3" && "$3" hook Notification </dev/null >/dev/null 2>&1
n=$(ls -di -- "${CLAUDE_CONFIG_DIR:-$HOME/.claude}" 2>/dev/null) && echo "bc-claude ${n%%/*}"
echo bc-done
"#;

pub(crate) fn probe(ctx: &Context, params: &RunnerProbeParams) -> Result<RunnerProbe, ApiError> {
    let runner = session::runner(&ctx.project, Some(&params.name))?;
    let local = Runner { command: vec!["{program}".into(), "{args}".into()], ..Runner::default() };
    let runner = runner.unwrap_or(local);
    let id = uuid::Uuid::new_v4().to_string();
    let socket = socket::runtime_dir()
        .map_err(|e| ApiError::new(bc_wire::ErrorCode::HostUnreachable, chain(&e)))?
        .join(format!("probe-{}.sock", &id[..18]));
    let listener = HookListener::at(&socket);
    let found_claude = || Some(claude::claude(&ctx.project).ok()?.launcher.program.display().to_string());
    let claude = runner.program.clone().or_else(found_claude).unwrap_or_else(|| "claude".to_owned());
    let console = runner.console.clone().unwrap_or_else(|| ctx.programs.console.display().to_string());
    let root = ctx.project.root.display().to_string();
    let args: Vec<String> = ["-c", PROBE_SCRIPT, "sh", &root, &claude, &console].map(str::to_owned).to_vec();
    let socket = socket.display().to_string();
    let call = |program, args| RunnerCall {
        program,
        args,
        cwd: "/",
        env: &[],
        session: &id,
        agent: "",
        socket: &socket,
    };
    let probed = run_probe(&runner.probe_line(&call("true", &[])));
    let (said, ran) = in_terminal(&runner.command_line(&call("sh", &args)), &socket);
    let was_used = listener.is_some_and(HookListener::was_used);
    let line = |word: &str| said.lines().any(|line| line.trim() == word);
    let reached = line("bc-reached");
    let number = |word: &str| {
        let found = said.lines().find_map(|line| line.trim().strip_prefix(word)?.trim().parse::<u64>().ok());
        found.filter(|_| reached)
    };
    let same = |word: &str, path: Option<PathBuf>| {
        number(word).is_some_and(|remote| path.and_then(|p| inode(&p)) == Some(remote))
    };
    let part = |what, ok, yes: &str, no: &str| {
        let means = if ok { yes } else { no }.to_owned();
        RunnerPart { what, there: ok, means }
    };
    let parts = vec![
        part(
            RunnerHas::Terminal,
            line("bc-terminal"),
            "the agent has a terminal",
            "ask for one: `ssh -tt`, `docker exec -it`, `kubectl exec -it`",
        ),
        part(
            RunnerHas::Folder,
            same("bc-folder", Some(ctx.project.root.clone())),
            "the runner uses the same project folder: changes of files and commits are visible immediately",
            "the runner does not use the same project folder: share it at the same path, or transfer the code with git; then only pushed commits are visible on this machine",
        ),
        part(
            RunnerHas::Program,
            line("bc-program"),
            "claude was found",
            "claude was not found: set its path with `fleet settings runners.NAME.program`",
        ),
        part(
            RunnerHas::Hooks,
            was_used,
            "claude's hooks reach this machine: prompts, permissions, context and the end of turns",
            "claude's hooks do not reach this machine: only its terminal is shown live. Install Beads Console on the runner's machine (`runners.NAME.console`), and forward the socket with `ssh -R {remote_socket}:{socket}` or a volume",
        ),
        part(
            RunnerHas::Transcript,
            same("bc-claude", claude::places().map(|places| places.config_dir)),
            "claude's conversations are recorded as they are written",
            "claude's conversations are stored elsewhere and cannot be recorded: share the folder that CLAUDE_CONFIG_DIR names",
        ),
        part(
            RunnerHas::PrivatePrompts,
            params.name == LOCAL_RUNNER,
            "only you can read the prompts",
            "the prompts are part of the runner's command line: other users of this machine can read them in the list of processes",
        ),
    ];
    let shortened = |text: &str| bc_core::text::cut(bc_core::text::plain(text).trim(), OUTPUT_SHOWN);
    let said = match (&probed, reached) {
        (Some(Err(said)), _) => shortened(said),
        (_, true) => String::new(),
        (_, false) => shortened(&format!("{said}{}", ran.err().unwrap_or_default())),
    };
    let command = runner.command_line(&call(&claude, &[]));
    let (name, probe) = (params.name.clone(), probed.map(|probed| probed.is_ok()));
    Ok(RunnerProbe { name, command, probe, reached, said, parts })
}

/// Runs the runner's own probe. Returns its output as the error if it fails, and `None` if the runner has no
/// probe.
fn run_probe(words: &[String]) -> Option<Result<(), String>> {
    let (program, args) = words.split_first()?;
    let done = Program::new(program).args(args).timeout(TIMEOUT).cap(64 << 10).run();
    Some(match done {
        Ok(done) if done.ok() => Ok(()),
        Ok(done) => Err(format!("{}{}", done.out(), done.err())),
        Err(error) => Err(chain(&error)),
    })
}

/// Runs a command in a terminal. Returns its output, and an error if it could not be started or did not exit
/// in time.
fn in_terminal(words: &[String], socket: &str) -> (String, Result<(), String>) {
    let Some((program, args)) = words.split_first() else {
        return (String::new(), Err("nothing to run".into()));
    };
    let started = pty::start(&PtyCommand {
        program: PathBuf::from(program),
        args: args.iter().map(Into::into).collect(),
        cwd: PathBuf::from("/"),
        // Use the same environment as a session's host.
        env: vec![
            ("TERM".into(), Some("xterm-256color".into())),
            ("BEADS_CONSOLE_SOCKET".into(), Some(socket.into())),
        ],
        size: Size::default(),
    });
    let mut started = match started {
        Ok(started) => started,
        Err(error) => return (String::new(), Err(chain(&error))),
    };
    let (sender, printed) = sync_channel(1);
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let mut chunk = [0; 4096];
        while let Ok(n @ 1..) = started.reader.read(&mut chunk) {
            if bytes.len() < 64 << 10 {
                bytes.extend_from_slice(&chunk[..n]);
            }
        }
        let _ = sender.send(String::from_utf8_lossy(&bytes).into_owned());
    });
    let (child, pty, writer) = (started.child, started.pty, started.writer);
    let (sender, ended) = sync_channel(1);
    thread::spawn(move || {
        let _ = sender.send(child.wait().is_ok());
    });
    let in_time = ended.recv_timeout(TIMEOUT).is_ok();
    if !in_time {
        // A failure is ignored, because the terminal is hung up below.
        let _ = pty.signal(Signal::Kill);
    }
    // Remaining children of the command keep the terminal open; do not wait for them.
    let text = printed.recv_timeout(Duration::from_secs(1));
    pty.hang_up();
    drop(writer);
    let text = text.or_else(|_| printed.recv_timeout(Duration::from_secs(1))).unwrap_or_default();
    (text, if in_time { Ok(()) } else { Err(format!("it did not end within {} seconds", TIMEOUT.as_secs())) })
}

/// Listens on a socket in place of a session's host, and records whether a hook connected.
struct HookListener {
    path: PathBuf,
    was_used: Arc<AtomicBool>,
    over: Arc<AtomicBool>,
    listening: thread::JoinHandle<()>,
}

impl HookListener {
    fn at(path: &Path) -> Option<HookListener> {
        let bound = socket::bind(path).ok()?;
        let (was_used, over) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
        let (used, ends) = (Arc::clone(&was_used), Arc::clone(&over));
        let listening = thread::spawn(move || {
            while bound.accept().is_ok() && !ends.load(Ordering::SeqCst) {
                used.store(true, Ordering::SeqCst);
            }
        });
        Some(HookListener { path: path.to_owned(), was_used, over, listening })
    }

    /// Ends the listener; returns whether a client had connected.
    fn was_used(self) -> bool {
        self.over.store(true, Ordering::SeqCst);
        // This connection ends the listener's wait in `accept`.
        if socket::connect(&self.path).is_ok() {
            let _ = self.listening.join();
        }
        self.was_used.load(Ordering::SeqCst)
    }
}

#[cfg(unix)]
fn inode(path: &Path) -> Option<u64> {
    use std::os::unix::fs::MetadataExt;
    path.metadata().ok().map(|metadata| metadata.ino())
}

#[cfg(not(unix))]
fn inode(_: &Path) -> Option<u64> {
    None
}
