//! Implements the contract's methods; each method calls its use case.
//!
//! May use: `agent_files`, `backup`, `beads`, `claude`, `engine`, `fleet`, `fleet_state`, `hooks`,
//! `memory`, `merge_queue`, `needs`, `project_info`, `recovery`, `session`, `settings`, `worktrees`.

use crate::{
    agent_files, backup, beads, claude, engine::Engine, fleet, fleet_state, hooks, memory, merge_queue,
    needs, project_info, recovery, session, settings, worktrees,
};
use bc_core::{
    fleet::{FleetSettings, command_words},
    message::Message,
    metrics::SessionMetrics,
    search::Query,
    timeline::Timeline,
};
use bc_wire::{
    ApiError, agent_files::*, api::Api, backup::*, bead::*, fleet::*, hooks::*, memory::*, project::*,
    recovery::*, search::*, session::*, settings::*, worktree::*,
};

impl Api for Engine {
    fn project_setup(&self, _: Nothing) -> Result<ProjectSetup, ApiError> {
        project_info::project_setup(&self.ctx.project.root)
    }
    fn project_init(&self, params: InitParams) -> Result<ProjectInfo, ApiError> {
        project_info::init(&self.ctx.project.root, params)
    }
    fn project_info(&self, _: Nothing) -> Result<ProjectInfo, ApiError> {
        project_info::info(&self.ctx)
    }
    fn project_settings(&self, _: Nothing) -> Result<ProjectSettingsShown, ApiError> {
        Ok(settings::shown(&self.ctx))
    }
    fn project_set_settings(&self, params: ProjectSettingsChange) -> Result<ProjectSettingsShown, ApiError> {
        session::change_settings(&self.ctx, params)
    }
    fn agent_list(&self, _: Nothing) -> Result<AgentList, ApiError> {
        Ok(claude::list_agents(&self.ctx.project))
    }
    fn agent_files_preview(&self, params: AgentFilesPreviewParams) -> Result<AgentFilesPlan, ApiError> {
        agent_files::preview(&self.ctx, &params)
    }
    fn agent_files_install(&self, params: AgentFilesParams) -> Result<AgentFilesPlan, ApiError> {
        agent_files::install(&self.ctx, &params)
    }
    fn agent_files_remove(&self, params: AgentFilesParams) -> Result<AgentFilesPlan, ApiError> {
        agent_files::remove(&self.ctx, &params)
    }
    fn bead_list(&self, params: BeadListParams) -> Result<BeadList, ApiError> {
        beads::list(&self.ctx, params)
    }
    fn bead_ready(&self, _: Nothing) -> Result<BeadList, ApiError> {
        beads::ready(&self.ctx)
    }
    fn bead_blocked(&self, _: Nothing) -> Result<BeadList, ApiError> {
        beads::blocked(&self.ctx)
    }
    fn bead_show(&self, params: BeadRef) -> Result<BeadShown, ApiError> {
        beads::show(&self.ctx, &params.id)
    }
    fn bead_create(&self, params: BeadCreateParams) -> Result<BeadShown, ApiError> {
        beads::create(&self.ctx, params)
    }
    fn bead_claim(&self, params: BeadClaimParams) -> Result<BeadShown, ApiError> {
        beads::claim(&self.ctx, params)
    }
    fn bead_comment(&self, params: BeadCommentParams) -> Result<BeadShown, ApiError> {
        beads::comment(&self.ctx, params)
    }
    fn bead_submit(&self, params: BeadSubmitParams) -> Result<BeadShown, ApiError> {
        beads::submit(&self.ctx, params)
    }
    fn bead_close(&self, params: BeadCloseParams) -> Result<BeadClosed, ApiError> {
        beads::close(&self.ctx, params)
    }
    fn bead_update(&self, params: BeadUpdateParams) -> Result<BeadShown, ApiError> {
        beads::update(&self.ctx, params)
    }
    fn bead_approve(&self, params: BeadCloseParams) -> Result<BeadClosed, ApiError> {
        beads::approve(&self.ctx, params)
    }
    fn bead_reject(&self, params: BeadRejectParams) -> Result<BeadShown, ApiError> {
        beads::reject(&self.ctx, params)
    }
    fn bead_reopen(&self, params: BeadReopenParams) -> Result<BeadShown, ApiError> {
        beads::reopen(&self.ctx, params)
    }
    fn bead_delete(&self, params: BeadDeleteParams) -> Result<BeadDeleted, ApiError> {
        beads::delete(&self.ctx, params)
    }
    fn bead_undelete(&self, params: BeadDeleteParams) -> Result<BeadShown, ApiError> {
        beads::undelete(&self.ctx, params)
    }
    fn bead_dep_add(&self, params: BeadDependencyParams) -> Result<BeadShown, ApiError> {
        beads::dep_add(&self.ctx, params)
    }
    fn bead_dep_remove(&self, params: BeadDependencyParams) -> Result<BeadShown, ApiError> {
        beads::dep_remove(&self.ctx, params)
    }
    fn bead_capabilities(&self, _: Nothing) -> Result<BeadCapabilities, ApiError> {
        beads::capabilities(&self.ctx)
    }
    fn bead_query(&self, params: BeadQueryParams) -> Result<BeadQueryAnswer, ApiError> {
        beads::query(&self.ctx, &params)
    }
    fn bead_next(&self, params: BeadNextParams) -> Result<NextBeads, ApiError> {
        beads::next(&self.ctx, &params)
    }
    fn bead_stale(&self, _: Nothing) -> Result<StaleBeads, ApiError> {
        beads::stale(&self.ctx)
    }
    fn bead_audit(&self, params: BeadRef) -> Result<BeadAudit, ApiError> {
        beads::audit(&self.ctx, &params.id)
    }
    fn bead_graph(&self, params: BeadGraphParams) -> Result<BeadGraph, ApiError> {
        beads::graph(&self.ctx, &params)
    }
    fn hooks_list(&self, _: Nothing) -> Result<HookFiles, ApiError> {
        Ok(hooks::list(&self.ctx))
    }
    fn hooks_trust(&self, params: HookTrustParams) -> Result<HookFiles, ApiError> {
        hooks::trust(&hooks::places(&self.ctx.project), &params)
    }
    fn hooks_allow(&self, params: HookAllowParams) -> Result<HookFiles, ApiError> {
        hooks::allow(&hooks::places(&self.ctx.project), &params)
    }
    fn hooks_save(&self, params: HookSaveParams) -> Result<HookFiles, ApiError> {
        hooks::save(&hooks::places(&self.ctx.project), &params)
    }
    fn hooks_test(&self, params: HookTestParams) -> Result<HookTest, ApiError> {
        hooks::test(&self.ctx, params)
    }
    fn hooks_reload(&self, _: Nothing) -> Result<HooksReloaded, ApiError> {
        hooks::reload(&self.ctx)
    }
    fn hooks_runs(&self, params: HookRunsParams) -> Result<HookRunsShown, ApiError> {
        hooks::all_runs(&self.ctx, &params)
    }
    fn session_hook_runs(&self, params: SessionRef) -> Result<SessionHookRuns, ApiError> {
        hooks::runs(&self.ctx, &params)
    }
    fn recovery_show(&self, params: RecoveryParams) -> Result<RecoveryBlock, ApiError> {
        recovery::show(&self.ctx, &params)
    }
    fn memory_list(&self, params: MemoryListParams) -> Result<MemoryList, ApiError> {
        memory::list(&self.ctx, &params)
    }
    fn memory_search(&self, params: MemorySearchParams) -> Result<MemoryList, ApiError> {
        memory::search(&self.ctx, &params)
    }
    fn memory_get(&self, params: MemoryGetParams) -> Result<MemoryShown, ApiError> {
        memory::get(&self.ctx, &params)
    }
    fn memory_save(&self, params: MemorySaveParams) -> Result<MemorySaved, ApiError> {
        memory::save(&self.ctx, params)
    }
    fn memory_link(&self, params: MemoryLinkParams) -> Result<MemoryShown, ApiError> {
        memory::link(&self.ctx, &params)
    }
    fn memory_unlink(&self, params: MemoryUnlinkParams) -> Result<MemoryShown, ApiError> {
        memory::unlink(&self.ctx, &params)
    }
    fn memory_unmerge(&self, params: MemoryRef) -> Result<MemoryShown, ApiError> {
        memory::unmerge(&self.ctx, &params)
    }
    fn memory_merge(&self, params: MemoryMergeParams) -> Result<MemoryShown, ApiError> {
        memory::merge(&self.ctx, &params)
    }
    fn memory_forget(&self, params: MemoryRef) -> Result<MemoryShown, ApiError> {
        memory::forget(&self.ctx, &params)
    }
    fn memory_restore(&self, params: MemoryRef) -> Result<MemoryShown, ApiError> {
        memory::restore(&self.ctx, &params)
    }
    fn memory_proposals(&self, params: SessionRef) -> Result<Proposals, ApiError> {
        memory::proposals(&self.ctx, &params)
    }
    fn memory_prime(&self, params: PrimeParams) -> Result<PrimeText, ApiError> {
        recovery::prime(&self.ctx, &params)
    }
    fn memory_import(&self, params: MemoryImportParams) -> Result<MemoryImported, ApiError> {
        memory::import(&self.ctx, &params)
    }
    fn backup_status(&self, params: BackupStatusParams) -> Result<BackupStatus, ApiError> {
        Ok(backup::status(&self.ctx, params))
    }
    fn backup_run(&self, params: BackupRunParams) -> Result<BackupDone, ApiError> {
        backup::run(&self.ctx, &params)
    }
    fn backup_preview(&self, params: RestoreParams) -> Result<Restore, ApiError> {
        backup::preview(&self.ctx, &params)
    }
    fn backup_restore(&self, params: RestoreParams) -> Result<Restore, ApiError> {
        backup::restore(&self.ctx, &params)
    }
    fn backup_sync_tracker(&self, params: SyncTrackerParams) -> Result<TrackerSynced, ApiError> {
        backup::sync_tracker(&self.ctx, params)
    }
    fn fleet_settings(&self, _: Nothing) -> Result<FleetSettings, ApiError> {
        Ok(settings::fleet(&self.ctx.project))
    }
    fn fleet_set_settings(&self, params: FleetSettings) -> Result<FleetSettings, ApiError> {
        fleet_state::set_settings(&self.ctx, &params)
    }
    fn fleet_agent_create(&self, params: FleetAgentCreateParams) -> Result<FleetAgentShown, ApiError> {
        fleet::create_agent(&self.ctx, params)
    }
    fn fleet_agent(&self, params: FleetAgentRef) -> Result<FleetAgentShown, ApiError> {
        fleet::agent(&self.ctx, &params)
    }
    fn fleet_agent_rename(&self, params: FleetAgentRenameParams) -> Result<FleetAgentShown, ApiError> {
        fleet::rename_agent(&self.ctx, &params)
    }
    fn fleet_agent_status(&self, params: FleetAgentStatusParams) -> Result<FleetAgentShown, ApiError> {
        fleet::set_status(&self.ctx, &params)
    }
    fn fleet_agents(&self, params: FleetAgentsParams) -> Result<FleetAgents, ApiError> {
        fleet::agents(&self.ctx, &params)
    }
    fn fleet_work_create(&self, params: FleetWorkCreateParams) -> Result<FleetWorkShown, ApiError> {
        fleet::create_work(&self.ctx, &params)
    }
    fn fleet_work(&self, params: FleetWorkRef) -> Result<FleetWorkShown, ApiError> {
        fleet::work(&self.ctx, &params)
    }
    fn fleet_work_list(&self, _: Nothing) -> Result<FleetWork, ApiError> {
        fleet::work_items(&self.ctx)
    }
    fn fleet_work_status(&self, params: FleetWorkStatusParams) -> Result<FleetWorkShown, ApiError> {
        fleet::set_work_status(&self.ctx, &params)
    }
    fn fleet_hook(&self, params: FleetAgentRef) -> Result<FleetHookShown, ApiError> {
        fleet::hook(&self.ctx, &params)
    }
    fn fleet_hook_set(&self, params: FleetHookParams) -> Result<FleetHookShown, ApiError> {
        fleet::set_hook(&self.ctx, &params)
    }
    fn fleet_hook_activate(&self, params: FleetAgentRef) -> Result<FleetHookShown, ApiError> {
        fleet::activate_hook(&self.ctx, &params)
    }
    fn fleet_hook_complete(&self, params: FleetAgentRef) -> Result<FleetHookShown, ApiError> {
        fleet::complete_hook(&self.ctx, &params)
    }
    fn fleet_hook_clear(&self, params: FleetAgentRef) -> Result<FleetHookShown, ApiError> {
        fleet::clear_hook(&self.ctx, &params)
    }
    fn fleet_convoy_create(&self, params: FleetConvoyCreateParams) -> Result<FleetConvoyShown, ApiError> {
        fleet::create_convoy(&self.ctx, params)
    }
    fn fleet_convoy(&self, params: FleetConvoyRef) -> Result<FleetConvoyShown, ApiError> {
        fleet::convoy(&self.ctx, &params)
    }
    fn fleet_convoys(&self, _: Nothing) -> Result<FleetConvoys, ApiError> {
        fleet::convoys(&self.ctx)
    }
    fn fleet_convoy_progress(&self, params: FleetConvoyRef) -> Result<FleetConvoyShown, ApiError> {
        fleet::count_convoy(&self.ctx, &params)
    }
    fn fleet_queue_state(&self, _: Nothing) -> Result<FleetQueueState, ApiError> {
        merge_queue::queue_state(&self.ctx)
    }
    fn fleet_queue_add(&self, params: FleetQueueAddParams) -> Result<FleetQueueState, ApiError> {
        merge_queue::add(&self.ctx, &params)
    }
    fn fleet_queue_run(&self, _: Nothing) -> Result<FleetQueueState, ApiError> {
        merge_queue::run_now(&self.ctx)
    }
    fn fleet_queue_output(&self, params: FleetQueueOutputParams) -> Result<FleetQueueOutput, ApiError> {
        merge_queue::output(&self.ctx, &params)
    }
    fn fleet_queue_send_back(&self, params: FleetMergeRef) -> Result<FleetSentBack, ApiError> {
        merge_queue::send_back(&self.ctx, &params)
    }
    fn fleet_review(&self, params: FleetReviewParams) -> Result<FleetReview, ApiError> {
        merge_queue::review(&self.ctx, &params)
    }
    fn fleet_approve(&self, params: FleetApproveParams) -> Result<FleetQueueState, ApiError> {
        merge_queue::approve(&self.ctx, &params)
    }
    fn fleet_request_changes(&self, params: FleetRequestChangesParams) -> Result<FleetSentBack, ApiError> {
        merge_queue::request_changes(&self.ctx, &params)
    }
    fn fleet_queue_pause(&self, _: Nothing) -> Result<FleetQueueState, ApiError> {
        merge_queue::pause(&self.ctx, true)
    }
    fn fleet_queue_go_on(&self, _: Nothing) -> Result<FleetQueueState, ApiError> {
        merge_queue::pause(&self.ctx, false)
    }
    fn fleet_queue_retry(&self, params: FleetQueueRetryParams) -> Result<FleetQueueState, ApiError> {
        merge_queue::retry(&self.ctx, &params)
    }
    fn fleet_queue_skip(&self, params: FleetMergeRef) -> Result<FleetQueueState, ApiError> {
        merge_queue::skip(&self.ctx, &params)
    }
    fn fleet_queue_cancel(&self, params: FleetMergeRef) -> Result<FleetQueueState, ApiError> {
        merge_queue::cancel(&self.ctx, &params)
    }
    fn fleet_queue_move(&self, params: FleetQueueMoveParams) -> Result<FleetQueueState, ApiError> {
        merge_queue::move_before(&self.ctx, &params)
    }
    fn fleet_overview(&self, _: Nothing) -> Result<FleetOverview, ApiError> {
        fleet::overview(&self.ctx)
    }
    fn fleet_command_words(&self, params: CommandWordsParams) -> Result<CommandWords, ApiError> {
        let words = params.lines.iter().map(|line| command_words(line).ok());
        Ok(CommandWords { words: words.collect() })
    }
    fn fleet_runner_probe(&self, params: RunnerProbeParams) -> Result<RunnerProbe, ApiError> {
        fleet::probe(&self.ctx, &params)
    }
    fn worktree_list(&self, _: Nothing) -> Result<Worktrees, ApiError> {
        worktrees::list(&self.ctx)
    }
    fn worktree_loss(&self, params: WorktreeRef) -> Result<WorktreeLoss, ApiError> {
        worktrees::loss(&self.ctx, &params)
    }
    fn worktree_remove(&self, params: WorktreeRemoveParams) -> Result<WorktreeRemoved, ApiError> {
        worktrees::remove(&self.ctx, &params)
    }
    fn worktree_restore(&self, params: WorktreeRestoreParams) -> Result<WorktreeRestored, ApiError> {
        session::restore_worktree(&self.ctx, params.session)
    }
    fn worktree_setup(&self, _: Nothing) -> Result<WorktreeSetup, ApiError> {
        worktrees::setup_shown(&self.ctx)
    }
    fn worktree_allow_setup(&self, params: WorktreeSetupAllowParams) -> Result<WorktreeSetup, ApiError> {
        worktrees::allow(&self.ctx, &params)
    }
    fn fleet_dispatch(&self, params: FleetDispatchParams) -> Result<FleetDispatched, ApiError> {
        fleet::dispatch(&self.ctx, &params)
    }
    fn fleet_agent_start(&self, params: FleetAgentRef) -> Result<FleetAgentSteered, ApiError> {
        fleet::agent_commands::start(&self.ctx, &params)
    }
    fn fleet_agent_stop(&self, params: FleetAgentRef) -> Result<FleetAgentSteered, ApiError> {
        fleet::agent_commands::stop(&self.ctx, &params)
    }
    fn fleet_agent_retire(&self, params: FleetAgentRef) -> Result<FleetAgentSteered, ApiError> {
        fleet::agent_commands::retire(&self.ctx, &params)
    }
    fn fleet_recover(&self, params: FleetRecoverParams) -> Result<FleetAgentSteered, ApiError> {
        fleet::agent_commands::recover(&self.ctx, &params)
    }
    fn fleet_pause_all(&self, _: Nothing) -> Result<FleetPaused, ApiError> {
        fleet::all_agents::pause_all(&self.ctx)
    }
    fn fleet_go_on(&self, params: FleetGoOnParams) -> Result<FleetPaused, ApiError> {
        fleet::all_agents::resume_all(&self.ctx, &params)
    }
    fn fleet_broadcast(&self, params: FleetBroadcastParams) -> Result<FleetBroadcasted, ApiError> {
        fleet::all_agents::broadcast(&self.ctx, &params)
    }
    fn fleet_convoy_add(&self, params: FleetConvoyBeadsParams) -> Result<FleetConvoyShown, ApiError> {
        fleet::add_to_convoy(&self.ctx, &params)
    }
    fn fleet_convoy_remove(&self, params: FleetConvoyBeadsParams) -> Result<FleetConvoyShown, ApiError> {
        fleet::remove_from_convoy(&self.ctx, &params)
    }
    fn fleet_convoy_rename(&self, params: FleetConvoyRenameParams) -> Result<FleetConvoyShown, ApiError> {
        fleet::rename_convoy(&self.ctx, &params)
    }
    fn fleet_convoy_close(&self, params: FleetConvoyCloseParams) -> Result<FleetConvoyShown, ApiError> {
        fleet::close_convoy(&self.ctx, &params)
    }
    fn session_plan(&self, params: SessionPlanParams) -> Result<SessionPlan, ApiError> {
        session::plan(&self.ctx, params)
    }
    fn session_context_pack(&self, params: PackParams) -> Result<PackPreview, ApiError> {
        session::context_pack(&self.ctx, params)
    }
    fn session_start(&self, params: SessionStartParams) -> Result<SessionStarted, ApiError> {
        session::start(&self.ctx, params)
    }
    fn session_started(&self, params: SessionRef) -> Result<SessionStarted, ApiError> {
        session::started(&self.ctx, params.id)
    }
    fn session_list(&self, params: SessionListParams) -> Result<SessionList, ApiError> {
        session::list(&self.ctx, &params)
    }
    fn session_show(&self, params: SessionRef) -> Result<SessionView, ApiError> {
        session::show(&self.ctx, params.id)
    }
    fn session_needs(&self, _: Nothing) -> Result<Needs, ApiError> {
        needs::list(&self.ctx)
    }
    fn session_transcript(&self, params: SessionRef) -> Result<Transcript, ApiError> {
        session::transcript(&self.ctx, params.id)
    }
    fn session_injections(&self, params: SessionRef) -> Result<Injections, ApiError> {
        recovery::injections(&self.ctx, &params)
    }
    fn session_page(&self, params: SessionPageParams) -> Result<TranscriptPage, ApiError> {
        session::page(&self.ctx, &params)
    }
    fn session_message(&self, params: SessionMessageParams) -> Result<Message, ApiError> {
        session::message(&self.ctx, &params)
    }
    fn session_find(&self, params: SessionFindParams) -> Result<SessionFound, ApiError> {
        session::find(&self.ctx, &params)
    }
    fn session_timeline(&self, params: SessionRef) -> Result<Timeline, ApiError> {
        session::timeline(&self.ctx, params.id)
    }
    fn session_changes(&self, params: SessionChangesParams) -> Result<SessionChanges, ApiError> {
        session::changes(&self.ctx, &params)
    }
    fn session_file_lines(&self, params: FileLinesParams) -> Result<FileLines, ApiError> {
        session::file_lines(&self.ctx, &params)
    }
    fn session_revert(&self, params: RevertParams) -> Result<KeptRevert, ApiError> {
        session::revert(&self.ctx, &params)
    }
    fn session_reverts(&self, params: SessionRef) -> Result<KeptReverts, ApiError> {
        session::reverts(&self.ctx, params.id)
    }
    fn session_undo_revert(&self, params: RevertRef) -> Result<KeptReverts, ApiError> {
        session::undo_revert(&self.ctx, &params)
    }
    fn session_commit_preview(&self, params: SessionRef) -> Result<CommitPreview, ApiError> {
        session::commit_preview(&self.ctx, params.id)
    }
    fn session_commit(&self, params: CommitParams) -> Result<Committed, ApiError> {
        session::commit(&self.ctx, &params)
    }
    fn session_publish_preview(&self, params: SessionRef) -> Result<PublishPreview, ApiError> {
        session::publish_preview(&self.ctx, params.id)
    }
    fn session_push(&self, params: SessionRef) -> Result<Pushed, ApiError> {
        session::push(&self.ctx, params.id)
    }
    fn session_pull_request(&self, params: PullRequestParams) -> Result<PullRequest, ApiError> {
        session::pull_request(&self.ctx, &params)
    }
    fn session_open_file(&self, params: OpenFileParams) -> Result<Nothing, ApiError> {
        session::open_file(&self.ctx, &params)
    }
    fn session_comments(&self, params: SessionRef) -> Result<ChangeComments, ApiError> {
        session::comments(&self.ctx, params.id)
    }
    fn session_set_comments(&self, params: SetCommentsParams) -> Result<ChangeComments, ApiError> {
        session::set_comments(&self.ctx, &params)
    }
    fn session_viewed(&self, params: SessionRef) -> Result<SessionViewed, ApiError> {
        session::viewed(&self.ctx, params.id)
    }
    fn session_set_viewed(&self, params: SetViewedParams) -> Result<SessionViewed, ApiError> {
        session::set_viewed(&self.ctx, params)
    }
    fn session_search(&self, params: Query) -> Result<SearchAnswer, ApiError> {
        session::search(&self.ctx, &params)
    }
    fn session_metrics(&self, params: SessionRef) -> Result<SessionMetrics, ApiError> {
        session::metrics(&self.ctx, params)
    }
    fn project_metrics(&self, params: ProjectMetricsParams) -> Result<ProjectMetrics, ApiError> {
        session::project_metrics(&self.ctx, &params)
    }
    fn session_export(&self, params: SessionExportParams) -> Result<Exported, ApiError> {
        session::export(&self.ctx, &params)
    }
    fn session_send(&self, params: SessionSendParams) -> Result<Sent, ApiError> {
        session::send(&self.ctx, &params)
    }
    fn session_retry(&self, params: HeldTextRef) -> Result<SessionView, ApiError> {
        session::retry(&self.ctx, &params)
    }
    fn session_forget(&self, params: HeldTextRef) -> Result<SessionView, ApiError> {
        session::forget(&self.ctx, &params)
    }
    fn session_edit_queued(&self, params: QueuedEditParams) -> Result<SessionView, ApiError> {
        session::edit_queued(&self.ctx, &params)
    }
    fn session_move_queued(&self, params: QueuedMoveParams) -> Result<SessionView, ApiError> {
        session::move_queued(&self.ctx, &params)
    }
    fn session_send_now(&self, params: HeldTextRef) -> Result<SessionView, ApiError> {
        session::send_now(&self.ctx, &params)
    }
    fn session_draft(&self, params: SessionRef) -> Result<SessionDraft, ApiError> {
        session::draft(&self.ctx, params.id)
    }
    fn session_set_draft(&self, params: SetDraftParams) -> Result<SessionDraft, ApiError> {
        session::set_draft(&self.ctx, params)
    }
    fn session_attach(&self, params: AttachParams) -> Result<Attached, ApiError> {
        session::attach(&self.ctx, &params)
    }
    fn session_image(&self, params: ImageParams) -> Result<SessionImage, ApiError> {
        session::image(&self.ctx, &params)
    }
    fn session_shell_output(&self, params: ShellOutputParams) -> Result<ShellOutput, ApiError> {
        session::shell_output(&self.ctx, &params)
    }
    fn session_completions(&self, params: SessionRef) -> Result<Completions, ApiError> {
        session::completions(&self.ctx, params.id)
    }
    fn session_mode(&self, params: SessionModeParams) -> Result<SessionView, ApiError> {
        session::mode(&self.ctx, &params)
    }
    fn session_permission(&self, params: PermissionParams) -> Result<SessionView, ApiError> {
        session::permission(&self.ctx, &params)
    }
    fn session_interrupt(&self, params: SessionRef) -> Result<SessionView, ApiError> {
        session::interrupt(&self.ctx, params.id)
    }
    fn session_pause(&self, params: SessionRef) -> Result<SessionView, ApiError> {
        session::pause(&self.ctx, params.id)
    }
    fn session_resume_preview(&self, params: SessionRef) -> Result<ResumePreview, ApiError> {
        session::resume_preview(&self.ctx, params.id)
    }
    fn session_resume(&self, params: SessionResumeParams) -> Result<SessionStarted, ApiError> {
        session::resume(&self.ctx, params)
    }
    fn session_end(&self, params: SessionEndParams) -> Result<SessionEnded, ApiError> {
        session::end(&self.ctx, &params)
    }
    fn session_delete(&self, params: SessionRef) -> Result<Nothing, ApiError> {
        session::delete(&self.ctx, params.id).map(|()| Nothing {})
    }
    fn session_delete_many(&self, params: DeleteManyParams) -> Result<Deleted, ApiError> {
        session::delete_many(&self.ctx, &params)
    }
    fn session_trash(&self, _: Nothing) -> Result<Trash, ApiError> {
        session::trash(&self.ctx)
    }
    fn session_conversations(&self, params: ConversationsParams) -> Result<Conversations, ApiError> {
        session::conversations(&self.ctx, params)
    }
    fn session_adopt(&self, params: AdoptParams) -> Result<SessionStarted, ApiError> {
        session::adopt(&self.ctx, params)
    }
    fn session_stale(&self, _: Nothing) -> Result<StaleSessions, ApiError> {
        session::stale(&self.ctx)
    }
    fn session_cleanup(&self, _: Nothing) -> Result<CleanedUp, ApiError> {
        session::cleanup(&self.ctx)
    }
    fn session_end_preview(&self, params: SessionRef) -> Result<EndPreview, ApiError> {
        session::end_preview(&self.ctx, params.id)
    }
    fn session_checkpoints(&self, params: SessionRef) -> Result<SessionCheckpoints, ApiError> {
        session::checkpoints(&self.ctx, params.id)
    }
    fn session_compare(&self, params: CheckpointCompareParams) -> Result<CheckpointChanges, ApiError> {
        session::compare(&self.ctx, &params)
    }
    fn session_restore_files(&self, params: RestoreFilesParams) -> Result<FilesRestored, ApiError> {
        session::restore_files(&self.ctx, &params)
    }
    fn session_fork(&self, params: SessionForkParams) -> Result<SessionStarted, ApiError> {
        session::fork(&self.ctx, params)
    }
    fn session_restore(&self, params: SessionRef) -> Result<SessionView, ApiError> {
        session::restore(&self.ctx, params.id)
    }
}
