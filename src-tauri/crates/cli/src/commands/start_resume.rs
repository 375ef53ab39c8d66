//! `session start` and `session resume`.

use super::{Context, Next, session_lookup::resolve_session};
use crate::{
    args::{ResumeArgs, StartArgs},
    failure::Failure,
    output::{session, session_resume},
};
use bc_wire::{
    ApiError, ErrorCode,
    session::{ContextChoice, FolderChoice, SessionResumeParams, SessionStartParams, SessionStarted},
};

pub(super) fn start(args: StartArgs, context: &mut Context<'_>) -> Result<Next, Failure> {
    needs_terminal(args.attach, "--attach", context)?;
    let folder = match (args.worktree, args.no_worktree) {
        (true, _) => FolderChoice::Worktree,
        (_, true) => FolderChoice::Repository,
        (false, false) => FolderChoice::Auto,
    };
    let with_pack = args.context || args.pack.chosen();
    if let Some(place) = &args.place {
        // The call returns only when claude is starting at the place.
        context.note(&format!(
            "Starting at {place}. If the repository or an image must be copied to it first, this takes longer."
        ))?;
    }
    let started = context.api.session_start(SessionStartParams {
        bead_id: args.bead,
        title: args.title,
        objective: args.objective,
        branch: args.branch,
        agent: args.agent,
        mode: args.mode,
        model: args.model,
        prompt: args.prompt.map(|text| context.read_trimmed(text)).transpose()?,
        folder,
        context: if with_pack { ContextChoice::Automatic } else { ContextChoice::None },
        pack: args.pack.request(),
        simulated: args.simulated,
        size: context.io.terminal(),
        runner: args.runner,
        place: args.place,
        at_once: false,
    })?;
    print_started(&started, "started", args.attach, context)
}

pub(super) fn resume(args: ResumeArgs, context: &mut Context<'_>) -> Result<Next, Failure> {
    needs_terminal(args.attach, "--attach", context)?;
    needs_terminal(args.edit, "--edit", context)?;
    let which = resolve_session(&args.session.id, context)?;
    if args.preview {
        let preview = context.api.session_resume_preview(which)?;
        context.print_warned(&preview, &preview.warnings, session_resume::preview)?;
        return Ok(Next::Done);
    }
    let prompt = match args.edit {
        false => args.prompt.map(|text| context.read_trimmed(text)).transpose()?,
        true => {
            let preview = context.api.session_resume_preview(which)?;
            let decided = args.anyway || args.reclaim || args.place.is_some();
            if !preview.obstacles.is_empty() && !decided {
                // Fail before the user edits the prompt.
                let messages: Vec<&str> = preview.obstacles.iter().map(|o| o.message.as_str()).collect();
                return Err(ApiError::new(ErrorCode::ConfirmationNeeded, messages.join("; "))
                    .hint("decide with --anyway, --reclaim or --place; --preview shows details")
                    .into());
            }
            context.warn(&preview.warnings)?;
            let edited = context.io.edit(&preview.prompt)?.trim().to_owned();
            if edited.is_empty() {
                context.note("The prompt is empty: the session stays unchanged.")?;
                return Ok(Next::Done);
            }
            Some(edited)
        }
    };
    let resumed = context.api.session_resume(SessionResumeParams {
        id: which.id,
        prompt,
        size: context.io.terminal(),
        anyway: args.anyway,
        reclaim: args.reclaim,
        place: args.place,
    })?;
    print_started(&resumed, "resumed", args.attach, context)
}

/// Prints the started, resumed or forked session. With `attach`, the caller opens its terminal next.
pub(super) fn print_started(
    started: &SessionStarted,
    verb: &str,
    attach: bool,
    context: &mut Context<'_>,
) -> Result<Next, Failure> {
    context.print(started, |started, style| session::started(&started.session, verb, style))?;
    context.warn(&started.warnings)?;
    Ok(if attach { Next::Attach(started.session.meta.id) } else { Next::Done })
}

