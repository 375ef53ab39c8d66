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
use serde_json::{Map, Value};
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

/// The length of the part of a longer input that is read for the fields at its end, in bytes, and the maximum length
/// of a text in the tool's input that is kept.
const END: usize = 64 << 10;

const TOOL_INPUT: &str = "\"tool_input\":{";

/// The main function of the hidden hook command. Reads claude's JSON from `stdin` and prints the host's
/// answer. `event` and `index` come from the hook's command line. Without a host, the answer is `{}`.
pub fn relay(event: &str, index: usize, mut stdin: impl Read, mut stdout: impl Write) -> io::Result<()> {
    let mut input = Vec::new();
    stdin.by_ref().take(INPUT_MAX + 1).read_to_end(&mut input)?;
    let whole = input.len() as u64 <= INPUT_MAX;
    if !whole {
        // Claude is still writing, and would report a broken pipe as a failed hook.
        let end = read_end(&input, &mut stdin)?;
        input = cut_down(&input, &end);
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

/// Reads to the end. Returns the last part of the whole input, at least [`END`] bytes.
fn read_end(start: &[u8], from: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut end = start[start.len().saturating_sub(END)..].to_vec();
    while from.by_ref().take(END as u64).read_to_end(&mut end)? > 0 {
        let old = end.len().saturating_sub(2 * END);
        end.drain(..old);
    }
    Ok(end)
}

/// Keeps only the short fields of an input that is too long for a frame, also those of the tool's input before its
/// first long field. Claude 2.1.329 writes `tool_use_id` and `duration_ms` at the end.
fn cut_down(start: &[u8], end: &[u8]) -> Vec<u8> {
    const AT_START: [&str; 8] = [
        "session_id",
        "transcript_path",
        "hook_event_name",
        "prompt_id",
        "agent_id",
        "source",
        "trigger",
        "tool_name",
    ];
    const AT_END: [&str; 2] = ["tool_use_id", "duration_ms"];
    let (start, end) = (String::from_utf8_lossy(start), String::from_utf8_lossy(end));
    let mut fields = Map::new();
    let mut keep = |name: &str, rest: Option<&str>| {
        if let Some((value, _)) = rest.and_then(first_value) {
            fields.insert(name.to_owned(), value);
        }
    };
    for name in AT_START {
        let key = format!("\"{name}\":");
        keep(name, start.find(&key).map(|at| &start[at + key.len()..]));
    }
    for name in AT_END {
        let key = format!("\"{name}\":");
        keep(name, end.rfind(&key).map(|at| &end[at + key.len()..]));
    }
    if let Some(at) = start.find(TOOL_INPUT) {
        fields.insert("tool_input".to_owned(), Value::Object(short_fields(&start[at + TOOL_INPUT.len()..])));
    }
    Value::Object(fields).to_string().into_bytes()
}

/// The first JSON value of a text, and the text after it.
fn first_value(text: &str) -> Option<(Value, &str)> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    let value = values.next()?.ok()?;
    Some((value, &text[values.byte_offset()..]))
}

/// The fields of an object without its opening brace, up to the first long or incomplete one.
fn short_fields(mut rest: &str) -> Map<String, Value> {
    let mut fields = Map::new();
    while let Some((Value::String(name), after)) = first_value(rest)
        && let Some((value, after)) = after.trim_start().strip_prefix(':').and_then(first_value)
        && value.as_str().is_none_or(|text| text.len() <= END)
    {
        fields.insert(name, value);
        let Some(next) = after.trim_start().strip_prefix(',') else { break };
        rest = next;
    }
    fields
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
    fn an_input_too_long_for_a_frame_keeps_its_short_fields() {
        let long = "x".repeat(INPUT_MAX as usize + 3 * END);
        let input = serde_json::json!({"session_id": "s", "hook_event_name": "PostToolUse"}).to_string();
        let input = format!(
            "{},\"tool_input\":{{\"file_path\":\"/p/a, b\",\"limit\":3,\"content\":\"{long}\",\"x\":1}},\
             \"tool_response\":{{\"tool_use_id\":\"other\"}},\"tool_use_id\":\"t\",\"duration_ms\":12}}",
            input.trim_end_matches('}')
        );
        let (start, mut rest) = input.as_bytes().split_at(INPUT_MAX as usize + 1);
        let end = read_end(start, &mut rest).unwrap();
        assert!((END..=2 * END).contains(&end.len()));
        let cut: Value = serde_json::from_slice(&cut_down(start, &end)).unwrap();
        assert_eq!(
            cut,
            serde_json::json!({"session_id": "s", "hook_event_name": "PostToolUse", "tool_use_id": "t",
                "duration_ms": 12, "tool_input": {"file_path": "/p/a, b", "limit": 3}})
        );
    }
}
