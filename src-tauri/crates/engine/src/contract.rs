//! Implements the contract's methods by calls to the modules.

use crate::{
    agent_files, agents, backup, beads, engine::Engine, fleet, hooks, memory, project_info, project_settings,
    recovery, session, worktrees,
};
use bc_core::{
    fleet::{FleetSettings, command_words},
    metrics::SessionMetrics,
    search::Query,
    timeline::Timeline,
};
use bc_wire::{
    ApiError, agent_files::*, api::Api, backup::*, bead::*, fleet::*, hooks::*, memory::*,
    project::*, recovery::*, search::*, session::*, settings::*, worktree::*,
};

impl Api for Engine {
    fn project_init(&self, params: InitParams) -> Result<ProjectInfo, ApiError> {
        project_info::init(&self.project.root, params)
    }
    fn project_info(&self, _: Nothing) -> Result<ProjectInfo, ApiError> {
        project_info::info(self)
    }
    fn project_settings(&self, _: Nothing) -> Result<ProjectSettingsShown, ApiError> {
        Ok(project_settings::shown(self))
    }
    fn project_set_settings(&self, params: ProjectSettingsChange) -> Result<ProjectSettingsShown, ApiError> {
        project_settings::change(self, params)
    }
    fn agent_list(&self, _: Nothing) -> Result<AgentList, ApiError> {
        Ok(agents::all(&self.project))
    }
    fn agent_files_preview(&self, params: AgentFilesPreviewParams) -> Result<AgentFilesPlan, ApiError> {
        agent_files::preview(self, &params)
    }
    fn agent_files_install(&self, params: AgentFilesParams) -> Result<AgentFilesPlan, ApiError> {
        agent_files::install(self, &params)
    }
    fn agent_files_remove(&self, params: AgentFilesParams) -> Result<AgentFilesPlan, ApiError> {
        agent_files::remove(self, &params)
    }
    fn bead_list(&self, params: BeadListParams) -> Result<BeadList, ApiError> {
        beads::list(self, params)
    }
    fn bead_ready(&self, _: Nothing) -> Result<BeadList, ApiError> {
        beads::ready(self)
    }
    fn bead_blocked(&self, _: Nothing) -> Result<BeadList, ApiError> {
        beads::blocked(self)
    }
    fn bead_show(&self, params: BeadRef) -> Result<BeadShown, ApiError> {
        beads::show(self, &params.id)
    }
    fn bead_create(&self, params: BeadCreateParams) -> Result<BeadShown, ApiError> {
        beads::create(self, params)
    }
    fn bead_claim(&self, params: BeadClaimParams) -> Result<BeadShown, ApiError> {
        beads::claim(self, params)
    }
    fn bead_comment(&self, params: BeadCommentParams) -> Result<BeadShown, ApiError> {
        beads::comment(self, params)
    }
    fn bead_submit(&self, params: BeadSubmitParams) -> Result<BeadShown, ApiError> {
        beads::submit(self, params)
    }
    fn bead_close(&self, params: BeadCloseParams) -> Result<BeadShown, ApiError> {
        beads::close(self, params)
    }
    fn hooks_list(&self, _: Nothing) -> Result<HookFiles, ApiError> {
        Ok(hooks::list(self))
    }
    fn hooks_trust(&self, params: HookTrustParams) -> Result<HookFiles, ApiError> {
        hooks::trust(&hooks::places(&self.project), &params)
    }
    fn hooks_allow(&self, params: HookAllowParams) -> Result<HookFiles, ApiError> {
        hooks::allow(&hooks::places(&self.project), &params)
    }
    fn hooks_save(&self, params: HookSaveParams) -> Result<HookFiles, ApiError> {
        hooks::save(&hooks::places(&self.project), &params)
    }
    fn hooks_test(&self, params: HookTestParams) -> Result<HookTest, ApiError> {
        hooks::test(self, params)
    }
    fn hooks_reload(&self, _: Nothing) -> Result<HooksReloaded, ApiError> {
        hooks::reload(self)
    }
    fn hooks_runs(&self, params: HookRunsParams) -> Result<HookRunsShown, ApiError> {
        hooks::all_runs(self, &params)
    }
    fn session_hook_runs(&self, params: SessionRef) -> Result<SessionHookRuns, ApiError> {
        hooks::runs(self, &params)
    }
    fn recovery_show(&self, params: RecoveryParams) -> Result<RecoveryBlock, ApiError> {
        recovery::show(self, &params)
    }
    fn memory_list(&self, params: MemoryListParams) -> Result<MemoryList, ApiError> {
        memory::list(self, &params)
    }
    fn memory_search(&self, params: MemorySearchParams) -> Result<MemoryList, ApiError> {
        memory::search(self, &params)
    }
    fn memory_get(&self, params: MemoryGetParams) -> Result<MemoryShown, ApiError> {
        memory::get(self, &params)
    }
    fn memory_save(&self, params: MemorySaveParams) -> Result<MemorySaved, ApiError> {
        memory::save(self, params)
    }
    fn memory_link(&self, params: MemoryLinkParams) -> Result<MemoryShown, ApiError> {
        memory::link(self, &params)
    }
    fn memory_unlink(&self, params: MemoryUnlinkParams) -> Result<MemoryShown, ApiError> {
        memory::unlink(self, &params)
    }
    fn memory_unmerge(&self, params: MemoryRef) -> Result<MemoryShown, ApiError> {
        memory::unmerge(self, &params)
    }
    fn memory_merge(&self, params: MemoryMergeParams) -> Result<MemoryShown, ApiError> {
        memory::merge(self, &params)
    }
    fn memory_forget(&self, params: MemoryRef) -> Result<MemoryShown, ApiError> {
        memory::forget(self, &params)
    }
    fn memory_restore(&self, params: MemoryRef) -> Result<MemoryShown, ApiError> {
        memory::restore(self, &params)
    }
    fn memory_proposals(&self, params: SessionRef) -> Result<Proposals, ApiError> {
        memory::proposals(self, &params)
    }
    fn memory_prime(&self, params: PrimeParams) -> Result<PrimeText, ApiError> {
        memory::prime(self, &params)
    }
    fn memory_import(&self, params: MemoryImportParams) -> Result<MemoryImported, ApiError> {
        memory::import(self, &params)
    }
    fn backup_status(&self, params: BackupStatusParams) -> Result<BackupStatus, ApiError> {
        Ok(backup::status(self, params))
    }
    fn backup_run(&self, params: BackupRunParams) -> Result<BackupDone, ApiError> {
        backup::run(self, &params)
    }
    fn backup_preview(&self, params: RestoreParams) -> Result<Restore, ApiError> {
        backup::preview(self, &params)
    }
    fn backup_restore(&self, params: RestoreParams) -> Result<Restore, ApiError> {
        backup::restore(self, &params)
    }
    fn backup_sync_tracker(&self, params: SyncTrackerParams) -> Result<TrackerSynced, ApiError> {
        backup::sync_tracker(self, params)
    }
    fn fleet_settings(&self, _: Nothing) -> Result<FleetSettings, ApiError> {
        Ok(fleet::settings(&self.project))
    }
    fn fleet_set_settings(&self, params: FleetSettings) -> Result<FleetSettings, ApiError> {
        fleet::set_settings(self, &params)
    }
    fn fleet_agent_create(&self, params: FleetAgentCreateParams) -> Result<FleetAgentShown, ApiError> {
        fleet::create_agent(self, params)
    }
    fn fleet_agent(&self, params: FleetAgentRef) -> Result<FleetAgentShown, ApiError> {
        fleet::agent(self, &params)
    }
    fn fleet_agent_rename(&self, params: FleetAgentRenameParams) -> Result<FleetAgentShown, ApiError> {
        fleet::rename_agent(self, &params)
    }
    fn fleet_agent_status(&self, params: FleetAgentStatusParams) -> Result<FleetAgentShown, ApiError> {
        fleet::set_status(self, &params)
    }
    fn fleet_agents(&self, params: FleetAgentsParams) -> Result<FleetAgents, ApiError> {
        fleet::agents(self, &params)
    }
    fn fleet_work_create(&self, params: FleetWorkCreateParams) -> Result<FleetWorkShown, ApiError> {
        fleet::create_work(self, &params)
    }
    fn fleet_work(&self, params: FleetWorkRef) -> Result<FleetWorkShown, ApiError> {
        fleet::work(self, &params)
    }
    fn fleet_work_list(&self, _: Nothing) -> Result<FleetWork, ApiError> {
        fleet::work_items(self)
    }
    fn fleet_work_status(&self, params: FleetWorkStatusParams) -> Result<FleetWorkShown, ApiError> {
        fleet::set_work_status(self, &params)
    }
    fn fleet_hook(&self, params: FleetAgentRef) -> Result<FleetHookShown, ApiError> {
        fleet::hook(self, &params)
    }
    fn fleet_hook_set(&self, params: FleetHookParams) -> Result<FleetHookShown, ApiError> {
        fleet::set_hook(self, &params)
    }
    fn fleet_hook_activate(&self, params: FleetAgentRef) -> Result<FleetHookShown, ApiError> {
        fleet::activate_hook(self, &params)
    }
    fn fleet_hook_complete(&self, params: FleetAgentRef) -> Result<FleetHookShown, ApiError> {
        fleet::complete_hook(self, &params)
    }
    fn fleet_hook_clear(&self, params: FleetAgentRef) -> Result<FleetHookShown, ApiError> {
        fleet::clear_hook(self, &params)
    }
    fn fleet_convoy_create(&self, params: FleetConvoyCreateParams) -> Result<FleetConvoyShown, ApiError> {
        fleet::create_convoy(self, params)
    }
    fn fleet_convoy(&self, params: FleetConvoyRef) -> Result<FleetConvoyShown, ApiError> {
        fleet::convoy(self, &params)
    }
    fn fleet_convoys(&self, _: Nothing) -> Result<FleetConvoys, ApiError> {
        fleet::convoys(self)
    }
    fn fleet_convoy_progress(&self, params: FleetConvoyRef) -> Result<FleetConvoyShown, ApiError> {
        fleet::count_convoy(self, &params)
    }
    fn fleet_queue(&self, _: Nothing) -> Result<FleetQueue, ApiError> {
        fleet::queue(self)
    }
    fn fleet_queue_state(&self, _: Nothing) -> Result<FleetQueueState, ApiError> {
        fleet::queue::queue_state(self)
    }
    fn fleet_queue_add(&self, params: FleetQueueAddParams) -> Result<FleetQueueState, ApiError> {
        fleet::queue::add(self, &params)
    }
    fn fleet_queue_run(&self, _: Nothing) -> Result<FleetQueueState, ApiError> {
        fleet::queue::go(self)
    }
    fn fleet_queue_output(&self, params: FleetQueueOutputParams) -> Result<FleetQueueOutput, ApiError> {
        fleet::queue::output(self, &params)
    }
    fn fleet_queue_send_back(&self, params: FleetMergeRef) -> Result<FleetSentBack, ApiError> {
        fleet::queue::send_back(self, &params)
    }
    fn fleet_review(&self, params: FleetReviewParams) -> Result<FleetReview, ApiError> {
        fleet::queue::review(self, &params)
    }
    fn fleet_approve(&self, params: FleetApproveParams) -> Result<FleetQueueState, ApiError> {
        fleet::queue::approve(self, &params)
    }
    fn fleet_request_changes(&self, params: FleetRequestChangesParams) -> Result<FleetSentBack, ApiError> {
        fleet::queue::request_changes(self, &params)
    }
    fn fleet_queue_pause(&self, _: Nothing) -> Result<FleetQueueState, ApiError> {
        fleet::queue::pause(self, true)
    }
    fn fleet_queue_go_on(&self, _: Nothing) -> Result<FleetQueueState, ApiError> {
        fleet::queue::pause(self, false)
    }
    fn fleet_queue_retry(&self, params: FleetQueueRetryParams) -> Result<FleetQueueState, ApiError> {
        fleet::queue::retry(self, &params)
    }
    fn fleet_queue_skip(&self, params: FleetMergeRef) -> Result<FleetQueueState, ApiError> {
        fleet::queue::skip(self, &params)
    }
    fn fleet_queue_cancel(&self, params: FleetMergeRef) -> Result<FleetQueueState, ApiError> {
        fleet::queue::cancel(self, &params)
    }
    fn fleet_queue_move(&self, params: FleetQueueMoveParams) -> Result<FleetQueueState, ApiError> {
        fleet::queue::move_before(self, &params)
    }
    fn fleet_overview(&self, _: Nothing) -> Result<FleetOverview, ApiError> {
        fleet::overview(self)
    }
    fn fleet_command_words(&self, params: CommandWordsParams) -> Result<CommandWords, ApiError> {
        let words = params.lines.iter().map(|line| command_words(line).ok());
        Ok(CommandWords { words: words.collect() })
    }
    fn fleet_runner_probe(&self, params: RunnerProbeParams) -> Result<RunnerProbe, ApiError> {
        fleet::probe(self, &params)
    }
    fn worktree_list(&self, _: Nothing) -> Result<Worktrees, ApiError> {
        worktrees::list(self)
    }
    fn worktree_loss(&self, params: WorktreeRef) -> Result<WorktreeLoss, ApiError> {
        worktrees::loss(self, &params)
    }
    fn worktree_remove(&self, params: WorktreeRemoveParams) -> Result<WorktreeRemoved, ApiError> {
        worktrees::remove(self, &params)
    }
    fn worktree_restore(&self, params: WorktreeRestoreParams) -> Result<WorktreeRestored, ApiError> {
        session::restore_worktree(self, params.session)
    }
    fn worktree_setup(&self, _: Nothing) -> Result<WorktreeSetup, ApiError> {
        worktrees::setup_shown(self)
    }
    fn worktree_allow_setup(&self, params: WorktreeSetupAllowParams) -> Result<WorktreeSetup, ApiError> {
        worktrees::allow(self, &params)
    }
    fn fleet_dispatch(&self, params: FleetDispatchParams) -> Result<FleetDispatched, ApiError> {
        fleet::dispatch(self, &params)
    }
    fn fleet_agent_start(&self, params: FleetAgentRef) -> Result<FleetAgentSteered, ApiError> {
        fleet::agent_commands::start(self, &params)
    }
    fn fleet_agent_stop(&self, params: FleetAgentRef) -> Result<FleetAgentSteered, ApiError> {
        fleet::agent_commands::stop(self, &params)
    }
    fn fleet_agent_retire(&self, params: FleetAgentRef) -> Result<FleetAgentSteered, ApiError> {
        fleet::agent_commands::retire(self, &params)
    }
    fn fleet_recover(&self, params: FleetRecoverParams) -> Result<FleetAgentSteered, ApiError> {
        fleet::agent_commands::recover(self, &params)
    }
    fn fleet_pause_all(&self, _: Nothing) -> Result<FleetPaused, ApiError> {
        fleet::all_agents::pause_all(self)
    }
    fn fleet_go_on(&self, params: FleetGoOnParams) -> Result<FleetPaused, ApiError> {
        fleet::all_agents::resume_all(self, &params)
    }
    fn fleet_broadcast(&self, params: FleetBroadcastParams) -> Result<FleetBroadcasted, ApiError> {
        fleet::all_agents::broadcast(self, &params)
    }
    fn fleet_convoy_add(&self, params: FleetConvoyBeadsParams) -> Result<FleetConvoyShown, ApiError> {
        fleet::add_to_convoy(self, &params)
    }
    fn fleet_convoy_remove(&self, params: FleetConvoyBeadsParams) -> Result<FleetConvoyShown, ApiError> {
        fleet::remove_from_convoy(self, &params)
    }
    fn fleet_convoy_rename(&self, params: FleetConvoyRenameParams) -> Result<FleetConvoyShown, ApiError> {
        fleet::rename_convoy(self, &params)
    }
    fn fleet_convoy_close(&self, params: FleetConvoyCloseParams) -> Result<FleetConvoyShown, ApiError> {
        fleet::close_convoy(self, &params)
    }
    fn session_plan(&self, params: SessionPlanParams) -> Result<SessionPlan, ApiError> {
        session::plan(self, params)
    }
    fn session_start(&self, params: SessionStartParams) -> Result<SessionStarted, ApiError> {
        session::start(self, params)
    }
    fn session_started(&self, params: SessionRef) -> Result<SessionStarted, ApiError> {
        session::started(self, params.id)
    }
    fn session_list(&self, params: SessionListParams) -> Result<SessionList, ApiError> {
        session::list(self, &params)
    }
    fn session_show(&self, params: SessionRef) -> Result<SessionView, ApiError> {
        session::show(self, params.id)
    }
    fn session_transcript(&self, params: SessionRef) -> Result<Transcript, ApiError> {
        session::transcript(self, params.id)
    }
    fn session_injections(&self, params: SessionRef) -> Result<Injections, ApiError> {
        recovery::injections(self, &params)
    }
    fn session_page(&self, params: SessionPageParams) -> Result<TranscriptPage, ApiError> {
        session::page(self, &params)
    }
    fn session_find(&self, params: SessionFindParams) -> Result<SessionFound, ApiError> {
        session::find(self, &params)
    }
    fn session_timeline(&self, params: SessionRef) -> Result<Timeline, ApiError> {
        session::timeline(self, params.id)
    }
    fn session_changes(&self, params: SessionChangesParams) -> Result<SessionChanges, ApiError> {
        session::changes(self, &params)
    }
    fn session_viewed(&self, params: SessionRef) -> Result<SessionViewed, ApiError> {
        session::viewed(self, params.id)
    }
    fn session_set_viewed(&self, params: SetViewedParams) -> Result<SessionViewed, ApiError> {
        session::set_viewed(self, params)
    }
    fn session_search(&self, params: Query) -> Result<SearchAnswer, ApiError> {
        session::search(self, &params)
    }
    fn session_metrics(&self, params: SessionRef) -> Result<SessionMetrics, ApiError> {
        session::metrics(self, params)
    }
    fn project_metrics(&self, params: ProjectMetricsParams) -> Result<ProjectMetrics, ApiError> {
        session::project_metrics(self, &params)
    }
    fn session_export(&self, params: SessionExportParams) -> Result<Exported, ApiError> {
        session::export(self, &params)
    }
    fn session_send(&self, params: SessionSendParams) -> Result<Sent, ApiError> {
        session::send(self, &params)
    }
    fn session_retry(&self, params: HeldTextRef) -> Result<SessionView, ApiError> {
        session::retry(self, &params)
    }
    fn session_forget(&self, params: HeldTextRef) -> Result<SessionView, ApiError> {
        session::forget(self, &params)
    }
    fn session_completions(&self, params: SessionRef) -> Result<Completions, ApiError> {
        session::completions(self, params.id)
    }
    fn session_mode(&self, params: SessionModeParams) -> Result<SessionView, ApiError> {
        session::mode(self, &params)
    }
    fn session_permission(&self, params: PermissionParams) -> Result<SessionView, ApiError> {
        session::permission(self, &params)
    }
    fn session_interrupt(&self, params: SessionRef) -> Result<SessionView, ApiError> {
        session::interrupt(self, params.id)
    }
    fn session_pause(&self, params: SessionRef) -> Result<SessionView, ApiError> {
        session::pause(self, params.id)
    }
    fn session_resume_preview(&self, params: SessionRef) -> Result<ResumePreview, ApiError> {
        session::resume_preview(self, params.id)
    }
    fn session_resume(&self, params: SessionResumeParams) -> Result<SessionStarted, ApiError> {
        session::resume(self, params)
    }
    fn session_end(&self, params: SessionEndParams) -> Result<SessionEnded, ApiError> {
        session::end(self, &params)
    }
    fn session_delete(&self, params: SessionRef) -> Result<Nothing, ApiError> {
        session::delete(self, params.id).map(|()| Nothing {})
    }
    fn session_delete_many(&self, params: DeleteManyParams) -> Result<Deleted, ApiError> {
        session::delete_many(self, &params)
    }
    fn session_trash(&self, _: Nothing) -> Result<Trash, ApiError> {
        session::trash(self)
    }
    fn session_stale(&self, _: Nothing) -> Result<StaleSessions, ApiError> {
        session::stale(self)
    }
    fn session_cleanup(&self, _: Nothing) -> Result<CleanedUp, ApiError> {
        session::cleanup(self)
    }
    fn session_end_preview(&self, params: SessionRef) -> Result<EndPreview, ApiError> {
        session::end_preview(self, params.id)
    }
    fn session_restore(&self, params: SessionRef) -> Result<SessionView, ApiError> {
        session::restore(self, params.id)
    }
}
