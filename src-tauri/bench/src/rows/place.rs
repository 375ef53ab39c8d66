//! Sessions at a place over ssh: a key's echo, the copying of the record, and the cost of idle sessions.

use super::echo::{KEYS, keys};
use crate::{
    bare::BarePty,
    environment::Bench,
    error::BenchError,
    family, machine,
    rounds::{Pair, rounds},
    samples::{Samples, Unit, median, quantile},
    serving::Serving,
    ssh_place::{self, PLACE, SshPlace, checked, wait},
    watching::Watching,
};
use bc_testkit::Sandbox;
use serde_json::json;
use std::{
    fs::{self, File},
    io::{Read, Write},
    path::{Path, PathBuf},
    process::Stdio,
    thread,
    time::{Duration, Instant},
};

/// A project with a server and a place.
struct Far {
    serving: Serving,
    project: String,
    place: SshPlace,
    programs: PathBuf,
    sandbox: Sandbox,
}

impl Far {
    fn start(bench: &Bench) -> Result<Far, BenchError> {
        let sandbox = bench.project(1)?;
        let programs = bench.programs_with_bench_agent(&sandbox)?;
        let place = SshPlace::start(&sandbox, &programs)?;
        let mut serving = Serving::start(&sandbox, &programs.join("beads-console"))?;
        let project = serving.project()?;
        Ok(Far { serving, project, place, programs, sandbox })
    }

    fn session(&mut self) -> Result<String, BenchError> {
        ssh_place::start_session(&mut self.serving, &self.project)
    }
}

struct Echoes<'a> {
    bench: &'a Bench,
    far: Far,
    session: Option<String>,
    through_server: Vec<f64>,
    slow: [Vec<f64>; 2],
}

impl Pair for Echoes<'_> {
    /// Measures `session attach` in a terminal, then the same session through our server. Both wait for the
    /// program's first output, which the echoes of several rounds would scroll off the screen, so each round
    /// starts a session and pauses the earlier one.
    fn ours(&mut self) -> Result<f64, BenchError> {
        if let Some(id) = self.session.take() {
            self.far.serving.call("session.pause", Some(&self.far.project), json!({ "id": id }))?;
        }
        let session = self.far.session()?;
        let console = self.far.programs.join("beads-console");
        let args = ["session", "attach", &session];
        let mut pty = BarePty::showing(&self.far.sandbox, console, &args)?;
        machine::wait_idle();
        let took = keys(|key| pty.echo(key))?;
        self.slow[0].push(quantile(&took, 0.95));
        drop(pty);
        let socket = self.far.serving.terminal(&self.far.project, &session)?;
        let mut page = Watching::begin(socket, "our server", "ready")?;
        machine::wait_idle();
        self.through_server.push(median(&keys(|key| page.echo(key))?));
        self.session = Some(session);
        Ok(median(&took))
    }

    /// Measures ssh in a terminal, with the same program at the other end.
    fn baseline(&mut self) -> Result<f64, BenchError> {
        let agent = self.bench.program("bc-bench-agent")?.display().to_string();
        let ssh = self.far.sandbox.bin().join("ssh");
        let mut pty = BarePty::showing(&self.far.sandbox, ssh, &["-tt", PLACE, "--", &agent])?;
        machine::wait_idle();
        let took = keys(|key| pty.echo(key))?;
        self.slow[1].push(quantile(&took, 0.95));
        Ok(median(&took))
    }
}

/// Measures the time from a key to its echo.
pub(crate) fn echo(bench: &Bench) -> Result<Samples, BenchError> {
    let far = Far::start(bench)?;
    let slow = [Vec::new(), Vec::new()];
    let mut echoes = Echoes { bench, far, session: None, through_server: Vec::new(), slow };
    let samples = rounds(bench.rounds(15), &mut echoes)?;
    let [ours, bare] = echoes.slow;
    Ok(samples
        .note(format!(
            "the median of {KEYS} keys per round, one every 4 ms; ours: `session attach` in a terminal; baseline: \
             `ssh -tt` in a terminal; ssh over the loopback interface"
        ))
        .aside("through our server, on a WebSocket", Unit::Us, echoes.through_server)
        .aside("ours, 95 % of keys", Unit::Us, ours)
        .aside("ssh, 95 % of keys", Unit::Us, bare))
}

