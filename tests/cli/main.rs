//! Black-box tests: they run the built `beads-console` in a sandbox, as a user or a script does. They check its
//! output, its exit code and the resulting files.
//!
//! By default, the agent is simulated and the tracker is the embedded store. Some tests use the real claude
//! with a scripted API, or the real bd.

#![allow(clippy::unwrap_used, reason = "an unwrap that fails is a failed test")]

mod adopt;
mod agent_files;
mod async_start;
mod attach;
mod backup;
mod bad_input;
mod bead_edits;
mod bead_flow;
mod beads;
mod changes;
mod checkpoints;
mod claude;
mod clocks;
mod connection_flood;
mod console;
mod containers;
mod context_pack;
mod failing_disk;
mod fleet;
mod fleet_places;
mod fleet_run;
mod full_disk;
mod git_programs;
mod hooks;
mod hostile;
mod journey;
mod kubernetes;
mod logs;
mod memory;
mod memory_maintenance;
mod merging;
mod merging_agents;
mod merging_claude;
mod merging_edge_cases;
mod merging_killed;
mod needs;
mod on_machine;
mod other_systems;
mod place_cuts;
mod place_dolt;
mod place_files;
mod place_hooks;
mod places;
mod program;
mod project;
mod recovery;
mod runners;
mod serve;
mod session_cleanup;
mod session_end;
mod session_folders;
mod session_resume;
mod session_search;
mod session_states;
mod settings;
mod simulated_sessions;
#[cfg(target_os = "linux")]
mod slow_link;
mod surviving;
mod terminal;
#[cfg(target_os = "linux")]
mod three_hosts;
mod timeline;
mod transcript_retention;
#[cfg(unix)]
mod unusual_folders;
mod usage;
mod versions;
#[cfg(target_os = "linux")]
mod volumes;
#[cfg(target_os = "linux")]
mod watcher;
mod worktrees;
