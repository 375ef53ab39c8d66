//! Starts a session's host at a place.

use super::{
    dolt_server,
    folders::ProjectFolders,
    follow, hooks,
    programs::{own_program, simulated_agent},
    sent_record::SentRecord,
    setup::Setup,
    symbolic_link,
};
use crate::{
    spec::{CheckpointId, DoltServer, NewRun},
    verbs::TRACKER,
};
use bc_claude::paths::{Env, Places};
use bc_core::{ids::BranchName, session::Status};
use bc_git::{ObjectId, Repo, WorktreeBranch};
use bc_host::{FailedPart, LaunchError, LaunchSpec};
use bc_store::{SessionLock, file};
use std::path::{Path, PathBuf};

/// The reason that the host could not be started.
pub(super) struct StartFailure {
    pub(super) reason: String,
    pub(super) part: FailedPart,
}

impl From<String> for StartFailure {
    fn from(reason: String) -> StartFailure {
        StartFailure { reason, part: FailedPart::Host }
    }
}

/// Starts the host in the session's worktree, after creating the worktree or fast-forwarding it to the pushed
/// commit.
pub(super) fn start(
    folders: &ProjectFolders,
    branch: &BranchName,
    run: NewRun,
    sent: SentRecord,
) -> Result<(), StartFailure> {
    let id = run.meta.id;
    let repo = folders.repository()?;
    if let Some(author) = &run.author {
        repo.use_author_if_none(author).map_err(|error| error.to_string())?;
    }
    let worktree = folders.worktree(id);
    release_branch(folders, &repo, branch, &worktree)?;
    let setup = run.setup.as_ref().map(|command| Setup::of(folders, id, command));
    if let Some(server) = &run.dolt_server {
        dolt_server::connect(folders, server)?;
    }
    let is_new = !has_files(&worktree);
    if let Some(setup) = &setup
        && is_new
    {
        setup.record_pending()?;
    }
    let unfilled = worktree.with_extension("unfilled");
    if run.checkpoint.is_some() && is_new {
        file::create_dir(worktree.parent().unwrap_or(&worktree)).map_err(|error| error.to_string())?;
        file::replace(&unfilled, b"").map_err(|error| error.to_string())?;
    }
    prepare(&repo, branch, &worktree)?;
    // A start that failed during this step is repeated.
    if let Some(checkpoint) = run.checkpoint.filter(|_| unfilled.exists()) {
        write_checkpoint_files(&repo, checkpoint, &worktree)?;
        file::remove(&unfilled).map_err(|error| error.to_string())?;
    }
    if let Some(setup) = &setup {
        setup.run_if_pending(&worktree).map_err(|reason| StartFailure { reason, part: FailedPart::Setup })?;
    }
    let lock = take_record(folders, &run, sent, &worktree)?;
    let facts = run.spec.hooks.as_ref().map(|setup| setup.facts.clone()).unwrap_or_default();
    let hooks = hooks::install(folders, id, &run.hooks, facts, &worktree)?;
    let spec = LaunchSpec {
        hooks: Some(hooks),
        ..localized(folders, run.spec, &worktree, run.dolt_server.as_ref())?
    };
    match bc_host::launch(&own_program()?, &spec, lock) {
        Ok(_) => Ok(()),
        Err(error) => {
            let part = match error {
                LaunchError::Program { .. } => FailedPart::Program,
                _ => FailedPart::Host,
            };
            Err(StartFailure { reason: error.to_string(), part })
        }
    }
}

/// Interrupts another session that has the branch checked out but no host, and detaches HEAD in its worktree.
/// The user's machine gives a branch to only one session, but may not have reached this place to report the
/// other session's end. The files in the other worktree are kept.
fn release_branch(
    folders: &ProjectFolders,
    repo: &Repo,
    branch: &BranchName,
    worktree: &Path,
) -> Result<(), String> {
    let text = |error: bc_git::GitError| error.to_string();
    let Some(other) = repo.worktree_of(branch).map_err(text)?.filter(|other| other != worktree) else {
        return Ok(());
    };
    let name = other.file_name().and_then(|name| name.to_str());
    let session = name.and_then(|name| name.parse().ok()).and_then(|id| folders.session(id));
    let Some((dir, _)) = session.filter(|(dir, _)| matches!(dir.try_lock(), Ok(Some(_)))) else {
        // Git then refuses the branch and reports the reason.
        return Ok(());
    };
    follow::end(folders, &dir)?;
    repo.at(&other).and_then(|other| other.detach_head()).map_err(text)
}

/// Creates the worktree if it is missing, and updates it to the pushed commit.
fn prepare(repo: &Repo, branch: &BranchName, worktree: &Path) -> Result<(), String> {
    let text = |error: bc_git::GitError| error.to_string();
    let pushed: ObjectId =
        repo.pushed_tip(branch).map_err(text)?.ok_or("the session's branch was not sent")?;
    if !has_files(worktree) {
        let parent = worktree.parent().ok_or("the worktree has no folder")?;
        file::create_dir(parent).map_err(|error| error.to_string())?;
        let added = match repo.branch_exists(branch).map_err(text)? {
            // An earlier session at this place may have left the branch at an older commit.
            true => WorktreeBranch::Existing(branch),
            false => WorktreeBranch::New { name: branch, base: pushed.as_str() },
        };
        repo.worktree_add(worktree, added).map_err(text)?;
    }
    // Uncommitted work, and commits that the link lacks, are kept. Claude is not notified.
    let moved = repo.update_worktree(worktree, branch, &pushed).map_err(text)?;
    tracing::info!(?moved, "the place's worktree follows the branch");
    Ok(())
}

