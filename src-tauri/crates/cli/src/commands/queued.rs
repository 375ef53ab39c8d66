//! `session send` and `session queued`: sends claude a prompt, and changes a queued one.

use super::{Context, session_lookup::resolve_session};
use crate::{
    args::{QueuedArgs, SessionKey, Text},
    failure::Failure,
    output::session,
};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use bc_core::ids::SessionId;
use bc_wire::session::{
    AttachParams, Delivery, HeldTextRef, QueuedEditParams, QueuedMoveParams, SessionSendParams,
};
use std::path::{Path, PathBuf};

/// The maximum size in bytes of an attached file; the engine has the same limit.
const FILE_MAX: u64 = 10 << 20;

pub(super) fn send(
    key: &SessionKey,
    text: Text,
    files: &[PathBuf],
    context: &mut Context<'_>,
) -> Result<(), Failure> {
    let mut text = context.read(text)?;
    if text.trim().is_empty() && files.is_empty() {
        return Err(Failure::usage("no text to send"));
    }
    let id = resolve_session(key, context)?.id;
    let short = id.short();
    for file in files.iter().rev() {
        text = format!("{} {text}", attach(id, file, context)?);
    }
    let sent = context.api.session_send(SessionSendParams { id, text })?;
    context.print(&sent, |sent, _| match (sent.delivery, &sent.reason) {
        (Delivery::Sent, _) => "sent\n".to_owned(),
        (Delivery::Held, None) => "queued until claude is at its prompt\n".to_owned(),
        (Delivery::Held, Some(reason)) => format!("queued: {}\n", bc_core::text::plain(reason)),
        (Delivery::Unconfirmed, _) => {
            format!("typed, but claude did not confirm it\n  beads-console session show {short}\n")
        }
    })
}

/// Stores a copy of the file with the session and returns its mention, which goes into the text.
fn attach(id: SessionId, file: &Path, context: &mut Context<'_>) -> Result<String, Failure> {
    let shown = file.display();
    let unreadable = |error: std::io::Error| Failure::usage(format!("cannot read {shown}: {error}"));
    let length = std::fs::metadata(file).map_err(unreadable)?.len();
    if length > FILE_MAX {
        let text = format!("{shown} has {} MiB; at most 10 MiB can be attached", length.div_ceil(1 << 20));
        return Err(Failure::usage(text));
    }
    let bytes = std::fs::read(file).map_err(unreadable)?;
    let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let params = AttachParams { id, name, data: STANDARD.encode(bytes) };
    Ok(context.api.session_attach(params)?.mention)
}

pub(super) fn change(args: QueuedArgs, context: &mut Context<'_>) -> Result<(), Failure> {
    let id = resolve_session(&args.held.session.id, context)?.id;
    let held = args.held.text;
    let shown = match (args.text, args.before) {
        (Some(text), _) => {
            let content = context.read(text)?;
            context.api.session_edit_queued(QueuedEditParams { id, text: held, content })?
        }
        (None, None) if args.now => context.api.session_send_now(HeldTextRef { id, text: held })?,
        (None, before) => context.api.session_move_queued(QueuedMoveParams { id, text: held, before })?,
    };
    context.print(&shown, session::line)
}

#[cfg(test)]
mod tests {
    use crate::test_doubles::{self, FakeProject, FakeUser, Ran};
    use serde_json::{Value, json};
    use std::io::Write as _;

    const ID: &str = "00000001-0000-4000-8000-000000000000";

    fn run(line: &[&str]) -> Ran {
        let session = test_doubles::session(1);
        let mut fake = FakeProject::new().answers("session.send", json!({"delivery": "sent"}));
        for method in ["session.edit_queued", "session.move_queued", "session.send_now"] {
            fake = fake.answers(method, &session);
        }
        let attached = json!({"mention": "@/s/a.txt", "path": "/s/a.txt", "bytes": 4});
        fake.answers("session.attach", attached).run(line, FakeUser::away())
    }

    #[test]
    fn a_queued_text_is_changed_moved_or_sent_now() {
        let cases: [(&[&str], &str, Value); 4] = [
            (&["--text", "- new"], "session.edit_queued", json!({"id": ID, "text": "h", "content": "- new"})),
            (&["--before", "x"], "session.move_queued", json!({"id": ID, "text": "h", "before": "x"})),
            (&["--last"], "session.move_queued", json!({"id": ID, "text": "h", "before": null})),
            (&["--now"], "session.send_now", json!({"id": ID, "text": "h"})),
        ];
        for (options, method, params) in cases {
            let ran = run(&[&["session", "queued", ID, "h"], options].concat());
            assert_eq!((ran.code, ran.calls), (0, vec![(method, params)]), "{}", ran.err);
        }
        for options in [&[][..], &["--now", "--last"]] {
            let ran = run(&[&["session", "queued", ID, "h"], options].concat());
            assert_eq!((ran.code, ran.calls.len()), (2, 0));
        }
    }

    #[test]
    fn a_file_is_attached_before_its_text_is_sent() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(b"data").unwrap();
        let path = file.path().to_str().unwrap();
        let ran = run(&["session", "send", ID, "read it", "--attach", path]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert_eq!((ran.calls[0].0, &ran.calls[0].1["data"]), ("session.attach", &json!("ZGF0YQ==")));
        assert_eq!(ran.calls[1].1["text"], "@/s/a.txt read it");
    }

    #[test]
    fn a_missing_or_oversized_file_is_refused_before_anything_is_sent() {
        let file = tempfile::NamedTempFile::new().unwrap();
        file.as_file().set_len(50 << 20).unwrap();
        let ran = run(&["session", "send", ID, "x", "--attach", file.path().to_str().unwrap()]);
        assert_eq!((ran.code, ran.calls.len()), (2, 0));
        assert!(ran.err.contains("50 MiB"), "{}", ran.err);
        let ran = run(&["session", "send", ID, "x", "--attach", "/none/at/all"]);
        assert_eq!((ran.code, ran.calls.len()), (2, 0));
    }
}
