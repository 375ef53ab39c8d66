//! `session start` and `session resume`.

use super::{Context, Next, resolve::one_of};
use crate::{
    args::{ResumeArgs, StartArgs, Text},
    failure::Failure,
    output::{resuming, session},
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
    let started = context.api.session_start(SessionStartParams {
        bead_id: args.bead,
        title: args.title,
        objective: args.objective,
        branch: args.branch,
        agent: args.agent,
        mode: args.mode,
        model: args.model,
        prompt: given(args.prompt, context)?,
        folder,
        context: if args.context { ContextChoice::Automatic } else { ContextChoice::None },
        simulated: args.simulated,
        size: context.io.terminal(),
        runner: args.runner,
    })?;
    done(&started, "started", args.attach, context)
}

pub(super) fn resume(args: ResumeArgs, context: &mut Context<'_>) -> Result<Next, Failure> {
    needs_terminal(args.attach, "--attach", context)?;
    needs_terminal(args.edit, "--edit", context)?;
    let which = one_of(&args.session.id, context)?;
    if args.preview {
        let preview = context.api.session_resume_preview(which)?;
        context.print(&preview, resuming::preview)?;
        context.warn(&preview.warnings)?;
        return Ok(Next::Done);
    }
    let params = |prompt, size| SessionResumeParams {
        id: which.id,
        prompt,
        size,
        anyway: args.anyway,
        reclaim: args.reclaim,
        place: args.place,
    };
    let prompt = match args.edit {
        false => given(args.prompt, context)?,
        true => {
            let preview = context.api.session_resume_preview(which)?;
            let decided = args.anyway || args.reclaim || args.place.is_some();
            if !preview.obstacles.is_empty() && !decided {
                // Before anybody writes a prompt for nothing.
                let said: Vec<&str> = preview.obstacles.iter().map(|o| o.message.as_str()).collect();
                return Err(ApiError::new(ErrorCode::ConfirmationNeeded, said.join("; "))
                    .hint("decide it with --anyway, --reclaim or --place; --preview says more")
                    .into());
            }
            context.warn(&preview.warnings)?;
            let edited = context.io.edit(&preview.prompt)?.trim().to_owned();
            if edited.is_empty() {
                context.note("The prompt was emptied: the session stays as it was.")?;
                return Ok(Next::Done);
            }
            Some(edited)
        }
    };
    let resumed = context.api.session_resume(params(prompt, context.io.terminal()))?;
    done(&resumed, "resumed", args.attach, context)
}

fn done(
    started: &SessionStarted,
    verb: &str,
    attach: bool,
    context: &mut Context<'_>,
) -> Result<Next, Failure> {
    context.print(started, |started, looks| session::started(&started.session, verb, looks))?;
    context.warn(&started.warnings)?;
    Ok(match attach {
        true => Next::Attach(started.session.meta.id),
        false => Next::Done,
    })
}

/// Said before anything is done: a session that was started for nobody's eyes helps nobody.
fn needs_terminal(wanted: bool, option: &str, context: &Context<'_>) -> Result<(), Failure> {
    match wanted && context.io.terminal().is_none() {
        true => Err(Failure::usage(format!("{option} needs a terminal on standard input and output"))),
        false => Ok(()),
    }
}

fn given(prompt: Option<Text>, context: &mut Context<'_>) -> Result<Option<String>, Failure> {
    Ok(match prompt {
        None => None,
        Some(Text::Given(text)) => Some(text),
        Some(Text::Stdin) => Some(context.io.read_text()?.trim_end().to_owned()),
    })
}

#[cfg(test)]
mod tests {
    use crate::{
        commands::Next,
        fake::{self, Fake, Person, Ran},
    };
    use serde_json::json;

    const ID: &str = "00000001-0000-4000-8000-000000000000";

    fn start(options: &[&str], person: Person) -> Ran {
        let line: Vec<&str> = ["session", "start"].iter().chain(options).copied().collect();
        let started = json!({"session": fake::session(1), "warnings": ["hooks are silent"]});
        Fake::new().answers("session.start", started).run(&line, person)
    }

