//! The journey with the Windows build: it runs `beads-console` and `beads-console-sim` under Wine, from an
//! empty folder to the export of a closed session. Chromium on Linux uses the server's pages, with the script
//! `tests/e2e/wine.js`.

use super::{
    environment::{Wine, windows_path},
    http,
};
use crate::{
    command::Step,
    error::{XtaskError, with_causes},
    files, npm,
    parts::packages,
    project::Project,
    tally::Counts,
};
use serde_json::{Value, json};
use std::{
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

/// The time limit for a command, in seconds.
const LIMIT: u32 = 120;
/// The time limit for a server, in seconds.
const SERVER_LIMIT: u32 = 600;
/// The time limit for waiting for a condition.
const WAIT: Duration = Duration::from_secs(120);

/// The bead's title, which is also the session's.
const TITLE: &str = "Say hello";

/// A step of the journey. A failed step ends the journey.
type Run = fn(&mut Journey<'_>) -> Result<(), String>;
const STEPS: [(&str, Run); 13] = [
    ("an empty folder becomes a project with a repository", set_up),
    ("doctor finds git, the repository and the simulated agent", doctor),
    ("a session with the simulated agent starts and answers", start),
    ("an allowed tool call runs and its file is in the session's changes", permission),
    ("the agent's Bash tool runs a command line in cmd.exe", run_command_line),
    ("the changes are committed with git", commit),
    ("a paused session resumes", pause),
    ("a session whose host was killed is interrupted and resumes", kill_host),
    ("a session whose agent was killed is paused and resumes", kill_agent),
    ("the server answers a request on loopback, and only with access", serve),
    ("a user works with the session in a browser", browse),
    ("an ended session moves its bead to in review", end),
    ("the closed session is exported with its conversation", export),
];

/// Builds the programs and runs the steps until one fails. Returns the counts; a failed build counts as one
/// failure.
pub(super) fn run(
    project: &Project,
    cargo: Step,
    wine: &Wine,
    programs: &Path,
) -> Result<Counts, XtaskError> {
    if !cargo.args(["--bins"]).dir(project.root()).run()?.success() {
        return Ok(Counts { failed: 1, ..Counts::default() });
    }
    let e2e = project.root().join("tests").join("e2e");
    if !npm::install(&e2e)? {
        return Err(XtaskError::Part { part: "the journeys' packages", why: "npm ci failed".to_owned() });
    }
    let browser = packages::provide_browser()?;
    // Use a folder outside of this repository, because the program would otherwise find the repository's
    // beads.
    let name = format!("beads-console-wine-{}", std::process::id());
    let folder = files::emptied(std::env::temp_dir().join(name))?;
    let root = files::created(folder.join("a project"))?;
    let none = String::new;
    let mut journey = Journey { wine, programs, e2e, browser, root, bead: none(), session: none() };
    let mut counts = Counts::default();
    for (at, (name, step)) in STEPS.iter().enumerate() {
        let started = Instant::now();
        match step(&mut journey) {
            Ok(()) => {
                println!("ok      {name} ({:.1} s)", started.elapsed().as_secs_f64());
                counts.passed += 1;
            }
            Err(why) => {
                println!("FAILED under Wine: {name}: {why}");
                for (name, _) in &STEPS[at + 1..] {
                    println!("SKIPPED {name}: an earlier step failed");
                }
                counts.failed += 1;
                counts.skipped += STEPS.len() - at - 1;
                break;
            }
        }
    }
    // If the removal fails, unused files remain in the temporary folder.
    let _ = std::fs::remove_dir_all(&folder);
    Ok(counts)
}

struct Journey<'a> {
    wine: &'a Wine,
    /// The folder with the built programs.
    programs: &'a Path,
    /// The folder of the browser's script.
    e2e: PathBuf,
    browser: PathBuf,
    root: PathBuf,
    bead: String,
    session: String,
}

impl Journey<'_> {
    fn step(&self, args: &[&str]) -> Step {
        self.step_within(LIMIT, args)
    }

    fn step_within(&self, seconds: u32, args: &[&str]) -> Step {
        let step = self.wine.step(seconds, self.programs.join("beads-console.exe")).args(args);
        ["AUTHOR", "COMMITTER"].iter().fold(step.dir(&self.root), |step, who| {
            step.env(&format!("GIT_{who}_NAME"), "Ana").env(&format!("GIT_{who}_EMAIL"), "ana@example.org")
        })
    }

    /// Runs a command that must succeed, and returns its output.
    fn text(&self, args: &[&str]) -> Result<String, String> {
        // Write the output to a file: under Wine, remaining processes can keep the pipes of the command that
        // started them open.
        let log = self.wine.log().map_err(|error| with_causes(&error))?;
        let ended = self.step(args).run_into(&log);
        let text = self.wine.logged().map_err(|error| with_causes(&error))?;
        ended.map_err(|error| format!("{}\n{text}", with_causes(&error)))?;
        Ok(text)
    }

    /// Like [`Journey::text`], but adds `--json` and returns the parsed output.
    fn json(&self, args: &[&str]) -> Result<Value, String> {
        let text = self.text(&[args, &["--json"]].concat())?;
        parse(&text)
    }

    fn session(&self) -> Result<Value, String> {
        self.json(&["session", "show", &self.session])
    }

    /// Waits until the session meets a condition. Returns the session.
    fn until(&self, state: &str, is_met: impl Fn(&Value) -> bool) -> Result<Value, String> {
        let started = Instant::now();
        loop {
            let session = self.session()?;
            if is_met(&session) {
                return Ok(session);
            }
            if started.elapsed() > WAIT {
                return Err(format!("not {state} after {} s: {session}", WAIT.as_secs()));
            }
        }
    }

    fn until_idle(&self) -> Result<Value, String> {
        self.until("idle", |session| session["live"]["activity"] == "idle")
    }

    /// Waits until the transcript contains the text.
    fn until_transcript_has(&self, text: &str) -> Result<(), String> {
        let started = Instant::now();
        loop {
            let transcript = self.text(&["session", "transcript", &self.session])?;
            if transcript.contains(text) {
                return Ok(());
            }
            if started.elapsed() > WAIT {
                return Err(format!("{text:?} is not in the transcript:\n{transcript}"));
            }
        }
    }

    /// Kills a Windows process, which has the effect of a crash.
    fn kill(&self, pid: &Value) -> Result<(), String> {
        let pid = pid.as_u64().ok_or_else(|| format!("{pid} is not a process id"))?.to_string();
        let step = self.wine.step(LIMIT, "taskkill").args(["/f", "/pid", &pid]);
        step.read_all().map(drop).map_err(|error| with_causes(&error))
    }
}

