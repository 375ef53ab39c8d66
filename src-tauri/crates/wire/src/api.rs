//! Every command, one line each.

use crate::{
    ApiError, ErrorCode, agent_files::*, answer::Answer, backup::*, bead::*, doctor::*, fleet::*, hooks::*,
    memory::*, project::*, recovery::*, search::*, session::*, settings::*, worktree::*,
};
use bc_core::{fleet::FleetSettings, metrics::SessionMetrics, search::Query, timeline::Timeline};
use serde::{Serialize, de::DeserializeOwned};

contract! {
    /// What is here: tracker, claude, git, versions, what is missing and what to do.
    "doctor.report" doctor_report(Nothing) -> DoctorReport;

    /// Makes `.beads` in a project without.
    "project.init" project_init(InitParams) -> ProjectInfo;
    /// The project's facts.
    "project.info" project_info(Nothing) -> ProjectInfo;
    /// What is set for the project and what holds in it.
    "project.settings" project_settings(Nothing) -> ProjectSettingsShown;
    /// Sets something for the project, or takes it back.
    "project.set_settings" project_set_settings(ProjectSettingsChange) -> ProjectSettingsShown;
    /// The agent prompts that a session can use.
    "agent.list" agent_list(Nothing) -> AgentList;
    /// What teaches agents about beads here, and what an install or a removal would change.
    "agent_files.preview" agent_files_preview(AgentFilesPreviewParams) -> AgentFilesPlan;
    /// Installs it.
    "agent_files.install" agent_files_install(AgentFilesParams) -> AgentFilesPlan;
    /// Removes it.
    "agent_files.remove" agent_files_remove(AgentFilesParams) -> AgentFilesPlan;

    /// All beads but deleted ones.
    "bead.list" bead_list(BeadListParams) -> BeadList;
    /// Beads that can be started now.
    "bead.ready" bead_ready(Nothing) -> BeadList;
    /// Beads that wait for others.
    "bead.blocked" bead_blocked(Nothing) -> BeadList;
    /// One bead with its texts, links, comments and sessions.
    "bead.show" bead_show(BeadRef) -> BeadShown;
    /// A new bead.
    "bead.create" bead_create(BeadCreateParams) -> BeadShown;
    /// In progress, for whoever asks.
    "bead.claim" bead_claim(BeadClaimParams) -> BeadShown;
    /// A comment on it.
    "bead.comment" bead_comment(BeadCommentParams) -> BeadShown;
    /// To in review.
    "bead.submit" bead_submit(BeadSubmitParams) -> BeadShown;
    /// Done.
    "bead.close" bead_close(BeadCloseParams) -> BeadShown;

    /// Which lifecycle hooks there are, and whether they run.
    "hooks.list" hooks_list(Nothing) -> HookFiles;
    /// Allows a file of the workspace as it was shown, or takes that back.
    "hooks.trust" hooks_trust(HookTrustParams) -> HookFiles;
    /// Switches the hooks of all workspaces on or off.
    "hooks.allow" hooks_allow(HookAllowParams) -> HookFiles;
    /// Writes a file with hooks.
    "hooks.save" hooks_save(HookSaveParams) -> HookFiles;
    /// Runs the hooks of an event once, for trying them out.
    "hooks.test" hooks_test(HookTestParams) -> HookTest;
    /// Lets live sessions read their hooks anew.
    "hooks.reload" hooks_reload(Nothing) -> HooksReloaded;
    /// What hooks did in all sessions, the latest first.
    "hooks.runs" hooks_runs(HookRunsParams) -> HookRunsShown;

    /// What an agent is told so that it finds its way again.
    "recovery.show" recovery_show(RecoveryParams) -> RecoveryBlock;

    /// Memories, without their texts.
    "memory.list" memory_list(MemoryListParams) -> MemoryList;
    /// Memories with these words.
    "memory.search" memory_search(MemorySearchParams) -> MemoryList;
    /// One memory with its text, its links and where it was used.
    "memory.get" memory_get(MemoryGetParams) -> MemoryShown;
    /// Stores a text, or another text under a key.
    "memory.save" memory_save(MemorySaveParams) -> MemorySaved;
    /// Links two memories, or a memory and a bead.
    "memory.link" memory_link(MemoryLinkParams) -> MemoryShown;
    /// Takes such a link away.
    "memory.unlink" memory_unlink(MemoryUnlinkParams) -> MemoryShown;
    /// Makes one memory of several.
    "memory.merge" memory_merge(MemoryMergeParams) -> MemoryShown;
    /// Takes the last merge into a memory back.
    "memory.unmerge" memory_unmerge(MemoryRef) -> MemoryShown;
    /// Closes it: it is told to nobody any more, and can be restored.
    "memory.forget" memory_forget(MemoryRef) -> MemoryShown;
    /// Takes that back.
    "memory.restore" memory_restore(MemoryRef) -> MemoryShown;
    /// What of a session may be worth remembering.
    "memory.proposals" memory_proposals(SessionRef) -> Proposals;
    /// A session as its memories tell of it.
    "memory.context" memory_context(MemoryContextParams) -> SessionContext;
    /// What an agent is told before it begins.
    "memory.prime" memory_prime(PrimeParams) -> PrimeText;
    /// Memories from a Markdown file.
    "memory.import" memory_import(MemoryImportParams) -> MemoryImported;

    /// Where the project's beads, memories and sessions are, and how each of the places is.
    "backup.status" backup_status(BackupStatusParams) -> BackupStatus;
    /// Puts them on the branch, and on to its remote.
    "backup.run" backup_run(BackupRunParams) -> BackupDone;
    /// What a restore would add, renew and leave.
    "backup.preview" backup_preview(RestoreParams) -> Restore;
    /// Brings back what is in a backup and not here, or earlier here.
    "backup.restore" backup_restore(RestoreParams) -> Restore;
    /// Lets the tracker push to its own remote, or pull from it.
    "backup.sync_tracker" backup_sync_tracker(SyncTrackerParams) -> TrackerSynced;

    /// How the person wants the project's fleet to work.
    "fleet.settings" fleet_settings(Nothing) -> FleetSettings;
    /// Sets that, all of it.
    "fleet.set_settings" fleet_set_settings(FleetSettings) -> FleetSettings;
    /// An agent for the fleet.
    "fleet.agent_create" fleet_agent_create(FleetAgentCreateParams) -> FleetAgentShown;
    /// One agent, with its hook.
    "fleet.agent" fleet_agent(FleetAgentRef) -> FleetAgentShown;
    /// Writes what an agent is about.
    "fleet.agent_status" fleet_agent_status(FleetAgentStatusParams) -> FleetAgentShown;
    /// The fleet's agents, with their hooks.
    "fleet.agents" fleet_agents(FleetAgentsParams) -> FleetAgents;
    /// A piece of work that no tracker knows.
    "fleet.work_create" fleet_work_create(FleetWorkCreateParams) -> FleetWorkShown;
    /// One piece of work.
    "fleet.work" fleet_work(FleetWorkRef) -> FleetWorkShown;
    /// All pieces of work.
    "fleet.work_list" fleet_work_list(Nothing) -> FleetWork;
    /// Writes how far a piece of work is.
    "fleet.work_status" fleet_work_status(FleetWorkStatusParams) -> FleetWorkShown;
    /// An agent's hook.
    "fleet.hook" fleet_hook(FleetAgentRef) -> FleetHookShown;
    /// Gives an agent a piece of work.
    "fleet.hook_set" fleet_hook_set(FleetHookParams) -> FleetHookShown;
    /// The agent begins it.
    "fleet.hook_activate" fleet_hook_activate(FleetAgentRef) -> FleetHookShown;
    /// The agent is done with it.
    "fleet.hook_complete" fleet_hook_complete(FleetAgentRef) -> FleetHookShown;
    /// Takes an agent's work off its hook.
    "fleet.hook_clear" fleet_hook_clear(FleetAgentRef) -> FleetHookShown;
    /// Groups beads.
    "fleet.convoy_create" fleet_convoy_create(FleetConvoyCreateParams) -> FleetConvoyShown;
    /// One convoy, and what happened to it.
    "fleet.convoy" fleet_convoy(FleetConvoyRef) -> FleetConvoyShown;
    /// All convoys.
    "fleet.convoys" fleet_convoys(Nothing) -> FleetConvoys;
    /// Counts how much of a convoy is done.
    "fleet.convoy_progress" fleet_convoy_progress(FleetConvoyRef) -> FleetConvoyShown;
    /// What waits to be merged.
    "fleet.queue" fleet_queue(Nothing) -> FleetQueue;
    /// The merge queue in its order, with what stands in the way.
    "fleet.queue_state" fleet_queue_state(Nothing) -> FleetQueueState;
    /// Queues the branch of a bead's work to be merged.
    "fleet.queue_add" fleet_queue_add(FleetQueueAddParams) -> FleetQueueState;
    /// Lets the window or server that has the project open merge what waits.
    "fleet.queue_run" fleet_queue_run(Nothing) -> FleetQueueState;
    /// What merging a request printed, and prints.
    "fleet.queue_output" fleet_queue_output(FleetQueueOutputParams) -> FleetQueueOutput;
    /// Sends a request that was stopped back to its agent, with what happened.
    "fleet.queue_send_back" fleet_queue_send_back(FleetMergeRef) -> FleetSentBack;
    /// A bead's work as a person looks at it before it is merged.
    "fleet.review" fleet_review(FleetReviewParams) -> FleetReview;
    /// Queues it; the bead is closed when it lands.
    "fleet.approve" fleet_approve(FleetApproveParams) -> FleetQueueState;
    /// Tells its agent what is to be changed.
    "fleet.request_changes" fleet_request_changes(FleetRequestChangesParams) -> FleetSentBack;
    /// Begins with nothing more; what is being merged is merged.
    "fleet.queue_pause" fleet_queue_pause(Nothing) -> FleetQueueState;
    /// Takes that back.
    "fleet.queue_go_on" fleet_queue_go_on(Nothing) -> FleetQueueState;
    /// Lets a request that was stopped or left aside try again.
    "fleet.queue_retry" fleet_queue_retry(FleetQueueRetryParams) -> FleetQueueState;
    /// Leaves a request aside, so that the next one has its turn.
    "fleet.queue_skip" fleet_queue_skip(FleetMergeRef) -> FleetQueueState;
    /// Takes a request out of the queue.
    "fleet.queue_cancel" fleet_queue_cancel(FleetMergeRef) -> FleetQueueState;
    /// Puts a request before another one, or behind all.
    "fleet.queue_move" fleet_queue_move(FleetQueueMoveParams) -> FleetQueueState;
    /// The fleet at a glance: what every agent is about, convoys, what is ready, and the limits in use.
    "fleet.overview" fleet_overview(Nothing) -> FleetOverview;
    /// Hands out work: chosen pairs, or what is ready to whoever is free. Each agent's session is opened.
    "fleet.dispatch" fleet_dispatch(FleetDispatchParams) -> FleetDispatched;
    /// Opens an agent's session for what hangs on its hook, or resumes it.
    "fleet.agent_start" fleet_agent_start(FleetAgentRef) -> FleetAgentSteered;
    /// Pauses an agent's session; its work stays its own.
    "fleet.agent_stop" fleet_agent_stop(FleetAgentRef) -> FleetAgentSteered;
    /// Takes an agent out of use; its work is free.
    "fleet.agent_retire" fleet_agent_retire(FleetAgentRef) -> FleetAgentSteered;
    /// Decides what becomes of the work of an agent that gets nowhere.
    "fleet.recover" fleet_recover(FleetRecoverParams) -> FleetAgentSteered;
    /// Pauses every agent, and handing out.
    "fleet.pause_all" fleet_pause_all(Nothing) -> FleetPaused;
    /// Takes that back.
    "fleet.go_on" fleet_go_on(FleetGoOnParams) -> FleetPaused;
    /// Tells several agents something.
    "fleet.broadcast" fleet_broadcast(FleetBroadcastParams) -> FleetBroadcasted;
    /// Puts beads into a convoy.
    "fleet.convoy_add" fleet_convoy_add(FleetConvoyBeadsParams) -> FleetConvoyShown;
    /// Takes beads out of one.
    "fleet.convoy_remove" fleet_convoy_remove(FleetConvoyBeadsParams) -> FleetConvoyShown;
    /// Gives one another name.
    "fleet.convoy_rename" fleet_convoy_rename(FleetConvoyRenameParams) -> FleetConvoyShown;
    /// Closes one, or opens it again.
    "fleet.convoy_close" fleet_convoy_close(FleetConvoyCloseParams) -> FleetConvoyShown;

    /// Whether a runner's place is good for agents, and what a session has there.
    "fleet.runner_probe" fleet_runner_probe(RunnerProbeParams) -> RunnerProbe;
    /// Every linked worktree of the repository: whose it is, what it takes, whether it is clean.
    "worktree.list" worktree_list(Nothing) -> Worktrees;
    /// What the removal of one would lose.
    "worktree.loss" worktree_loss(WorktreeRef) -> WorktreeLoss;
    /// Removes one that is clean, or whose loss somebody has seen.
    "worktree.remove" worktree_remove(WorktreeRemoveParams) -> WorktreeRemoved;
    /// Makes the worktree of a paused session again, or connects one that was moved.
    "worktree.restore" worktree_restore(WorktreeRestoreParams) -> WorktreeRestored;
    /// The setup command of new worktrees, and whether it may run.
    "worktree.setup" worktree_setup(Nothing) -> WorktreeSetup;
    /// Allows what it runs of the repository, as it was shown.
    "worktree.allow_setup" worktree_allow_setup(WorktreeSetupAllowParams) -> WorktreeSetup;

    /// What a session on this bead would be: branch, folder, opening prompt, and what stands against it.
    "session.plan" session_plan(SessionPlanParams) -> SessionPlan;
    /// Claims, branches, starts.
    "session.start" session_start(SessionStartParams) -> SessionStarted;
    /// All sessions, newest first.
    "session.list" session_list(SessionListParams) -> SessionList;
    /// One session.
    "session.show" session_show(SessionRef) -> SessionView;
    /// Its conversation.
    "session.transcript" session_transcript(SessionRef) -> Transcript;
    /// What its agent was told beside the conversation: when, why, exactly what.
    "session.injections" session_injections(SessionRef) -> Injections;
    /// The runs of lifecycle hooks in it.
    "session.hook_runs" session_hook_runs(SessionRef) -> SessionHookRuns;
    /// A part of it.
    "session.page" session_page(SessionPageParams) -> TranscriptPage;
    /// Finds a text in one conversation.
    "session.find" session_find(SessionFindParams) -> SessionFound;
    /// What happened in a session and when.
    "session.timeline" session_timeline(SessionRef) -> Timeline;
    /// What a session changed: its commits, and each file with its differences.
    "session.changes" session_changes(SessionChangesParams) -> SessionChanges;
    /// Which files of that somebody has looked at, and what each was then.
    "session.viewed" session_viewed(SessionRef) -> SessionViewed;
    /// Marks one of them as looked at, as it is, or takes the mark away.
    "session.set_viewed" session_set_viewed(SetViewedParams) -> SessionViewed;
    /// Searches titles, objectives, messages and tool calls of all sessions, and filters them.
    "session.search" session_search(Query) -> SearchAnswer;
    /// One session's figures.
    "session.metrics" session_metrics(SessionRef) -> SessionMetrics;
    /// The project's figures over a range of days.
    "project.metrics" project_metrics(ProjectMetricsParams) -> ProjectMetrics;
    /// Its conversation as a document.
    "session.export" session_export(SessionExportParams) -> Exported;
    /// Text for claude: typed when it is at its prompt, held until then.
    "session.send" session_send(SessionSendParams) -> Sent;
    /// A text that was not confirmed, for another try.
    "session.retry" session_retry(HeldTextRef) -> SessionView;
    /// Drops a text that is held or was not confirmed.
    "session.forget" session_forget(HeldTextRef) -> SessionView;
    /// What may follow a `/` and an `@` in a text for claude.
    "session.completions" session_completions(SessionRef) -> Completions;
    /// Answers a permission request.
    "session.permission" session_permission(PermissionParams) -> SessionView;
    /// Changes how much claude may do unasked, while it is at its prompt.
    "session.mode" session_mode(SessionModeParams) -> SessionView;
    /// Interrupts the turn, as Esc does.
    "session.interrupt" session_interrupt(SessionRef) -> SessionView;
    /// Ends claude in order and keeps everything.
    "session.pause" session_pause(SessionRef) -> SessionView;
    /// What a resume would send, what changed since the pause, and what has to be decided first.
    "session.resume_preview" session_resume_preview(SessionRef) -> ResumePreview;
    /// The same conversation again.
    "session.resume" session_resume(SessionResumeParams) -> SessionStarted;
    /// What an end would ask: whether the bead moves on, and the execution log to be edited.
    "session.end_preview" session_end_preview(SessionRef) -> EndPreview;
    /// Closes it.
    "session.end" session_end(SessionEndParams) -> SessionEnded;
    /// A closed session into the trash folder.
    "session.delete" session_delete(SessionRef) -> Nothing;
    /// Closed sessions into the trash folder: these, or by the date of their end.
    "session.delete_many" session_delete_many(DeleteManyParams) -> Deleted;
    /// What is in the trash folder.
    "session.trash" session_trash(Nothing) -> Trash;
    /// A deleted session back from the trash folder.
    "session.restore" session_restore(SessionRef) -> SessionView;
    /// Sessions that were paused so long ago that somebody should close or resume them.
    "session.stale" session_stale(Nothing) -> StaleSessions;
    /// Closes drafts that nobody started and empties the trash folder of what is too old.
    "session.cleanup" session_cleanup(Nothing) -> CleanedUp;
}

/// Parameters from JSON; what is missing or of the wrong kind is a usage error that names the method.
pub fn parse<T: DeserializeOwned>(method: &str, value: serde_json::Value) -> Result<T, ApiError> {
    let value = if value.is_null() { serde_json::Value::Object(Default::default()) } else { value };
    serde_json::from_value(value).map_err(|e| ApiError::new(ErrorCode::Usage, format!("{method}: {e}")))
}

/// A result as JSON.
pub fn print<T: Serialize>(value: T) -> Result<serde_json::Value, ApiError> {
    Answer::of(value)
}
