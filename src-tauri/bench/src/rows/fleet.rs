//! A fleet of agents: the time to change its state and to assign work, and its cost when nothing happens.

use super::files::{each, replace_plainly};
use crate::{
    environment::Bench,
    error::BenchError,
    family,
    http::Connection,
    rounds::{Pair, rounds},
    samples::{Samples, Unit, median},
    serving::{Serving, open_socket},
};
use bc_core::{
    Timestamp,
    fleet::{AgentRole, AgentStatus},
    ids::FleetAgentId,
};
use bc_fleet::State;
use bc_process::{
    descendants::Signal,
    pty::{self, PtyCommand},
};
use bc_testkit::Sandbox;
use serde_json::json;
use std::{
    fs::{File, OpenOptions},
    io::Write,
    path::PathBuf,
    thread,
    time::{Duration, Instant},
};
use tempfile::TempDir;
use tungstenite::Message;

/// The number of agents that get work.
const AGENTS: usize = 20;

fn now() -> Timestamp {
    chrono::Local::now().fixed_offset()
}

struct Updates {
    ours: State,
    agent: FleetAgentId,
    plain: PathBuf,
    plain_log: File,
    _folder: TempDir,
}

impl Pair for Updates {
    fn ours(&mut self) -> Result<f64, BenchError> {
        let took = each(|n| {
            // Always a different status, because an unchanged one is not written.
            let status = if n % 2 == 0 { AgentStatus::Stalled } else { AgentStatus::Idle };
            let updated = self.ours.update_agent_status(&self.agent, status);
            updated
                .map(drop)
                .map_err(|error| BenchError::unexpected_output("the fleet's state", error.to_string()))
        })?;
        Ok(median(&took))
    }

    fn baseline(&mut self) -> Result<f64, BenchError> {
        let path = self.ours.dir().join("agents").join(format!("{}.json", self.agent));
        let entity = std::fs::read(path).map_err(BenchError::io("the agent's file"))?;
        let line = format!(r#"{{"agent":"{}","at":"{}","event":"agent_status"}}"#, self.agent, now());
        let took = each(|_| {
            let replaced = replace_plainly(&self.plain, &entity);
            let appended = replaced.and_then(|()| writeln!(self.plain_log, "{line}"));
            appended.and_then(|()| self.plain_log.sync_data()).map_err(BenchError::io("the plain state file"))
        })?;
        Ok(median(&took))
    }
}

/// Measures an update of one agent with its line in the event log. The update must not overwrite concurrent changes.
pub(crate) fn state(bench: &Bench) -> Result<Samples, BenchError> {
    let folder = tempfile::tempdir().map_err(BenchError::io("a folder"))?;
    let plain = folder.path().join("plain");
    std::fs::create_dir(&plain).map_err(BenchError::io("a folder"))?;
    let ours = State::at(folder.path().join("state"), now);
    let agent = ours.create_agent(AgentRole::Polecat, "bench");
    let agent =
        agent.map_err(|error| BenchError::unexpected_output("the fleet's state", error.to_string()))?.id;
    let log = OpenOptions::new().create(true).append(true).open(plain.join("system.jsonl"));
    let plain_log = log.map_err(BenchError::io("the plain log"))?;
    let mut updates = Updates { ours, agent, plain: plain.join("agent.json"), plain_log, _folder: folder };
    let samples = rounds(bench.rounds(30), &mut updates)?;
    Ok(samples.note("ours: lock, read, compare, write, and the event's line; both on disk at the end"))
}

const BEADS: &str = ".beads/issues.jsonl";

/// The behaviour of the simulated agents when they get work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Work {
    /// They wait, as for a model's answer, and use no processor time.
    Waits,
    /// They work for one short turn.
    OneTurn,
}

/// A server with a project that has idle agents, and more ready beads than agents.
struct Idle {
    sandbox: Sandbox,
    serving: Serving,
    project: String,
}

