//! Black-box tests: the built `beads-console` in a sandbox, as a person or a script uses it. What it
//! prints, what it exits with and what is in the files afterwards is all that they know.
//!
//! The agent is the real claude against a scripted API where a test says so, else the simulated one;
//! the tracker is the real bd where a test says so, else the built-in store.

#![allow(clippy::unwrap_used, reason = "an unwrap that fails is a failed test")]

mod agent;
mod agent_files;
mod attach;
mod backup;
mod bad_input;
mod beads;
mod changes;
mod claude;
mod clocks;
mod console;
mod ending;
mod failing_disk;
mod finding;
mod fleet;
mod fleet_run;
mod full_disk;
mod hooks;
mod journey;
mod keeping;
mod memory;
mod merging;
mod merging_agents;
mod merging_claude;
mod merging_killed;
mod merging_odd;
mod old;
mod places;
mod project;
mod recovery;
mod resuming;
mod runners;
mod serve;
mod settings;
mod states;
mod surviving;
mod tending;
mod terminal;
mod timeline;
mod usage;
mod watcher;
mod worktrees;
