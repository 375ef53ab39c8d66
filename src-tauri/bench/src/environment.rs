//! The environment of the measurements: the release programs, sandboxed projects, and free ports.

use crate::error::BenchError;
use bc_testkit::Sandbox;
use std::{fmt::Write, net::TcpListener, path::PathBuf};

pub(crate) struct Bench {
    /// The folder of the release programs.
    pub(crate) programs: PathBuf,
    /// Whether to run only a few rounds, as a smoke test.
    pub(crate) quick: bool,
}

impl Bench {
    /// The number of rounds: `count`, or at most 3 in a quick run.
    pub(crate) fn rounds(&self, count: usize) -> usize {
        if self.quick { count.min(3) } else { count }
    }

    pub(crate) fn program(&self, name: &str) -> Result<PathBuf, BenchError> {
        let path = self.programs.join(name);
        match path.is_file() {
            true => Ok(path),
            false => Err(BenchError::Missing {
                what: path.display().to_string(),
                hint: "`cargo xtask bench` builds it first",
            }),
        }
    }

    /// A sandboxed project with the embedded store and this number of beads.
    pub(crate) fn project(&self, beads: usize) -> Result<Sandbox, BenchError> {
        let sandbox = Sandbox::new();
        let init = sandbox.command(self.program("beads-console")?).args(["init", "--prefix", "BC"]).output();
        let init = init.map_err(BenchError::io("beads-console init"))?;
        if !init.status.success() {
            let stderr = String::from_utf8_lossy(&init.stderr).into_owned();
            return Err(BenchError::unexpected_output("beads-console init", stderr));
        }
        sandbox.write(".beads/issues.jsonl", &issue_lines(beads));
        // Claude itself is not measured. This script answers the queries for claude's version and login.
        sandbox.script(
            "claude",
            "case \"$1\" in auth) echo '{\"loggedIn\": true}';; *) echo '2.1.329 (Claude Code)';; esac",
        );
        Ok(sandbox)
    }

    /// A folder with our program, in which the benchmark agent has the name of the simulated agent.
    pub(crate) fn programs_with_bench_agent(&self, sandbox: &Sandbox) -> Result<PathBuf, BenchError> {
        let folder = sandbox.root().join("programs");
        std::fs::create_dir_all(&folder).map_err(BenchError::io("a folder for programs"))?;
        let link_or_copy = |from: PathBuf, to: &str| {
            let to = folder.join(to);
            if to.exists() {
                return Ok(());
            }
            // A hard link shares the file cache with the original, so that nothing is read from disk twice.
            std::fs::hard_link(&from, &to)
                .or_else(|_| std::fs::copy(&from, &to).map(drop))
                .map_err(BenchError::io(format!("a copy of {}", from.display())))
        };
        link_or_copy(self.program("beads-console")?, "beads-console")?;
        link_or_copy(self.program("bc-bench-agent")?, "beads-console-sim")?;
        Ok(folder)
    }
}

/// A loopback port on which no program listens.
pub(crate) fn free_port() -> Result<u16, BenchError> {
    let bound = TcpListener::bind(("127.0.0.1", 0)).and_then(|listener| listener.local_addr());
    bound.map(|address| address.port()).map_err(BenchError::io("a free port"))
}

/// The lines of `issues.jsonl` for this number of beads, with different statuses and dependencies.
fn issue_lines(count: usize) -> String {
    let mut text = String::new();
    for n in 0..count {
        let status = ["open", "open", "open", "in_progress", "closed"][n % 5];
        let assignee = if n % 5 == 3 { r#","assignee":"ann""# } else { "" };
        let closed = if n % 5 == 4 { r#","closed_at":"2026-11-02T10:00:00Z""# } else { "" };
        let dependencies = match n % 7 {
            3 => format!(
                r#","dependencies":[{{"issue_id":"BC-{n}","depends_on_id":"BC-{}","type":"blocks","created_at":"2026-11-01T10:00:00Z","created_by":"ann"}}]"#,
                n - 1
            ),
            _ => String::new(),
        };
        let _ = writeln!(
            text,
            r#"{{"id":"BC-{n}","title":"Bead number {n}: the parser keeps what it does not know","description":"{}","status":"{status}","priority":{},"issue_type":"{}","created_at":"2026-10-{:02}T09:{:02}:00Z","updated_at":"2026-11-01T09:{:02}:00Z"{assignee}{closed},"labels":["part-{}"]{dependencies}}}"#,
            "What is there, what is wanted, and how it is seen that it works. ".repeat(1 + n % 9),
            n % 5,
            ["task", "bug", "feature", "chore"][n % 4],
            1 + n % 28,
            n % 60,
            n % 60,
            n % 12,
        );
    }
    text
}