fn idle(bench: &Bench, work: Work) -> Result<Idle, BenchError> {
    let sandbox = bench.project(5 * AGENTS)?;
    if work == Work::Waits {
        let beads =
            std::fs::read_to_string(sandbox.project().join(BEADS)).map_err(BenchError::io("the beads"))?;
        sandbox.write(BEADS, &beads.replace(r#""description":""#, r#""description":"[[hang]] "#));
    }
    let mut serving = Serving::start(&sandbox, &bench.program("beads-console")?)?;
    let project = serving.project()?;
    let mut settings = serving.call("fleet.settings", Some(&project), json!({}))?;
    for (key, value) in
        [("simulated", json!(true)), ("min_free_mib", json!(0)), ("max_agents", json!(AGENTS))]
    {
        settings[key] = value;
    }
    serving.call("fleet.set_settings", Some(&project), settings)?;
    for _ in 0..AGENTS {
        serving.call("fleet.agent_create", Some(&project), json!({"role": "polecat"}))?;
    }
    Ok(Idle { sandbox, serving, project })
}

impl Idle {
    /// Assigns a bead to each agent. Returns the milliseconds until the session of the last agent runs.
    fn dispatch(&mut self) -> Result<f64, BenchError> {
        let started = Instant::now();
        let params = json!({"pairs": [], "all": true});
        let done = self.serving.call("fleet.dispatch", Some(&self.project), params)?;
        let took = started.elapsed().as_secs_f64() * 1e3;
        match done["given"].as_array().map_or(0, Vec::len) {
            AGENTS => Ok(took),
            _ => Err(BenchError::unexpected_output("fleet.dispatch", format!("answered {done}"))),
        }
    }
}

struct Dispatches<'a> {
    bench: &'a Bench,
    sim: PathBuf,
}

impl Pair for Dispatches<'_> {
    fn ours(&mut self) -> Result<f64, BenchError> {
        idle(self.bench, Work::Waits)?.dispatch()
    }

    fn baseline(&mut self) -> Result<f64, BenchError> {
        let sandbox = self.bench.project(5 * AGENTS)?;
        let started = Instant::now();
        let mut agents = Vec::new();
        for n in 0..AGENTS {
            let place = sandbox.root().join(format!("worktree-{n}"));
            let path = place.to_string_lossy().into_owned();
            sandbox.git(["worktree", "add", "-q", "-b", &format!("work/{n}"), &path, "HEAD"]);
            let env = sandbox.env().iter().map(|(key, value)| (key.clone(), Some(value.clone())));
            let command = PtyCommand {
                program: self.sim.clone(),
                args: Vec::new(),
                cwd: place,
                env: env.collect(),
                size: bc_process::size::Size::new(24, 80),
            };
            let agent = pty::start(&command);
            agents.push(
                agent.map_err(|error| {
                    BenchError::unexpected_output("the simulated agent", error.to_string())
                })?,
            );
        }
        let took = started.elapsed().as_secs_f64() * 1e3;
        for agent in agents {
            // The agent's exit is not measured.
            let _ = agent.pty.signal(Signal::Kill);
            let _ = agent.child.wait();
        }
        Ok(took)
    }
}

/// Measures the time from the command that assigns ready work until twenty agents run.
pub(crate) fn dispatch(bench: &Bench) -> Result<Samples, BenchError> {
    let mut dispatches = Dispatches { bench, sim: bench.program("beads-console-sim")? };
    let samples = rounds(bench.rounds(5), &mut dispatches)?;
    Ok(samples.note(format!(
        "{AGENTS} simulated agents, each with a claimed bead, a branch, a worktree, a session, and a host that \
         has received its first event; all of it is on disk. The agents then wait; their work is not measured"
    )))
}

/// Measures the server's processor time while a page shows the idle fleet.
pub(crate) fn view(bench: &Bench) -> Result<Samples, BenchError> {
    let Idle { sandbox, mut serving, project } = {
        let mut fleet = idle(bench, Work::OneTurn)?;
        fleet.dispatch()?;
        fleet
    };
    follow(&mut serving, &project)?;
    family::wait_idle(&sandbox)?;
    let window = Duration::from_secs(if bench.quick { 5 } else { 30 });
    let (mut samples, mut all) = (Samples::default(), Vec::new());
    let programs: Vec<u32> =
        family::of(&sandbox).into_iter().filter(|&pid| family::name(pid) == "beads-console").collect();
    let total = || programs.iter().copied().map(family::cpu).sum::<Duration>();
    for _ in 0..bench.rounds(3) {
        let (started, before, before_all) = (Instant::now(), family::cpu(serving.pid()), total());
        thread::sleep(window);
        let percent = |spent: Duration| spent.as_secs_f64() / started.elapsed().as_secs_f64() * 100.0;
        samples.ours.push(percent(family::cpu(serving.pid()).saturating_sub(before)));
        all.push(percent(total().saturating_sub(before_all)));
    }
    Ok(samples
        .note(format!(
            "the server's, {} s per round; {AGENTS} simulated agents at their prompts, a client that fetches the \
             fleet again at every event",
            window.as_secs()
        ))
        .aside("the server and the agents' hosts together", Unit::Percent, all))
}

/// Starts a thread that sends the requests of a page that shows the fleet, until the server exits.
fn follow(serving: &mut Serving, project: &str) -> Result<(), BenchError> {
    serving.call("fleet.overview", Some(project), json!({}))?;
    let mut events = open_socket(serving.port, "/events", &serving.token)?;
    let mut page = Connection::open(serving.port)?;
    let body = json!({"project": project, "params": {}}).to_string();
    let token = serving.token.clone();
    thread::spawn(move || {
        while let Ok(message) = events.read() {
            let changed = matches!(&message, Message::Text(text) if text.contains("fleet_changed"));
            // A server that is shutting down does not answer.
            if changed && page.request("POST", "/rpc/fleet.overview", &token, &body).is_err() {
                break;
            }
        }
    });
    Ok(())
}