/// Fails if the option is used without a terminal. Called before the first change, so that a failed command
/// has no effect.
pub(super) fn needs_terminal(wanted: bool, option: &str, context: &Context<'_>) -> Result<(), Failure> {
    if wanted && context.io.terminal().is_none() {
        return Err(Failure::usage(format!("{option} needs a terminal on standard input and output")));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::{
        commands::Next,
        test_doubles::{self, FakeProject, FakeUser, Ran},
    };
    use serde_json::json;

    const ID: &str = "00000001-0000-4000-8000-000000000000";

    fn start(options: &[&str], user: FakeUser) -> Ran {
        let line: Vec<&str> = ["session", "start"].iter().chain(options).copied().collect();
        let started = json!({"session": test_doubles::session(1), "warnings": ["hooks are silent"]});
        FakeProject::new().answers("session.start", started).run(&line, user)
    }

    #[test]
    fn start_passes_all_options() {
        let line = "--bead BC-1 --branch fix/x --agent reviewer --mode accept-edits --model opus --prompt go \
                    --worktree --title T --objective O --runner box";
        let ran = start(&line.split_whitespace().collect::<Vec<_>>(), FakeUser::away());
        let params = json!({
            "bead_id": "BC-1", "title": "T", "objective": "O", "branch": "fix/x", "agent": "reviewer",
            "mode": "acceptEdits", "model": "opus", "prompt": "go", "folder": "worktree", "context": "none",
            "pack": {"budget": null, "template": null, "add": [], "remove": [], "pin": [], "only": null},
            "simulated": false, "size": null, "runner": "box", "place": null, "at_once": false,
        });
        assert_eq!(ran.calls, [("session.start", params)]);
        assert!(ran.out.contains("session attach 00000001"), "{}", ran.out);
        assert_eq!(ran.err, "warning: hooks are silent\n");
    }

    #[test]
    fn permission_mode_defaults_to_manual() {
        let params = &start(&[], FakeUser::says("")).calls[0].1;
        assert_eq!((&params["mode"], &params["folder"]), (&json!("manual"), &json!("auto")));
        assert_eq!(params["size"], json!([80, 24]));
    }

    #[test]
    fn conflicting_options_are_usage_errors() {
        for bad in
            [&["--worktree", "--no-worktree"][..], &["--mode", "yolo"], &["--bead", "../x"], &["--attach"]]
        {
            let ran = start(bad, FakeUser::away());
            assert_eq!((ran.code, ran.calls.len()), (2, 0), "{bad:?}: {}", ran.err);
        }
    }

    #[test]
    fn a_place_is_passed_and_excludes_a_runner() {
        let params = &start(&["--on", "far"], FakeUser::away()).calls[0].1;
        assert_eq!(params["place"], "far");
        for bad in [&["--on", "far", "--runner", "box"][..], &["--on", "far", "--no-worktree"]] {
            assert_eq!(start(bad, FakeUser::away()).code, 2, "{bad:?}");
        }
    }

    #[test]
    fn start_can_attach_immediately() {
        assert_eq!(start(&["--attach"], FakeUser::says("")).next, Some(Next::Attach(ID.parse().unwrap())));
    }

    fn resume(options: &[&str], user: FakeUser) -> Ran {
        let line: Vec<&str> = ["session", "resume", ID].iter().chain(options).copied().collect();
        FakeProject::new()
            .answers(
                "session.resume_preview",
                json!({
                    "prompt": "You are resuming", "warnings": ["the bead is closed"],
                    "folder": {"cwd": "/p", "worktree": false}, "conversation": "continues",
                }),
            )
            .answers("session.resume", json!({"session": test_doubles::session(1)}))
            .run(&line, user)
    }

    #[test]
    fn resume_sends_the_edited_prompt() {
        let ran = resume(&["--edit"], FakeUser::edits("You are resuming, carefully\n"));
        assert_eq!(ran.edited.as_deref(), Some("You are resuming"));
        assert_eq!(ran.calls[1].1["prompt"], "You are resuming, carefully");
        assert_eq!(ran.err, "warning: the bead is closed\n");
    }

    #[test]
    fn emptied_prompt_cancels_resume() {
        let ran = resume(&["--edit"], FakeUser::edits("\n \n"));
        assert_eq!((ran.code, ran.calls.len()), (0, 1));
        assert!(ran.err.contains("stays unchanged"), "{}", ran.err);
    }

    #[test]
    fn edit_needs_a_terminal() {
        let ran = resume(&["--edit"], FakeUser::away());
        assert_eq!((ran.code, ran.calls.len()), (2, 0));
    }

    #[test]
    fn resume_without_prompt_leaves_it_to_the_engine() {
        assert_eq!(resume(&[], FakeUser::away()).calls[0].1["prompt"], json!(null));
        assert_eq!(resume(&["--prompt", ""], FakeUser::away()).calls[0].1["prompt"], "");
    }

    #[test]
    fn resume_decisions_are_options() {
        let params = &resume(&["--reclaim", "--place", "stay"], FakeUser::away()).calls[0].1;
        assert_eq!(
            (&params["anyway"], &params["reclaim"], &params["place"]),
            (&json!(false), &json!(true), &json!("stay"))
        );
        assert_eq!(resume(&["--anyway"], FakeUser::away()).calls[0].1["anyway"], true);
        assert_eq!(resume(&["--place", "home"], FakeUser::away()).code, 2);
    }

    #[test]
    fn preview_does_not_resume() {
        let ran = resume(&["--preview"], FakeUser::away());
        assert_eq!(ran.calls.len(), 1);
        assert!(ran.out.contains("You are resuming"), "{}", ran.out);
        assert_eq!(resume(&["--preview", "--anyway"], FakeUser::away()).code, 2);
    }
}