    #[test]
    fn a_session_starts_on_a_bead_with_everything_said() {
        let line = "--bead BC-1 --branch fix/x --agent reviewer --mode accept-edits --model opus --prompt go \
                    --worktree --title T --objective O --runner box";
        let ran = start(&line.split_whitespace().collect::<Vec<_>>(), Person::away());
        let params = json!({
            "bead_id": "BC-1", "title": "T", "objective": "O", "branch": "fix/x", "agent": "reviewer",
            "mode": "acceptEdits", "model": "opus", "prompt": "go", "folder": "worktree", "context": "none",
            "simulated": false, "size": null, "runner": "box",
        });
        assert_eq!(ran.calls, [("session.start", params)]);
        assert!(ran.out.contains("session attach 00000001"), "{}", ran.out);
        assert_eq!(ran.err, "warning: hooks are silent\n");
    }

    #[test]
    fn a_session_asks_before_everything_unless_said_otherwise() {
        let params = &start(&[], Person::says("")).calls[0].1;
        assert_eq!((&params["mode"], &params["folder"]), (&json!("manual"), &json!("auto")));
        assert_eq!(params["size"], json!([80, 24]));
    }

    #[test]
    fn what_contradicts_itself_is_refused_before_anything_is_done() {
        for bad in
            [&["--worktree", "--no-worktree"][..], &["--mode", "yolo"], &["--bead", "../x"], &["--attach"]]
        {
            let ran = start(bad, Person::away());
            assert_eq!((ran.code, ran.calls.len()), (2, 0), "{bad:?}: {}", ran.err);
        }
    }

    #[test]
    fn attaching_follows_the_start() {
        assert_eq!(start(&["--attach"], Person::says("")).next, Some(Next::Attach(ID.parse().unwrap())));
    }

    fn resume(options: &[&str], person: Person) -> Ran {
        let line: Vec<&str> = ["session", "resume", ID].iter().chain(options).copied().collect();
        Fake::new()
            .answers(
                "session.resume_preview",
                json!({
                    "prompt": "You are resuming", "warnings": ["the bead is closed"],
                    "folder": {"cwd": "/p", "worktree": false}, "conversation": "continues",
                }),
            )
            .answers("session.resume", json!({"session": fake::session(1)}))
            .run(&line, person)
    }

    #[test]
    fn a_resume_sends_what_the_editor_left() {
        let ran = resume(&["--edit"], Person::edits("You are resuming, carefully\n"));
        assert_eq!(ran.edited.as_deref(), Some("You are resuming"));
        assert_eq!(ran.calls[1].1["prompt"], "You are resuming, carefully");
        assert_eq!(ran.err, "warning: the bead is closed\n");
    }

    #[test]
    fn an_emptied_prompt_cancels_the_resume() {
        let ran = resume(&["--edit"], Person::edits("\n \n"));
        assert_eq!((ran.code, ran.calls.len()), (0, 1));
        assert!(ran.err.contains("stays as it was"), "{}", ran.err);
    }

    #[test]
    fn editing_needs_a_terminal() {
        let ran = resume(&["--edit"], Person::away());
        assert_eq!((ran.code, ran.calls.len()), (2, 0));
    }

    #[test]
    fn a_resume_without_a_prompt_of_its_own_leaves_it_to_the_engine() {
        assert_eq!(resume(&[], Person::away()).calls[0].1["prompt"], json!(null));
        assert_eq!(resume(&["--prompt", ""], Person::away()).calls[0].1["prompt"], "");
    }

    #[test]
    fn what_has_to_be_decided_is_decided_by_options() {
        let params = &resume(&["--reclaim", "--place", "stay"], Person::away()).calls[0].1;
        assert_eq!(
            (&params["anyway"], &params["reclaim"], &params["place"]),
            (&json!(false), &json!(true), &json!("stay"))
        );
        assert_eq!(resume(&["--anyway"], Person::away()).calls[0].1["anyway"], true);
        assert_eq!(resume(&["--place", "home"], Person::away()).code, 2);
    }

    #[test]
    fn a_preview_resumes_nothing() {
        let ran = resume(&["--preview"], Person::away());
        assert_eq!(ran.calls.len(), 1);
        assert!(ran.out.contains("You are resuming"), "{}", ran.out);
        assert_eq!(resume(&["--preview", "--anyway"], Person::away()).code, 2);
    }
}