/// Returns the first JSON object in the text. Other text may precede or follow it.
fn parse(text: &str) -> Result<Value, String> {
    let start = text.find('{').ok_or_else(|| format!("no JSON: {text}"))?;
    let mut values = serde_json::Deserializer::from_str(&text[start..]).into_iter::<Value>();
    values.next().and_then(Result::ok).ok_or_else(|| format!("no JSON: {text}"))
}

fn text_of(value: &Value, keys: &[&str]) -> Result<String, String> {
    let at = keys.iter().fold(value, |value, key| &value[key]);
    at.as_str().map(str::to_owned).ok_or_else(|| format!("no {}: {value}", keys.join(".")))
}

/// Returns an error with the description and the value if the condition is not met.
fn ensure(is_met: bool, problem: &str, value: &Value) -> Result<(), String> {
    if is_met { Ok(()) } else { Err(format!("{problem}: {value}")) }
}

fn set_up(journey: &mut Journey<'_>) -> Result<(), String> {
    let args =
        ["init", "--git", "--prefix", "BC", "--first-commit", "all", "--author", "Ana <ana@example.org>"];
    let made = journey.json(&args)?;
    ensure(made["has_commit"] == true && made["tracker"]["kind"] == "embedded", "not set up", &made)?;
    let root = made["root"].as_str().unwrap_or_default();
    // Paths are recorded with `/`.
    ensure(root.ends_with("/a project") && !root.contains('\\'), "another root", &made)?;
    let created = journey.json(&["bead", "create", TITLE])?;
    journey.bead = text_of(&created, &["bead", "id"])?;
    Ok(())
}