/// A session whose record at the place is much longer than the copy on this machine.
struct Copies {
    far: Far,
    session: String,
    /// The messages at the place.
    source: PathBuf,
    copy: PathBuf,
    /// The length of the copy before each round.
    from: u64,
    len: u64,
}

impl Copies {
    fn is_whole(&self, copy: &Path) -> bool {
        fs::metadata(copy).is_ok_and(|meta| meta.len() == self.len)
    }

    /// Returns an error unless the copied bytes equal those at the place.
    fn compare(&self, copy: &Path) -> Result<(), BenchError> {
        let opened = |path: &Path| File::open(path).map_err(BenchError::io("the messages"));
        let (mut ours, mut theirs) = (opened(copy)?, opened(&self.source)?);
        let (mut a, mut b) = (vec![0; 1 << 20], vec![0; 1 << 20]);
        let mut at = 0;
        while at < self.len {
            let n = ours.read(&mut a).map_err(BenchError::io("the copy"))?;
            let end = theirs.read_exact(&mut b[..n]);
            end.map_err(BenchError::io("the messages at the place"))?;
            if n == 0 || a[..n] != b[..n] {
                return Err(BenchError::WrongBytes { what: "the copied messages".to_owned(), offset: at });
            }
            at += n as u64;
        }
        Ok(())
    }
}

impl Pair for Copies {
    /// Truncates the copy, and measures the time until a new link has completed it. `session show` starts the
    /// link, because the previous one was killed.
    fn ours(&mut self) -> Result<f64, BenchError> {
        let file = File::options().write(true).open(&self.copy);
        file.and_then(|file| file.set_len(self.from)).map_err(BenchError::io("the copy"))?;
        let started = Instant::now();
        let mut show = self.far.sandbox.command(self.far.programs.join("beads-console"));
        show.args(["session", "show", &self.session]).stdout(Stdio::null()).stderr(Stdio::null());
        let mut show = show.spawn().map_err(BenchError::io("beads-console session show"))?;
        wait("the copy of the messages", || self.is_whole(&self.copy))?;
        let took = started.elapsed();
        let _ = show.wait();
        ssh_place::kill(ssh_place::link(&self.far.sandbox, &self.session)?)?;
        self.compare(&self.copy)?;
        Ok(took.as_secs_f64() * 1e3)
    }

    fn baseline(&mut self) -> Result<f64, BenchError> {
        let copy = self.far.sandbox.root().join("rsync-copy");
        let mut prefix = vec![0; usize::try_from(self.from).expect("a short prefix")];
        let source = File::open(&self.source).and_then(|mut file| file.read_exact(&mut prefix));
        source.map_err(BenchError::io("the messages at the place"))?;
        #[allow(clippy::disallowed_methods, reason = "a file of the sandbox")]
        let made = fs::write(&copy, &prefix);
        made.map_err(BenchError::io("a copy"))?;
        let started = Instant::now();
        let mut rsync = self.far.sandbox.command("rsync");
        rsync.args(["--append", "--rsh=ssh", &format!("{PLACE}:{}", self.source.display())]).arg(&copy);
        checked(&mut rsync)?;
        let took = started.elapsed();
        self.compare(&copy)?;
        Ok(took.as_secs_f64() * 1e3)
    }
}

