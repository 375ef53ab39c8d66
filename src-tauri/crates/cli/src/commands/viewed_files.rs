//! `session viewed`: which changed files of a session the user has viewed.

use super::{Context, session_lookup::resolve_session};
use crate::{args::ViewedArgs, failure::Failure, output::changes};
use bc_wire::{
    ApiError, ErrorCode,
    diff::FileDiff,
    session::{SessionChangesParams, SetViewedParams},
};

/// Marks or unmarks the selected files, and lists all changed files.
pub(super) fn viewed(args: &ViewedArgs, context: &mut Context<'_>) -> Result<(), Failure> {
    if args.undo && !args.all && args.files.is_empty() {
        return Err(Failure::usage("name the files to unmark, or give --all"));
    }
    let session = resolve_session(&args.session.id, context)?;
    let id = session.id;
    let files = context.api.session_changes(SessionChangesParams { id, ignore_space: false })?.files;
    let mut viewed = context.api.session_viewed(session)?;
    let mut marks = Vec::new();
    match (args.all, args.undo) {
        (true, true) => marks.extend(viewed.files.keys().map(|path| (path.clone(), None))),
        (true, false) => {
            let known = files.iter().filter(|file| file.content.is_some());
            marks.extend(known.map(|file| (file.path.clone(), file.content.clone())));
        }
        (false, _) => {}
    }
    for path in &args.files {
        // The mark of a file that is no longer changed can still be removed.
        let content = match args.undo && viewed.files.contains_key(path) {
            true => None,
            false => Some(content_of(&files, path)?),
        };
        marks.push((path.clone(), content));
    }
    for (path, content) in marks {
        let content = content.filter(|_| !args.undo);
        viewed = context.api.session_set_viewed(SetViewedParams { id, path, content })?;
    }
    context.print(&viewed, |viewed, style| changes::viewed(&files, viewed, style))
}

fn content_of(files: &[FileDiff], path: &str) -> Result<String, ApiError> {
    let refused = |why: &str| {
        let text = format!("{}: {why}", bc_core::text::one_line(path));
        ApiError::new(ErrorCode::Usage, text).hint("`beads-console session changes ID` names the files")
    };
    let file = files.iter().find(|file| file.path == path);
    let file = file.ok_or_else(|| refused("not a changed file of the session"))?;
    file.content.clone().ok_or_else(|| refused("later changes to it cannot be detected, so it is not marked"))
}

#[cfg(test)]
mod tests {
    use crate::test_doubles::{FakeProject, FakeUser, Ran};
    use bc_wire::{
        diff::{DiffChange, FileDiff},
        session::{ChangesOf, SessionChanges, SessionViewed},
    };
    use serde_json::{Value, json};

    const ID: &str = "00000001-0000-4000-8000-000000000000";

    fn file(path: &str, content: Option<&str>) -> FileDiff {
        FileDiff {
            path: path.to_owned(),
            from: None,
            change: DiffChange::Modified,
            added: Some(1),
            removed: Some(2),
            diff: String::new(),
            cut: false,
            content: content.map(str::to_owned),
        }
    }

    fn run(line: &[&str]) -> Ran {
        let changes = SessionChanges {
            of: ChangesOf::Folder,
            base: None,
            base_branch: None,
            commits: Vec::new(),
            files: vec![
                file("a", Some("1..2")),
                file("b", Some("1..3")),
                file("c", None),
                file("d", Some("1..4")),
            ],
            cut: false,
            uncommitted: Vec::new(),
            before: Vec::new(),
            notes: Vec::new(),
        };
        let marks = [("a", "1..2"), ("b", "1..1"), ("gone", "1..9")];
        let viewed = SessionViewed { files: marks.map(|(path, of)| (path.to_owned(), of.to_owned())).into() };
        let fake = FakeProject::new().answers("session.changes", changes);
        let fake = fake.answers("session.viewed", &viewed).answers("session.set_viewed", viewed);
        fake.run(&[&["session", "viewed", ID], line].concat(), FakeUser::away())
    }

    /// Each path whose mark was set or removed, with the recorded content or `null`.
    fn marked(ran: &Ran) -> Vec<(&str, &Value)> {
        let set = ran.calls.iter().filter(|(method, _)| *method == "session.set_viewed");
        set.map(|(_, params)| (params["path"].as_str().unwrap(), &params["content"])).collect()
    }

    #[test]
    fn viewed_without_a_file_lists_marks_and_changes() {
        let ran = run(&[]);
        assert_eq!((ran.code, marked(&ran)), (0, vec![]));
        let lines: Vec<_> = ran.out.lines().collect();
        assert_eq!(lines[..2], ["viewed   M a +1 -2", "changed  M b +1 -2"]);
        assert_eq!(
            lines[2..],
            ["-        M c +1 -2", "-        M d +1 -2", "", "1 of 3 viewed, 1 changed since"]
        );
    }

    #[test]
    fn viewed_marks_named_files_or_all() {
        assert_eq!(marked(&run(&["b", "d"])), [("b", &json!("1..3")), ("d", &json!("1..4"))]);
        let all = [("a", &json!("1..2")), ("b", &json!("1..3")), ("d", &json!("1..4"))];
        assert_eq!(marked(&run(&["--all"])), all);
    }

    #[test]
    fn viewed_undo_accepts_files_no_longer_changed() {
        assert_eq!(marked(&run(&["--undo", "a", "gone"])), [("a", &Value::Null), ("gone", &Value::Null)]);
        let all = run(&["--undo", "--all"]);
        assert_eq!(marked(&all), [("a", &Value::Null), ("b", &Value::Null), ("gone", &Value::Null)]);
    }

    #[test]
    fn viewed_rejects_invalid_files_without_marking_any() {
        for (line, message) in
            [(&["a", "nothing"][..], "nothing: not a changed file"), (&["c"], "c: later changes")]
        {
            let ran = run(line);
            assert_eq!((ran.code, marked(&ran)), (2, vec![]));
            assert!(ran.err.contains(message), "{}", ran.err);
        }
        assert_eq!(run(&["--all", "a"]).code, 2);
        assert_eq!(run(&["--undo"]).code, 2);
    }
}
