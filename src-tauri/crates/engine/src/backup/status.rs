//! Reports the state of the data's three tiers, for the UI and `doctor`. Also syncs the tracker's remote.

use super::{
    branch::{Tips, folder_of},
    committed,
    state::State,
};
use crate::{
    context::{
        Context, count,
        errors::{git_error, tracker_error},
    },
    settings,
};
use bc_beads::TrackerKind;
use bc_wire::{
    ApiError, ErrorCode,
    backup::*,
    doctor::{Check, CheckState},
};

pub(crate) fn status(ctx: &Context, params: BackupStatusParams) -> BackupStatus {
    let tracker = ctx.tracker();
    let kind = tracker.as_ref().ok().map(|tracker| tracker.kind());
    BackupStatus {
        local: LocalTier {
            tracker: kind.map_or("", TrackerKind::as_str).to_owned(),
            sessions: ctx.metas().map_or(0, |metas| count(metas.len())),
            problem: tracker.err().map(|error| error.message),
        },
        branch: branch_tier(ctx),
        tracker: tracker_tier(ctx, kind, params.tracker),
    }
}

fn branch_tier(ctx: &Context) -> BranchTier {
    let settings = settings::in_force(&ctx.project);
    let state = State::read(ctx);
    let mut tier = BranchTier {
        at_end: settings.backup_at_end,
        push: settings.backup_push,
        transcripts: settings.backup_transcripts,
        branch: bc_core::backup::BRANCH.to_owned(),
        last_at: state.last_at,
        commit: None,
        counts: None,
        remote: None,
        ahead: 0,
        behind: 0,
        last_push_at: state.last_push_at,
        push_error: state.push_error,
        problem: state.problem,
    };
    match from_git(ctx, &mut tier) {
        // Without a repository, no backups are made, which is not a failure.
        Err(error) if error.code != ErrorCode::NotARepository => {
            tier.problem.get_or_insert(error.message);
        }
        _ => {}
    }
    tier
}

fn from_git(ctx: &Context, tier: &mut BranchTier) -> Result<(), ApiError> {
    let repo = ctx.project.repo()?;
    let Tips { own, theirs, remote } = Tips::of(&repo)?;
    tier.remote = remote;
    match (&own, &theirs) {
        (Some(own), Some(theirs)) => {
            (tier.ahead, tier.behind) = repo.divergence(own, theirs).map_err(git_error)?
        }
        (Some(_), None) => tier.ahead = 1,
        (None, Some(_)) => tier.behind = 1,
        (None, None) => {}
    }
    if let Some(own) = own {
        let folder = folder_of(&ctx.project, &repo);
        tier.counts = committed::counts_of(&repo, &own, &folder)?;
        tier.commit = Some(own.as_str().to_owned());
    }
    Ok(())
}

fn tracker_tier(ctx: &Context, kind: Option<TrackerKind>, asked: bool) -> TrackerTier {
    let possible = kind == Some(TrackerKind::Bd);
    let mut tier = TrackerTier { possible, remotes: None, problem: None };
    if !possible || !asked {
        return tier;
    }
    match bc_beads::tracker_remotes(&ctx.project.root, &ctx.project.environment()) {
        Ok(found) => {
            let remote = |found: bc_beads::TrackerRemote| TrackerRemote { name: found.name, url: found.url };
            tier.remotes = found.map(|found| found.into_iter().map(remote).collect());
        }
        Err(error) => tier.problem = Some(tracker_error(error).message),
    }
    tier
}

pub(crate) fn sync_tracker(ctx: &Context, params: SyncTrackerParams) -> Result<TrackerSynced, ApiError> {
    let direction = match params.direction {
        SyncDirection::Push => bc_beads::Direction::Push,
        SyncDirection::Pull => bc_beads::Direction::Pull,
    };
    let environment = ctx.project.environment();
    let said = bc_beads::tracker_sync(&ctx.project.root, &environment, direction);
    Ok(TrackerSynced { said: said.map_err(tracker_error)? })
}

/// The results for `doctor`: the state of the branch and of the tracker's remote.
pub(crate) fn check(ctx: &Context) -> Vec<Check> {
    let status = status(ctx, BackupStatusParams { tracker: true });
    vec![of_branch(&status.branch), of_tracker(&status.tracker)]
}

fn of_branch(tier: &BranchTier) -> Check {
    let when = if tier.at_end { "when a session ends" } else { "only on request" };
    let mut found = match (&tier.last_at, &tier.commit) {
        (Some(at), Some(_)) => {
            format!("last made {} on the branch {}", at.format("%Y-%m-%d %H:%M"), tier.branch)
        }
        (None, Some(_)) => format!("on the branch {}, none created in this clone yet", tier.branch),
        (_, None) => "none yet".to_owned(),
    };
    found.push_str(&format!("; {when}"));
    match (&tier.remote, tier.ahead, tier.behind) {
        (None, ..) => found.push_str("; no remote to push it to"),
        (Some(remote), 0, 0) if tier.commit.is_some() => found.push_str(&format!("; {remote} has it")),
        (Some(remote), ahead, behind) => {
            found.push_str(&format!("; {ahead} ahead of {remote}, {behind} behind"));
        }
    }
    let trouble = tier.problem.as_ref().map(|problem| (problem, "retry with `beads-console backup`"));
    let trouble = trouble.or_else(|| {
        tier.push_error
            .as_ref()
            .map(|error| (error, "the next backup pushes again, or `beads-console backup --push`"))
    });
    let (state, hint) = match trouble {
        Some((what, hint)) => {
            found.push_str(&format!("\n{what}"));
            (CheckState::Warning, Some(hint.to_owned()))
        }
        None => (CheckState::Ok, None),
    };
    Check { name: "backup".to_owned(), state, found, hint }
}

fn of_tracker(tier: &TrackerTier) -> Check {
    let names = tier.remotes.iter().flatten().map(|remote| format!("{} ({})", remote.name, remote.url));
    let names: Vec<String> = names.collect();
    let found = match (tier.possible, names.is_empty()) {
        (false, _) => "this tracker has no remote".to_owned(),
        (true, true) => "none is set (`bd dolt remote add origin URL`)".to_owned(),
        (true, false) => names.join(", "),
    };
    let (state, found) = match &tier.problem {
        Some(problem) => (CheckState::Warning, problem.clone()),
        None => (CheckState::Ok, found),
    };
    Check { name: "tracker remote".to_owned(), state, found, hint: None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Fixture;

    #[test]
    fn a_project_without_data_has_no_failed_backup() {
        let fixture = Fixture::new();
        let tier = branch_tier(&fixture.ctx);
        assert_eq!((tier.problem, tier.push_error, tier.commit), (None, None, None));
    }
}
