//! The program that claude's hooks run. It passes claude's JSON to the session's host, and returns the host's
//! answer.
//!
//! Claude waits for this program, so the program does not wait for a missing host. Without a host, it
//! prints `{}`, which has no effect. For the status line, it prints nothing.

use crate::{
    frame::{self, Frame, FrameError},
    protocol::{Hello, PROTOCOL_VERSION, Role, Welcome},
    spec::SOCKET_VARIABLE,
};
use bc_claude::hooks::EventName;
use bc_process::socket::{self, Stream};
use std::{
    io::{self, Read, Write},
    path::Path,
    time::Duration,
};

/// The time limit for a host to accept the event.
const TAKEN_WITHIN: Duration = Duration::from_secs(5);

/// The time limit for an answer, except to permission requests and tool calls.
const ANSWERED_WITHIN: Duration = Duration::from_secs(20);

/// The time limit for an answer to a tool call, which the user's own hooks may check. Claude's own limit is
/// longer.
const DECIDED_WITHIN: Duration = Duration::from_secs(590);

/// The longest input that is passed on unchanged, in bytes. Very long tool results exceed it.
const INPUT_MAX: u64 = (frame::MAX - 1024) as u64;

/// The main function of the hidden hook command. Reads claude's JSON from `stdin` and prints the host's
/// answer. `event` and `index` come from the hook's command line. Without a host, the answer is `{}`.
pub fn relay(event: &str, index: usize, mut stdin: impl Read, mut stdout: impl Write) -> io::Result<()> {
    let mut input = Vec::new();
    stdin.by_ref().take(INPUT_MAX + 1).read_to_end(&mut input)?;
    let whole = input.len() as u64 <= INPUT_MAX;
    if !whole {
        // Claude is still writing, and would report a broken pipe as a failed hook.
        io::copy(&mut stdin, &mut io::sink())?;
        input = cut_down(&input);
    }
    let asked = std::env::var_os(SOCKET_VARIABLE).and_then(|path| {
        ask(Path::new(&path), event, index, input).unwrap_or_else(|error| {
            tracing::warn!(event, index, %error, "the session host did not take a hook event");
            None
        })
    });
    // The connection stays open until this program exits. Its end tells the host that claude has the answer,
    // and the host then answers the next SessionStart hook.
    let answer = asked.map_or(b"{}".to_vec(), |(answer, connection)| {
        std::mem::forget(connection);
        answer
    });
    // Claude displays the output of its status line, so the output must be empty.
    if event == EventName::StatusLine.as_str() {
        return Ok(());
    }
    stdout.write_all(&answer)?;
    stdout.write_all(b"\n")?;
    stdout.flush()
}

fn ask(
    path: &Path,
    event: &str,
    index: usize,
    input: Vec<u8>,
) -> Result<Option<(Vec<u8>, Stream)>, FrameError> {
    let mut stream = socket::connect(path).map_err(FrameError::Io)?;
    stream.set_write_timeout(Some(TAKEN_WITHIN)).map_err(FrameError::Io)?;
    stream.set_read_timeout(Some(TAKEN_WITHIN)).map_err(FrameError::Io)?;
    let hello = Hello { version: PROTOCOL_VERSION, role: Role::Hook { event: event.to_owned(), index } };
    frame::write(&mut stream, &Frame::control(&hello))?;
    let Some(welcome) = frame::read(&mut stream)? else { return Ok(None) };
    if !matches!(welcome.json()?, Welcome::Yes { .. }) {
        return Ok(None);
    }
    frame::write(&mut stream, &Frame { kind: frame::Kind::Control, payload: input })?;
    // A permission request waits for the user. Claude itself ends this process after its own timeout.
    let within = match event {
        "PermissionRequest" => None,
        "PreToolUse" => Some(DECIDED_WITHIN),
        _ => Some(ANSWERED_WITHIN),
    };
    stream.set_read_timeout(within).map_err(FrameError::Io)?;
    Ok(frame::read(&mut stream)?.map(|answer| (answer.payload, stream)))
}

/// Keeps only the short fields of an input that is too long for a frame. A field after the long ones, which
/// are a tool's input and result, may be lost. Claude 2.1.329 writes `tool_use_id` after them.
fn cut_down(input: &[u8]) -> Vec<u8> {
    const WANTED: [&str; 9] = [
        "session_id",
        "transcript_path",
        "hook_event_name",
        "prompt_id",
        "agent_id",
        "source",
        "trigger",
        "tool_name",
        "tool_use_id",
    ];
    let text = String::from_utf8_lossy(input);
    let mut fields = serde_json::Map::new();
    for name in WANTED {
        let key = format!("\"{name}\":");
        let value = text.find(&key).and_then(|at| {
            let rest = &text[at + key.len()..];
            serde_json::Deserializer::from_str(rest).into_iter::<serde_json::Value>().next()?.ok()
        });
        if let Some(value) = value {
            fields.insert(name.to_owned(), value);
        }
    }
    serde_json::Value::Object(fields).to_string().into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_host_the_answer_changes_nothing() {
        let mut out = Vec::new();
        relay("Stop", 0, &b"{\"hook_event_name\":\"Stop\"}"[..], &mut out).unwrap();
        assert_eq!(out, b"{}\n");
        assert!(ask(Path::new("/no/such/socket"), "Stop", 0, Vec::new()).is_err());
    }

    #[test]
    fn the_status_line_hook_prints_nothing() {
        let mut out = Vec::new();
        relay("StatusLine", 0, &b"{}"[..], &mut out).unwrap();
        assert_eq!(out, b"");
    }

    #[test]
    fn an_input_too_long_for_a_frame_keeps_the_fields_that_the_host_reads() {
        let long = "x".repeat(100);
        let input = format!(
            "{{\"session_id\":\"s\",\"hook_event_name\":\"PostToolUse\",\"tool_use_id\":\"t\",\"tool_input\":{{\"a\":\"{long}"
        );
        let cut: serde_json::Value = serde_json::from_slice(&cut_down(input.as_bytes())).unwrap();
        assert_eq!(
            cut,
            serde_json::json!({"session_id":"s","hook_event_name":"PostToolUse","tool_use_id":"t"})
        );
    }
}
