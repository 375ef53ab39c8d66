//! Every command for a project, one line each: its method, function, parameters and result. Commands that
//! concern the program itself are in [`crate::app`].

use crate::{
    ApiError, ErrorCode, agent_files::*, backup::*, bead::*, fleet::*, hooks::*, memory::*, project::*,
    recovery::*, search::*, session::*, settings::*, worktree::*,
};
use bc_core::{
    fleet::FleetSettings, message::Message, metrics::SessionMetrics, search::Query, timeline::Timeline,
};
use serde::de::DeserializeOwned;

contract! {
    /// Reports the parts that the project's folder lacks: beads, a repository or a commit. Also works in a
    /// folder without beads.
    "project.setup" project_setup(Nothing) -> ProjectSetup;
    /// Creates `.beads` in the project and, if requested, a repository and a first commit.
    "project.init" project_init(InitParams) -> ProjectInfo;
    /// The name, folder, tracker and branch of the project.
    "project.info" project_info(Nothing) -> ProjectInfo;
    /// The project's own settings and the effective settings.
    "project.settings" project_settings(Nothing) -> ProjectSettingsShown;
    /// Sets or resets settings of the project.
    "project.set_settings" project_set_settings(ProjectSettingsChange) -> ProjectSettingsShown;
    /// The agent prompts that a session can use.
    "agent.list" agent_list(Nothing) -> AgentList;
    /// The files that teach agents about beads, and the changes that an install or removal would make.
    "agent_files.preview" agent_files_preview(AgentFilesPreviewParams) -> AgentFilesPlan;
    /// Installs files that teach agents about beads.
    "agent_files.install" agent_files_install(AgentFilesParams) -> AgentFilesPlan;
    /// Removes the installed content from these files.
    "agent_files.remove" agent_files_remove(AgentFilesParams) -> AgentFilesPlan;

    /// The beads that match a query and statuses; by default, all beads that a board shows.
    "bead.list" bead_list(BeadListParams) -> BeadList;
    /// Beads that can be started now.
    "bead.ready" bead_ready(Nothing) -> BeadList;
    /// Beads that are blocked by other beads.
    "bead.blocked" bead_blocked(Nothing) -> BeadList;
    /// One bead with its text, links, comments and sessions.
    "bead.show" bead_show(BeadRef) -> BeadShown;
    /// Creates a bead.
    "bead.create" bead_create(BeadCreateParams) -> BeadShown;
    /// Sets a bead to in progress and assigns it to the caller.
    "bead.claim" bead_claim(BeadClaimParams) -> BeadShown;
    /// Adds a comment to a bead.
    "bead.comment" bead_comment(BeadCommentParams) -> BeadShown;
    /// Sets a bead to in review.
    "bead.submit" bead_submit(BeadSubmitParams) -> BeadShown;
    /// Closes a bead.
    "bead.close" bead_close(BeadCloseParams) -> BeadClosed;
    /// Changes fields of a bead.
    "bead.update" bead_update(BeadUpdateParams) -> BeadShown;
    /// Approves the work in review: closes the bead.
    "bead.approve" bead_approve(BeadCloseParams) -> BeadClosed;
    /// Requests changes to the work in review: adds them as a comment, holds back the bead's merge requests, and
    /// sets the bead back to in progress, or to open without an assignee. The agent receives the changes.
    "bead.reject" bead_reject(BeadRejectParams) -> BeadShown;
    /// Reopens a closed bead.
    "bead.reopen" bead_reopen(BeadReopenParams) -> BeadShown;
    /// Deletes a bead.
    "bead.delete" bead_delete(BeadDeleteParams) -> BeadDeleted;
    /// Restores a deleted bead, if the tracker supports this.
    "bead.undelete" bead_undelete(BeadDeleteParams) -> BeadShown;
    /// Makes a bead depend on another bead.
    "bead.dep_add" bead_dep_add(BeadDependencyParams) -> BeadShown;
    /// Removes a dependency.
    "bead.dep_remove" bead_dep_remove(BeadDependencyParams) -> BeadShown;
    /// The operations on beads that the tracker supports.
    "bead.capabilities" bead_capabilities(Nothing) -> BeadCapabilities;
    /// The ids of the beads that match a query line.
    "bead.query" bead_query(BeadQueryParams) -> BeadQueryAnswer;
    /// Ready beads, in the recommended order.
    "bead.next" bead_next(BeadNextParams) -> NextBeads;
    /// Beads in progress or in review without activity for too long.
    "bead.stale" bead_stale(Nothing) -> StaleBeads;
    /// A bead's history: every change with its actor, time and session.
    "bead.audit" bead_audit(BeadRef) -> BeadAudit;
    /// The dependencies among beads, with cycles and the critical path.
    "bead.graph" bead_graph(BeadGraphParams) -> BeadGraph;

    /// The lifecycle hooks, and whether they run.
    "hooks.list" hooks_list(Nothing) -> HookFiles;
    /// Allows a repository's hook file, or the programs in its git settings, with the content that the user
    /// saw, or revokes the permission.
    "hooks.trust" hooks_trust(HookTrustParams) -> HookFiles;
    /// Enables or disables the hooks of all repositories. Even if they are enabled, only allowed hooks run.
    "hooks.allow" hooks_allow(HookAllowParams) -> HookFiles;
    /// Writes a hook file.
    "hooks.save" hooks_save(HookSaveParams) -> HookFiles;
    /// Runs the hooks of an event once, as a test.
    "hooks.test" hooks_test(HookTestParams) -> HookTest;
    /// Makes live sessions reload their hooks.
    "hooks.reload" hooks_reload(Nothing) -> HooksReloaded;
    /// Past hook runs of one session or of recent sessions, latest first.
    "hooks.runs" hooks_runs(HookRunsParams) -> HookRunsShown;

    /// An agent's recovery block.
    "recovery.show" recovery_show(RecoveryParams) -> RecoveryBlock;

    /// Memories, without their text.
    "memory.list" memory_list(MemoryListParams) -> MemoryList;
    /// Memories that contain all words of a query.
    "memory.search" memory_search(MemorySearchParams) -> MemoryList;
    /// One memory with its text, its links and its uses.
    "memory.get" memory_get(MemoryGetParams) -> MemoryShown;
    /// Stores a memory, or replaces the memory with the same key.
    "memory.save" memory_save(MemorySaveParams) -> MemorySaved;
    /// Links two memories, or a memory and a bead.
    "memory.link" memory_link(MemoryLinkParams) -> MemoryShown;
    /// Removes a link.
    "memory.unlink" memory_unlink(MemoryUnlinkParams) -> MemoryShown;
    /// Merges several memories into one.
    "memory.merge" memory_merge(MemoryMergeParams) -> MemoryShown;
    /// Undoes the last merge into a memory.
    "memory.unmerge" memory_unmerge(MemoryRef) -> MemoryShown;
    /// Forgets a memory: agents no longer receive it. It can be restored.
    "memory.forget" memory_forget(MemoryRef) -> MemoryShown;
    /// Restores a forgotten memory.
    "memory.restore" memory_restore(MemoryRef) -> MemoryShown;
    /// Memories proposed from a session.
    "memory.proposals" memory_proposals(SessionRef) -> Proposals;
    /// The text that an agent receives before it starts.
    "memory.prime" memory_prime(PrimeParams) -> PrimeText;
    /// Imports memories from a Markdown file.
    "memory.import" memory_import(MemoryImportParams) -> MemoryImported;

    /// The places that store the project's beads, memories and sessions, with their state.
    "backup.status" backup_status(BackupStatusParams) -> BackupStatus;
    /// Backs up to the branch, and pushes it if the parameters or settings request it.
    "backup.run" backup_run(BackupRunParams) -> BackupDone;
    /// Previews a restore: the records that it would add, update or leave unchanged.
    "backup.preview" backup_preview(RestoreParams) -> Restore;
    /// Restores records that are missing or older on this machine.
    "backup.restore" backup_restore(RestoreParams) -> Restore;
    /// Makes the tracker push to its own remote, or pull from it.
    "backup.sync_tracker" backup_sync_tracker(SyncTrackerParams) -> TrackerSynced;

    /// The user's settings for the project's fleet.
    "fleet.settings" fleet_settings(Nothing) -> FleetSettings;
    /// Replaces the user's settings for the project's fleet.
    "fleet.set_settings" fleet_set_settings(FleetSettings) -> FleetSettings;
    /// Creates an agent.
    "fleet.agent_create" fleet_agent_create(FleetAgentCreateParams) -> FleetAgentShown;
    /// One agent, with its hook.
    "fleet.agent" fleet_agent(FleetAgentRef) -> FleetAgentShown;
    /// Sets the display name of an agent.
    "fleet.agent_rename" fleet_agent_rename(FleetAgentRenameParams) -> FleetAgentShown;
    /// Sets the recorded status of an agent.
    "fleet.agent_status" fleet_agent_status(FleetAgentStatusParams) -> FleetAgentShown;
    /// The fleet's agents, with their hooks.
    "fleet.agents" fleet_agents(FleetAgentsParams) -> FleetAgents;
    /// Creates a work item that is not in the tracker.
    "fleet.work_create" fleet_work_create(FleetWorkCreateParams) -> FleetWorkShown;
    /// One work item.
    "fleet.work" fleet_work(FleetWorkRef) -> FleetWorkShown;
    /// All work items.
    "fleet.work_list" fleet_work_list(Nothing) -> FleetWork;
    /// Sets the status of a work item.
    "fleet.work_status" fleet_work_status(FleetWorkStatusParams) -> FleetWorkShown;
    /// An agent's hook.
    "fleet.hook" fleet_hook(FleetAgentRef) -> FleetHookShown;
    /// Assigns a bead or a work item to an agent.
    "fleet.hook_set" fleet_hook_set(FleetHookParams) -> FleetHookShown;
    /// Marks an agent's work as started.
    "fleet.hook_activate" fleet_hook_activate(FleetAgentRef) -> FleetHookShown;
    /// Marks an agent's work as done.
    "fleet.hook_complete" fleet_hook_complete(FleetAgentRef) -> FleetHookShown;
    /// Empties an agent's hook and leaves the work unassigned.
    "fleet.hook_clear" fleet_hook_clear(FleetAgentRef) -> FleetHookShown;
    /// Creates a convoy from beads.
    "fleet.convoy_create" fleet_convoy_create(FleetConvoyCreateParams) -> FleetConvoyShown;
    /// One convoy and its history.
    "fleet.convoy" fleet_convoy(FleetConvoyRef) -> FleetConvoyShown;
    /// All convoys.
    "fleet.convoys" fleet_convoys(Nothing) -> FleetConvoys;
    /// Computes and saves a convoy's progress.
    "fleet.convoy_progress" fleet_convoy_progress(FleetConvoyRef) -> FleetConvoyShown;
    /// The merge queue in order, with the request that blocks it.
    "fleet.queue_state" fleet_queue_state(Nothing) -> FleetQueueState;
    /// Adds the branch of a bead's work to the merge queue.
    "fleet.queue_add" fleet_queue_add(FleetQueueAddParams) -> FleetQueueState;
    /// Wakes the merge queue of the window or server that has the project open.
    "fleet.queue_run" fleet_queue_run(Nothing) -> FleetQueueState;
    /// The output of a request's merge, during the merge and afterwards.
    "fleet.queue_output" fleet_queue_output(FleetQueueOutputParams) -> FleetQueueOutput;
    /// Sends a blocked merge request back to the agent of its bead, with the reason.
    "fleet.queue_send_back" fleet_queue_send_back(FleetMergeRef) -> FleetSentBack;
    /// A bead's finished work, for review.
    "fleet.review" fleet_review(FleetReviewParams) -> FleetReview;
    /// Adds finished work to the merge queue. The bead is closed once the work is merged.
    "fleet.approve" fleet_approve(FleetApproveParams) -> FleetQueueState;
    /// Sends feedback to the agent of the bead, and cancels or skips the merge requests of the bead's branch.
    "fleet.request_changes" fleet_request_changes(FleetRequestChangesParams) -> FleetSentBack;
    /// Pauses the queue. No new merge starts, and a running merge finishes.
    "fleet.queue_pause" fleet_queue_pause(Nothing) -> FleetQueueState;
    /// Resumes the paused queue.
    "fleet.queue_go_on" fleet_queue_go_on(Nothing) -> FleetQueueState;
    /// Retries a blocked or skipped merge request.
    "fleet.queue_retry" fleet_queue_retry(FleetQueueRetryParams) -> FleetQueueState;
    /// Skips a merge request, so that the next request is merged.
    "fleet.queue_skip" fleet_queue_skip(FleetMergeRef) -> FleetQueueState;
    /// Removes a merge request from the queue.
    "fleet.queue_cancel" fleet_queue_cancel(FleetMergeRef) -> FleetQueueState;
    /// Moves a merge request before another request, or to the end of the queue.
    "fleet.queue_move" fleet_queue_move(FleetQueueMoveParams) -> FleetQueueState;
    /// The overview of the fleet: the state of every agent, convoys, ready beads and the limits in use.
    "fleet.overview" fleet_overview(Nothing) -> FleetOverview;
    /// Assigns work: the given pairs, or ready beads to idle agents. Opens each agent's session.
    "fleet.dispatch" fleet_dispatch(FleetDispatchParams) -> FleetDispatched;
    /// Opens or resumes an agent's session for the work on its hook.
    "fleet.agent_start" fleet_agent_start(FleetAgentRef) -> FleetAgentSteered;
    /// Pauses an agent's session; its work stays assigned.
    "fleet.agent_stop" fleet_agent_stop(FleetAgentRef) -> FleetAgentSteered;
    /// Retires an agent and releases its work.
    "fleet.agent_retire" fleet_agent_retire(FleetAgentRef) -> FleetAgentSteered;
    /// Resumes, reassigns or releases the work of a stuck agent.
    "fleet.recover" fleet_recover(FleetRecoverParams) -> FleetAgentSteered;
    /// Pauses every agent and stops assigning work.
    "fleet.pause_all" fleet_pause_all(Nothing) -> FleetPaused;
    /// Resumes the paused fleet and, if requested, its paused sessions.
    "fleet.go_on" fleet_go_on(FleetGoOnParams) -> FleetPaused;
    /// Sends a prompt to several agents.
    "fleet.broadcast" fleet_broadcast(FleetBroadcastParams) -> FleetBroadcasted;
    /// Adds beads to a convoy.
    "fleet.convoy_add" fleet_convoy_add(FleetConvoyBeadsParams) -> FleetConvoyShown;
    /// Removes beads from a convoy.
    "fleet.convoy_remove" fleet_convoy_remove(FleetConvoyBeadsParams) -> FleetConvoyShown;
    /// Renames a convoy.
    "fleet.convoy_rename" fleet_convoy_rename(FleetConvoyRenameParams) -> FleetConvoyShown;
    /// Closes a convoy, or reopens it.
    "fleet.convoy_close" fleet_convoy_close(FleetConvoyCloseParams) -> FleetConvoyShown;

    /// Splits command lines from the settings into words.
    "fleet.command_words" fleet_command_words(CommandWordsParams) -> CommandWords;
    /// Checks whether agents can run with a runner, and which capabilities their sessions have.
    "fleet.runner_probe" fleet_runner_probe(RunnerProbeParams) -> RunnerProbe;
    /// The repository's linked worktrees, each with its session and size, and whether it is clean.
    "worktree.list" worktree_list(Nothing) -> Worktrees;
    /// The files and commits that the removal of a worktree would lose.
    "worktree.loss" worktree_loss(WorktreeRef) -> WorktreeLoss;
    /// Removes a clean worktree, or a worktree with losses that the user has confirmed.
    "worktree.remove" worktree_remove(WorktreeRemoveParams) -> WorktreeRemoved;
    /// Recreates the worktree of a paused session, or reconnects a worktree that was moved.
    "worktree.restore" worktree_restore(WorktreeRestoreParams) -> WorktreeRestored;
    /// The setup command of new worktrees, and whether it may run.
    "worktree.setup" worktree_setup(Nothing) -> WorktreeSetup;
    /// Allows the repository files that the setup command runs, with the content that the user saw.
    "worktree.allow_setup" worktree_allow_setup(WorktreeSetupAllowParams) -> WorktreeSetup;

    /// Previews the start of a session: branch, folder, opening prompt, and errors that the start would
    /// report.
    "session.plan" session_plan(SessionPlanParams) -> SessionPlan;
    /// The context pack of a session before its start: every piece with its reason, size and text.
    "session.context_pack" session_context_pack(PackParams) -> PackPreview;
    /// Starts a session: claims the bead, creates the branch, starts claude.
    "session.start" session_start(SessionStartParams) -> SessionStarted;
    /// Waits at most 20 seconds until claude is ready, and returns the result of a start with `at_once`.
    "session.started" session_started(SessionRef) -> SessionStarted;
    /// All sessions, newest first.
    "session.list" session_list(SessionListParams) -> SessionList;
    /// One session.
    "session.show" session_show(SessionRef) -> SessionView;
    /// Everything in the project that waits for the user.
    "session.needs" session_needs(Nothing) -> Needs;
    /// A session's messages.
    "session.transcript" session_transcript(SessionRef) -> Transcript;
    /// A session's context injections: the time, the reason and the exact text of each.
    "session.injections" session_injections(SessionRef) -> Injections;
    /// A session's lifecycle hook runs.
    "session.hook_runs" session_hook_runs(SessionRef) -> SessionHookRuns;
    /// A part of the conversation, with long text shortened.
    "session.page" session_page(SessionPageParams) -> TranscriptPage;
    /// One whole message of the conversation.
    "session.message" session_message(SessionMessageParams) -> Message;
    /// Finds text in one conversation.
    "session.find" session_find(SessionFindParams) -> SessionFound;
    /// A session's events with their times.
    "session.timeline" session_timeline(SessionRef) -> Timeline;
    /// A session's changes: its commits, and each file with its diff.
    "session.changes" session_changes(SessionChangesParams) -> SessionChanges;
    /// A session's checkpoints: the states of its files before prompts and restores.
    "session.checkpoints" session_checkpoints(SessionRef) -> SessionCheckpoints;
    /// The differences between two checkpoints, or between a checkpoint and the session's current files.
    "session.compare" session_compare(CheckpointCompareParams) -> CheckpointChanges;
    /// Restores files from a checkpoint. The previous state is kept as another checkpoint.
    "session.restore_files" session_restore_files(RestoreFilesParams) -> FilesRestored;
    /// Starts a new session from a checkpoint, in its own worktree.
    "session.fork" session_fork(SessionForkParams) -> SessionStarted;
    /// Lines of a changed file, to show more context around a hunk.
    "session.file_lines" session_file_lines(FileLinesParams) -> FileLines;
    /// Reverts a changed file, or one of its hunks, to the state before the session. The revert can be
    /// undone.
    "session.revert" session_revert(RevertParams) -> KeptRevert;
    /// A session's reverts, and whether each can be undone.
    "session.reverts" session_reverts(SessionRef) -> KeptReverts;
    /// Undoes a revert.
    "session.undo_revert" session_undo_revert(RevertRef) -> KeptReverts;
    /// Previews a commit of the session's uncommitted files.
    "session.commit_preview" session_commit_preview(SessionRef) -> CommitPreview;
    /// Commits the session's uncommitted files.
    "session.commit" session_commit(CommitParams) -> Committed;
    /// Previews a push and a pull request of the session's branch.
    "session.publish_preview" session_publish_preview(SessionRef) -> PublishPreview;
    /// Pushes the session's branch.
    "session.push" session_push(SessionRef) -> Pushed;
    /// Pushes the session's branch and opens a pull request with the program `gh`.
    "session.pull_request" session_pull_request(PullRequestParams) -> PullRequest;
    /// Opens a changed file in the user's editor.
    "session.open_file" session_open_file(OpenFileParams) -> Nothing;
    /// The unresolved comments on the session's change.
    "session.comments" session_comments(SessionRef) -> ChangeComments;
    /// Adds, changes and removes comments on the session's change.
    "session.set_comments" session_set_comments(SetCommentsParams) -> ChangeComments;
    /// The files that the user marked as viewed, with the content viewed.
    "session.viewed" session_viewed(SessionRef) -> SessionViewed;
    /// Marks a file as viewed with the content that the user saw, or removes the mark.
    "session.set_viewed" session_set_viewed(SetViewedParams) -> SessionViewed;
    /// Searches titles, objectives, messages and tool calls of all sessions, and filters them.
    "session.search" session_search(Query) -> SearchAnswer;
    /// The metrics of one session.
    "session.metrics" session_metrics(SessionRef) -> SessionMetrics;
    /// The metrics of the project over a range of days.
    "project.metrics" project_metrics(ProjectMetricsParams) -> ProjectMetrics;
    /// Exports the conversation as a document.
    "session.export" session_export(SessionExportParams) -> Exported;
    /// Sends a prompt to claude. The prompt is queued until claude is at its prompt, and then typed.
    "session.send" session_send(SessionSendParams) -> Sent;
    /// Queues an unconfirmed or returned prompt again.
    "session.retry" session_retry(HeldTextRef) -> SessionView;
    /// Discards a queued, unconfirmed or returned prompt.
    "session.forget" session_forget(HeldTextRef) -> SessionView;
    /// Replaces the text of a queued prompt.
    "session.edit_queued" session_edit_queued(QueuedEditParams) -> SessionView;
    /// Moves a queued prompt before another one, or to the end of the queue.
    "session.move_queued" session_move_queued(QueuedMoveParams) -> SessionView;
    /// Moves a queued prompt to the front of the queue, and stops the running turn.
    "session.send_now" session_send_now(HeldTextRef) -> SessionView;
    /// The unsent text of a session's composer.
    "session.draft" session_draft(SessionRef) -> SessionDraft;
    /// Saves the unsent text of a session's composer.
    "session.set_draft" session_set_draft(SetDraftParams) -> SessionDraft;
    /// Saves a file with the session, so that a prompt can mention it.
    "session.attach" session_attach(AttachParams) -> Attached;
    /// An image of the conversation.
    "session.image" session_image(ImageParams) -> SessionImage;
    /// The output so far of a command that claude is running.
    "session.shell_output" session_shell_output(ShellOutputParams) -> ShellOutput;
    /// Completions for `/` and `@` in a prompt for claude.
    "session.completions" session_completions(SessionRef) -> Completions;
    /// Answers a permission request.
    "session.permission" session_permission(PermissionParams) -> SessionView;
    /// Changes claude's permission mode. Claude must be at its prompt.
    "session.mode" session_mode(SessionModeParams) -> SessionView;
    /// Interrupts the turn, as Esc does.
    "session.interrupt" session_interrupt(SessionRef) -> SessionView;
    /// Pauses a session: claude exits cleanly, and the session can be resumed.
    "session.pause" session_pause(SessionRef) -> SessionView;
    /// Previews a resume: the prompt to be sent, the changes since the pause, and the required decisions.
    "session.resume_preview" session_resume_preview(SessionRef) -> ResumePreview;
    /// Continues the conversation of a paused session.
    "session.resume" session_resume(SessionResumeParams) -> SessionStarted;
    /// Previews the end of a session: whether its bead can move to in review, and the text of the execution
    /// log.
    "session.end_preview" session_end_preview(SessionRef) -> EndPreview;
    /// Closes a session.
    "session.end" session_end(SessionEndParams) -> SessionEnded;
    /// Moves a closed session to the trash.
    "session.delete" session_delete(SessionRef) -> Nothing;
    /// Moves closed sessions to the trash, by id or by end date.
    "session.delete_many" session_delete_many(DeleteManyParams) -> Deleted;
    /// The sessions in the trash.
    "session.trash" session_trash(Nothing) -> Trash;
    /// Restores a session from the trash.
    "session.restore" session_restore(SessionRef) -> SessionView;
    /// The project's Claude Code conversations that belong to no session, latest first.
    "session.conversations" session_conversations(ConversationsParams) -> Conversations;
    /// Adopts a Claude Code conversation as a paused session, with all its messages.
    "session.adopt" session_adopt(AdoptParams) -> SessionStarted;
    /// Sessions paused for so long that the user should close or resume them.
    "session.stale" session_stale(Nothing) -> StaleSessions;
    /// Closes old drafts that were never started, and permanently deletes sessions that were in the trash for
    /// at least seven days.
    "session.cleanup" session_cleanup(Nothing) -> CleanedUp;
}

/// Deserializes parameters. The error for missing or invalid parameters names the method.
pub fn parse<T: DeserializeOwned>(method: &str, value: serde_json::Value) -> Result<T, ApiError> {
    let value = if value.is_null() { serde_json::Value::Object(Default::default()) } else { value };
    serde_json::from_value(value).map_err(|e| ApiError::new(ErrorCode::Usage, format!("{method}: {e}")))
}