fn doctor(journey: &mut Journey<'_>) -> Result<(), String> {
    let step = journey.step(&["doctor", "--json"]);
    // Ignore the exit code: `doctor` fails because claude is missing.
    let mut lines = String::new();
    step.stream(|line| lines.push_str(line)).map_err(|error| error.to_string())?;
    let report = parse(&lines)?;
    for name in ["git", "repository", "tracker", "simulated agent", "sockets"] {
        let checks = report["checks"].as_array().into_iter().flatten();
        let state = checks.filter(|check| check["name"] == name).map(|check| &check["state"]);
        ensure(state.eq([&json!("ok")]), name, &report)?;
    }
    Ok(())
}

fn start(journey: &mut Journey<'_>) -> Result<(), String> {
    let bead = journey.bead.clone();
    let started = journey.json(&["session", "start", "--bead", &bead, "--simulated"])?;
    journey.session = text_of(&started, &["session", "id"])?;
    let session = journey.until_idle()?;
    ensure(session["status"] == "active" && session["simulated"] == true, "not active", &session)?;
    journey.until_transcript_has("Simulated plan")
}

fn permission(journey: &mut Journey<'_>) -> Result<(), String> {
    journey.text(&["session", "send", &journey.session, "[[write:made.txt:made by the agent]]"])?;
    allow(journey)?;
    journey.until_transcript_has("Simulated: the steps of the prompt are done.")?;
    journey.until_idle()?;
    let changes = journey.json(&["session", "changes", &journey.session])?;
    let files = changes["files"].as_array().into_iter().flatten();
    let made = files.filter(|file| file["path"] == "made.txt" && file["change"] == "added").count();
    ensure(made == 1, "made.txt is not in the changes", &changes)
}

/// Waits until the agent asks for a permission, and gives it.
fn allow(journey: &Journey<'_>) -> Result<(), String> {
    let asked =
        |session: &Value| session["live"]["permissions"].as_array().is_some_and(|all| !all.is_empty());
    let session = journey.until("a request", asked)?;
    let request = text_of(&session["live"]["permissions"][0], &["id"])?;
    journey.text(&["session", "permission", &journey.session, &request, "--allow"]).map(drop)
}

fn run_command_line(journey: &mut Journey<'_>) -> Result<(), String> {
    journey.text(&["session", "send", &journey.session, "[[bash:echo one by %OS%&& echo two]]"])?;
    allow(journey)?;
    journey.until_idle()?;
    let transcript = journey.json(&["session", "transcript", &journey.session])?;
    let messages = transcript["messages"].as_array().into_iter().flatten();
    let calls = messages.flat_map(|message| message["tool_calls"].as_array().into_iter().flatten());
    let mut outputs = calls.filter(|call| call["tool"] == "Bash").filter_map(|call| call["output"].as_str());
    let last = outputs.next_back().unwrap_or_default();
    let is_complete = last.lines().map(str::trim_end).eq(["one by Windows_NT", "two"]);
    ensure(is_complete, "another output", &transcript)
}

fn commit(journey: &mut Journey<'_>) -> Result<(), String> {
    let commit = journey.json(&["session", "commit", &journey.session, "-m", "Make a file"])?;
    ensure(commit["files"] == 1, "not committed", &commit)?;
    let changes = journey.json(&["session", "changes", &journey.session])?;
    ensure(changes["uncommitted"] == json!([]), "still uncommitted", &changes)
}

fn pause(journey: &mut Journey<'_>) -> Result<(), String> {
    journey.text(&["session", "pause", &journey.session])?;
    let session = journey.session()?;
    ensure(session["status"] == "paused" && session["pause_reason"] == "user", "not paused", &session)?;
    resume(journey)
}

fn resume(journey: &Journey<'_>) -> Result<(), String> {
    journey.text(&["session", "resume", &journey.session])?;
    let session = journey.until_idle()?;
    ensure(session["status"] == "active", "not active", &session)
}

