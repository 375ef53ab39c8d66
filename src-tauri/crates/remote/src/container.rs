//! Docker or Podman containers. Each session at such a place has its own container, created from the place's
//! image. The container is kept while the session is open, because it contains claude's conversation.

use crate::not_ready::NotReady;
use bc_process::run::{Finished, Program};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The time limit for a command of the container engine, except for creating a container, which may first
/// pull its image.
const DONE_WITHIN: Duration = Duration::from_secs(30);
const CREATED_WITHIN: Duration = Duration::from_secs(15 * 60);

/// The shell script of a container's or pod's main process, which reaps orphans until it is stopped.
pub(crate) const HOLD: &str = "trap 'exit 0' TERM; while :; do sleep 86400 & wait $!; done";

/// A container, and the image that it is created from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Container {
    /// The engine's program: `docker` or `podman`.
    pub engine: String,
    pub image: String,
    /// Options for the engine's `run` command, such as mounts and limits.
    pub options: Vec<String>,
    pub name: String,
}

impl Container {
    /// Ensures that the container is running. Creates a missing container if `create` is set, and otherwise
    /// fails with [`NotReady::Gone`]. Returns whether it created one.
    pub(crate) fn make_ready(&self, create: bool) -> Result<bool, NotReady> {
        match self.state()?.as_deref() {
            Some("running") => Ok(false),
            Some(_) => self.run(&["start", &self.name], DONE_WITHIN).map(|_| false),
            None if create => {
                let session = format!("--label=beads-console={}", self.name);
                let fixed = ["run", "--detach", "--name", &self.name, &session, "--entrypoint=sh"];
                let options = self.options.iter().map(String::as_str);
                let words: Vec<&str> =
                    fixed.into_iter().chain(options).chain([self.image.as_str(), "-c", HOLD]).collect();
                self.run(&words, CREATED_WITHIN).map(|_| true).inspect_err(|_| self.remove())
            }
            None => Err(NotReady::Gone(format!("the container {}", self.name))),
        }
    }

    /// Removes the container with its contents. A failure is logged.
    pub(crate) fn remove(&self) {
        // Without `--volumes`, the image's anonymous volumes would remain.
        if let Err(error) = self.run(&["rm", "--force", "--volumes", &self.name], DONE_WITHIN) {
            tracing::warn!(%error, container = self.name, "a container could not be removed");
        }
    }

    /// The words that precede a command to run inside the container.
    pub(crate) fn exec(&self) -> [String; 4] {
        [self.engine.clone(), "exec".to_owned(), "--interactive".to_owned(), self.name.clone()]
    }

    /// The container's state as named by the engine; `None` if the container does not exist.
    pub(crate) fn state(&self) -> Result<Option<String>, NotReady> {
        let filter = format!("name={}", self.name);
        let list = ["ps", "--all", "--filter", &filter, "--format", "{{.Names}} {{.State}}"];
        let done = self.run(&list, DONE_WITHIN)?;
        Ok(state_of(&self.name, &done.out()))
    }

    fn run(&self, args: &[&str], within: Duration) -> Result<Finished, NotReady> {
        let done = Program::new(&self.engine).args(args).env("LC_ALL", "C").timeout(within).run();
        let done = done.map_err(|error| NotReady::Failed(error.to_string()))?;
        if done.ok() {
            return Ok(done);
        }
        // The reason is not always on the last line, because usage hints may follow.
        let said = done.err().lines().filter(|line| !line.trim().is_empty()).collect::<Vec<_>>().join("; ");
        let said = bc_core::text::cut(&bc_core::text::one_line(&said), 300);
        Err(NotReady::Failed(format!("{} {}: {said}", self.engine, args.first().unwrap_or(&""))))
    }
}

/// Finds the state of exactly this container, because the engine's filter also matches longer names.
fn state_of(name: &str, list: &str) -> Option<String> {
    let states = list.lines().filter_map(|line| line.split_once(' '));
    let mut ours = states.filter(|(known, _)| *known == name);
    ours.next().map(|(_, state)| state.trim().to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_container_with_exactly_this_name_counts() {
        let list = "ours-2 running\nours Exited\n";
        assert_eq!(state_of("ours", list).as_deref(), Some("exited"));
        assert_eq!(state_of("our", list), None);
    }
}