/// Measures the copying of a record that grew at the place while this machine was away.
pub(crate) fn copy(bench: &Bench) -> Result<Samples, BenchError> {
    let bytes: u64 = if bench.quick { 50_000_000 } else { 1_000_000_000 };
    let mut far = Far::start(bench)?;
    let session = far.session()?;
    let source = far.place.record(&session)?.join("messages.jsonl");
    let copy = far.sandbox.project().join(".beads/sessions").join(&session).join("messages.jsonl");
    family::wait_idle(&far.sandbox)?;
    let from = fs::metadata(&copy).map_or(0, |meta| meta.len());
    // Only the link is measured, so the server must not read the new messages at the same time.
    far.serving.stop();
    ssh_place::kill(ssh_place::link(&far.sandbox, &session)?)?;
    let mut generator = crate::recorded::TextGenerator::new();
    let mut file = std::io::BufWriter::new(
        File::options().append(true).create(true).open(&source).map_err(BenchError::io("the record"))?,
    );
    let mut len = from;
    let mut turn = 0;
    while len < from + bytes {
        let lines = generator.lines(turn);
        file.write_all(&lines).map_err(BenchError::io("the record"))?;
        len += lines.len() as u64;
        turn += 1;
    }
    file.flush().map_err(BenchError::io("the record"))?;
    drop(file);
    let mut copies = Copies { far, session, source, copy, from, len };
    let samples = rounds(bench.rounds(4), &mut copies)?;
    Ok(samples.note(format!(
        "{} MB of messages; from the start of a command, which starts the link, until all bytes are in this \
         project, each piece synced to disk; baseline: `rsync --append` over the same ssh, which does not sync; \
         every byte compared",
        bytes / 1_000_000
    )))
}

/// The number of idle sessions at the place.
const SESSIONS: usize = 100;

/// Idle sessions at a place, with the server and the links on this machine.
struct Idle {
    far: Far,
    links: Vec<u32>,
    /// The server's memory in MiB before the sessions started.
    before: f64,
}

impl Idle {
    fn start(bench: &Bench) -> Result<Idle, BenchError> {
        let mut far = Far::start(bench)?;
        let list = |far: &mut Far| far.serving.call("session.list", Some(&far.project), json!({}));
        list(&mut far)?;
        family::wait_idle(&far.sandbox)?;
        let before = family::memory(far.serving.pid());
        let mut links = Vec::new();
        for _ in 0..if bench.quick { 5 } else { SESSIONS } {
            let session = far.session()?;
            links.push(ssh_place::link(&far.sandbox, &session)?);
        }
        // Requests the sessions, as a window does.
        let listed = list(&mut far)?;
        let sessions = listed["sessions"].as_array().into_iter().flatten();
        let active = sessions.filter(|session| session["status"] == "active").count();
        if active != links.len() {
            let text = format!("has {active} active sessions of {}", links.len());
            return Err(BenchError::unexpected_output("session.list", text));
        }
        thread::sleep(Duration::from_secs(if bench.quick { 2 } else { 15 }));
        Ok(Idle { far, links, before })
    }
}

/// Measures the processor time of the server and of the links, in percent of one processor.
pub(crate) fn idle(bench: &Bench) -> Result<Samples, BenchError> {
    let idle = Idle::start(bench)?;
    let window = Duration::from_secs(if bench.quick { 5 } else { 20 });
    let (mut samples, mut links) = (Samples::default(), Vec::new());
    let of_links = || idle.links.iter().copied().map(family::cpu).sum::<Duration>();
    for _ in 0..bench.rounds(3) {
        let (started, before) = (Instant::now(), family::cpu(idle.far.serving.pid()));
        let links_before = of_links();
        thread::sleep(window);
        let percent = |spent: Duration| spent.as_secs_f64() / started.elapsed().as_secs_f64() * 100.0;
        samples.ours.push(percent(family::cpu(idle.far.serving.pid()).saturating_sub(before)));
        links.push(percent(of_links().saturating_sub(links_before)));
    }
    Ok(samples
        .note(format!(
            "the server (the engine) alone, with {} sessions at a place, {} s per round; each session's link is a \
             separate process, which writes a heartbeat every 5 s",
            idle.links.len(),
            window.as_secs()
        ))
        .aside("all links together", Unit::Percent, links))
}

/// Measures the server's additional memory per session.
pub(crate) fn memory(bench: &Bench) -> Result<Samples, BenchError> {
    let idle = Idle::start(bench)?;
    let mut samples = Samples::default();
    let server = family::memory(idle.far.serving.pid());
    samples.ours.push((server - idle.before).max(0.0) / idle.links.len() as f64);
    let links: Vec<f64> = idle.links.iter().copied().map(family::memory).collect();
    Ok(samples
        .note(format!(
            "PSS of the server (the engine) with {} sessions at a place, minus its PSS without sessions, per session",
            idle.links.len()
        ))
        .aside("one link", Unit::Mib, links))
}