/// Writes the checkpoint's files into the new worktree, if its HEAD is the checkpoint's commit.
fn write_checkpoint_files(repo: &Repo, from: CheckpointId, worktree: &Path) -> Result<(), String> {
    let text = |error: bc_git::GitError| error.to_string();
    let tree = repo.at(worktree).map_err(text)?;
    let Some(checkpoint) = tree.checkpoint(from.session, from.number).map_err(text)? else {
        return Err(format!(
            "checkpoint {} of session {} is missing at the place",
            from.number,
            from.session.short()
        ));
    };
    let head = tree.head().map_err(text)?.commit;
    if head.as_deref() == checkpoint.head.as_ref().map(ObjectId::as_str) {
        let skipped = tree.fill_from_checkpoint(&checkpoint).map_err(text)?;
        if !skipped.is_empty() {
            tracing::warn!(?skipped, "files of the checkpoint were not written");
        }
    } else {
        tracing::warn!("the branch has other commits than the checkpoint, whose files are not written");
    }
    Ok(())
}

fn has_files(worktree: &Path) -> bool {
    worktree.join(".git").exists()
}

/// Saves the session's record with this place's working folder. Returns the session's lock.
fn take_record(
    folders: &ProjectFolders,
    run: &NewRun,
    sent: SentRecord,
    worktree: &Path,
) -> Result<SessionLock, String> {
    let mut meta = run.meta.clone();
    meta.cwd = Some(worktree.display().to_string());
    let text = |error: bc_store::StoreError| error.to_string();
    let store = folders.store()?;
    let Some((dir, known)) = folders.session(meta.id) else {
        let lock = store.create(&meta).map_err(text)?;
        sent.move_into(&lock)?;
        lock.save_recovery(&run.stores).map_err(text)?;
        return Ok(lock);
    };
    let busy = || "the session already runs at this place".to_owned();
    let lock = dir.try_lock().map_err(text)?.ok_or_else(busy)?;
    if known.status != Status::Active {
        // Only this place's record has the paths of this machine's transcripts.
        for conversation in &mut meta.claude_sessions {
            let recorded = known.claude_sessions.iter().find(|one| one.id == conversation.id);
            conversation.transcript_path = recorded.and_then(|one| one.transcript_path.clone());
        }
    }
    lock.save_recovery(&run.stores).map_err(text)?;
    lock.save_meta(&meta).map_err(text)?;
    Ok(lock)
}

/// The launch specification with this machine's paths and programs. The place's own bd uses the Dolt server, if
/// given; otherwise, the user's machine runs bd.
fn localized(
    folders: &ProjectFolders,
    spec: LaunchSpec,
    worktree: &Path,
    dolt_server: Option<&DoltServer>,
) -> Result<LaunchSpec, String> {
    let env = Env::of_process();
    let simulated_config = folders.beads_dir().join("sessions").join(".simulated");
    let places = match spec.simulated {
        true => Some(Places {
            state_file: simulated_config.join(".claude.json"),
            config_dir: simulated_config.clone(),
        }),
        false => Places::of(&env),
    };
    let program = if spec.simulated { simulated_agent()? } else { spec.program.clone() };
    let mut vars = spec.env.clone();
    let text = |path: &Path| Some(path.display().to_string());
    let mut set = |name: &str, value: Option<String>| {
        vars.retain(|(known, _)| known != name);
        vars.push((name.to_owned(), value));
    };
    set("BEADS_DIR", text(&folders.beads_dir()));
    set("BEADS_CONSOLE_PROJECT", text(folders.root()));
    if spec.simulated {
        set("CLAUDE_CONFIG_DIR", text(&simulated_config));
    }
    // Claude's hooks use this program's name without a folder, so its folder is added to PATH.
    let own = own_program()?;
    let inherited = env.get("PATH".as_ref()).map(std::env::split_paths).into_iter().flatten();
    let tools = match dolt_server {
        None => Some(tracker_link(folders, &own)?),
        Some(server) => {
            for (name, value) in dolt_server::variables(server) {
                set(name, value);
            }
            None
        }
    };
    let paths = own.parent().map(PathBuf::from).into_iter().chain(tools).chain(inherited);
    let paths = std::env::join_paths(paths).map_err(|error| error.to_string())?;
    set("PATH", Some(paths.to_string_lossy().into_owned()));
    Ok(LaunchSpec {
        beads_dir: folders.beads_dir(),
        project_root: folders.root().to_owned(),
        cwd: worktree.to_owned(),
        program,
        env: vars,
        socket: bc_host::socket_path(spec.session).map_err(|error| error.to_string())?,
        transcript: places.map(|places| places.transcript(worktree, spec.conversation)),
        // This program sends the requests to the user's machine, which has the settings and reaches the beads.
        console: Some(own),
        bead_paths: Vec::new(),
        at_place: true,
        ..spec
    })
}

/// Creates the folder with a `bd` link to this program, which runs bd on the user's machine. Returns the
/// folder's path.
fn tracker_link(folders: &ProjectFolders, own: &Path) -> Result<PathBuf, String> {
    let folder = folders.root().join("bin");
    file::create_dir(&folder).map_err(|error| error.to_string())?;
    let link = folder.join(TRACKER);
    // After an update, this program may be in another folder.
    if std::fs::read_link(&link).ok().as_deref() != Some(own) {
        let _ = std::fs::remove_file(&link);
        symbolic_link::create(own, &link).map_err(|error| format!("{}: {error}", link.display()))?;
    }
    Ok(folder)
}