fn kill_host(journey: &mut Journey<'_>) -> Result<(), String> {
    let live = journey.session()?["live"].take();
    journey.kill(&live["host_pid"])?;
    journey.until("interrupted", |session| session["state"] == "interrupted" && session["live"].is_null())?;
    // The host's job has terminated the agent, so the kill must fail.
    ensure(journey.kill(&live["agent_pid"]).is_err(), "the agent outlived its host", &live)?;
    resume(journey)
}

fn kill_agent(journey: &mut Journey<'_>) -> Result<(), String> {
    journey.kill(&journey.session()?["live"]["agent_pid"])?;
    journey.until("paused", |session| session["status"] == "paused" && session["live"].is_null())?;
    resume(journey)
}

fn serve(journey: &mut Journey<'_>) -> Result<(), String> {
    with_server(journey, |server| ask_server(server, &journey.bead))
}

fn with_server(journey: &Journey<'_>, run: impl FnOnce(&Value) -> Result<(), String>) -> Result<(), String> {
    let server = journey.step_within(SERVER_LIMIT, &["serve", "--json"]);
    let (line, _server) = server.start().map_err(|error| with_causes(&error))?;
    let server = parse(&line)?;
    let result = run(&server);
    journey.kill(&server["pid"])?;
    result
}

fn browse(journey: &mut Journey<'_>) -> Result<(), String> {
    with_server(journey, |server| {
        let step = Step::new("node").args(["--test", "--test-reporter=spec", "wine.js"]).dir(&journey.e2e);
        let step = step
            .env("BC_TEST_CHROMIUM", &journey.browser)
            .env("BC_TEST_WINE_LINK", text_of(server, &["url"])?)
            .env("BC_TEST_WINE_BEAD", &journey.bead)
            .env("BC_TEST_WINE_TITLE", TITLE)
            .env("BC_TEST_WINE_PROJECT", &journey.root);
        let mut output = String::new();
        let status = step.stream(|line| output.extend([line, "\n"])).map_err(|error| with_causes(&error))?;
        if status.success() { Ok(()) } else { Err(output) }
    })
}

fn ask_server(server: &Value, bead: &str) -> Result<(), String> {
    let port = server["port"].as_u64().and_then(|port| u16::try_from(port).ok());
    let port = port.ok_or_else(|| server.to_string())?;
    let url = text_of(server, &["url"])?;
    let token = url.split_once("#token=").ok_or("no token")?.1;
    let (status, body) = http::post(port, "/rpc/app.projects", None, "{}")?;
    ensure(status == 401, "answered without access", &json!([status, body]))?;
    let (status, body) = http::post(port, "/open", None, &json!({"token": token}).to_string())?;
    ensure(status == 200, "no access", &json!([status, body]))?;
    let access = text_of(&parse(&body)?, &["access"])?;
    let (status, body) = http::post(port, "/rpc/app.projects", Some(&access), "{}")?;
    ensure(status == 200, "no list of projects", &json!([status, body]))?;
    let key = parse(&body)?["projects"][0]["key"].clone();
    let list = json!({"project": key, "params": {}}).to_string();
    let (status, body) = http::post(port, "/rpc/bead.list", Some(&access), &list)?;
    ensure(status == 200 && body.contains(bead), "no list of beads", &json!([status, body]))
}

fn end(journey: &mut Journey<'_>) -> Result<(), String> {
    let ended = journey.json(&["session", "end", &journey.session, "--review", "--yes"])?;
    ensure(ended["session"]["status"] == "closed", "not closed", &ended)?;
    ensure(ended["bead_status"] == "in_review" && ended["log_saved"] == true, "not in review", &ended)
}

fn export(journey: &mut Journey<'_>) -> Result<(), String> {
    let file = journey.root.with_file_name("export.md");
    journey.text(&["session", "export", &journey.session, "-o", &windows_path(&file)])?;
    let text = std::fs::read_to_string(&file).map_err(|error| error.to_string())?;
    for part in ["# Say hello", "Simulated plan", "made.txt"] {
        ensure(text.contains(part), part, &json!(text))?;
    }
    Ok(())
}
