//! Removes secrets from exports and backups, many messages in parallel on all processors. Most messages do
//! not contain a keyword of any rule, and are skipped after one scan of their JSON.

use super::errors::chain;
use bc_core::message::Message;
use bc_wire::{ApiError, ErrorCode};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;
use std::{num::NonZeroUsize, thread};

/// The minimum number of messages for each thread except the last.
const SHARE_MIN: usize = 256;

/// Removes the secrets from all strings in the value; returns the number of secrets.
pub(crate) fn redact<T: Serialize + DeserializeOwned>(value: &mut T) -> Result<u32, ApiError> {
    let line = serde_json::to_string(&*value).map_err(json_error)?;
    let Some((document, count)) = without_secrets(&line)? else { return Ok(0) };
    *value = serde_json::from_value(document).map_err(json_error)?;
    Ok(count)
}

/// Like [`redact`], for many messages in parallel.
pub(crate) fn redact_all(messages: &mut [Message]) -> Result<u32, ApiError> {
    let parts = in_parallel(messages, |part| part.iter_mut().map(redact).sum::<Result<u32, ApiError>>());
    parts.into_iter().sum()
}

/// Serializes the messages as JSON, with `between` as the separator within each returned part, and without
/// their secrets unless `keep_secrets` is set. Returns consecutive parts, and the number of removed secrets.
/// A message without secrets is serialized only once, because serializing costs as much as searching.
pub(crate) fn serialize_all(
    mut messages: Vec<Message>,
    between: &str,
    keep_secrets: bool,
) -> Result<(Vec<String>, u32), ApiError> {
    let parts = in_parallel(&mut messages, |part| {
        let (mut text, mut count) = (Vec::new(), 0);
        for message in part {
            if !text.is_empty() {
                text.extend_from_slice(between.as_bytes());
            }
            let start = text.len();
            serde_json::to_writer(&mut text, message).map_err(json_error)?;
            let line = std::str::from_utf8(&text[start..]).expect("serde_json writes UTF-8");
            if !keep_secrets && let Some((document, removed)) = without_secrets(line)? {
                text.truncate(start);
                serde_json::to_writer(&mut text, &document).map_err(json_error)?;
                count += removed;
            }
        }
        Ok((String::from_utf8(text).expect("serde_json writes UTF-8"), count))
    });
    let parts: Vec<(String, u32)> = parts.into_iter().collect::<Result<_, ApiError>>()?;
    let count = parts.iter().map(|(_, count)| count).sum();
    Ok((parts.into_iter().map(|(text, _)| text).collect(), count))
}

/// This JSON document without its secrets, and the number of secrets; `None` if it has none.
fn without_secrets(line: &str) -> Result<Option<(Value, u32)>, ApiError> {
    if !bc_redact::may_hold_secret(line) {
        return Ok(None);
    }
    let mut document: Value = serde_json::from_str(line).map_err(json_error)?;
    let count = bc_redact::redact(&mut document);
    Ok((count > 0).then_some((document, count)))
}

/// Runs `of` on consecutive shares of the messages, at most one per processor, and returns the results in order.
fn in_parallel<T: Send>(
    messages: &mut [Message],
    of: impl Fn(&mut [Message]) -> Result<T, ApiError> + Sync,
) -> Vec<Result<T, ApiError>> {
    let threads = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let share = messages.len().div_ceil(threads).max(SHARE_MIN);
    let failed = || ApiError::new(ErrorCode::Internal, "a thread that searches for secrets failed");
    thread::scope(|scope| {
        let started: Vec<_> = messages.chunks_mut(share).map(|part| scope.spawn(|| of(part))).collect();
        started.into_iter().map(|part| part.join().unwrap_or_else(|_| Err(failed()))).collect()
    })
}

pub(crate) fn json_error(error: serde_json::Error) -> ApiError {
    ApiError::new(ErrorCode::Internal, format!("a record is not JSON: {}", chain(&error)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use bc_core::message::Role;

    #[test]
    fn secrets_are_redacted_in_every_message() {
        let at = crate::context::now();
        let secret = ["ghp_", "16C7e42F292c6912E7710c838347Ae178B4a"].concat();
        let text = |n: usize| match n % 500 {
            7 => format!("the token is {secret}, message {n}"),
            _ => format!("nothing of note in number {n}"),
        };
        let count = SHARE_MIN * 8;
        let mut messages: Vec<Message> =
            (0..count).map(|n| Message::new(format!("m{n}"), Role::User, text(n), at)).collect();
        let with = (0..count).filter(|n| n % 500 == 7).count();
        assert_eq!(redact_all(&mut messages).unwrap() as usize, with);
        for (n, message) in messages.iter().enumerate() {
            assert!(!message.content.contains(&secret), "{n}");
            assert_eq!(message.id, format!("m{n}"));
            assert!(n % 500 == 7 || message.content == text(n));
        }
        assert_eq!(redact_all(&mut []).unwrap(), 0);
    }

    #[test]
    fn serialized_messages_have_no_secrets_and_keep_their_order() {
        let at = crate::context::now();
        let secret = ["ghp_", "16C7e42F292c6912E7710c838347Ae178B4a"].concat();
        let text = |n: usize| if n == 300 { format!("the token is {secret}") } else { format!("number {n}") };
        let messages: Vec<Message> =
            (0..SHARE_MIN * 3).map(|n| Message::new(format!("m{n}"), Role::User, text(n), at)).collect();
        let read = |keep| {
            let (parts, count) = serialize_all(messages.clone(), "\n", keep).unwrap();
            let lines = parts.join("\n");
            let read: Vec<Message> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
            (read, count)
        };
        assert_eq!(read(true), (messages.clone(), 0));
        let (redacted, count) = read(false);
        assert_eq!((redacted.len(), count), (messages.len(), 1));
        assert_eq!(redacted[300].content, "the token is [removed: github-pat]");
        let unchanged = |n: &usize| *n != 300;
        assert!((0..messages.len()).filter(unchanged).all(|n| redacted[n] == messages[n]));
        assert_eq!(serialize_all(Vec::new(), "\n", false).unwrap(), (Vec::new(), 0));
    }
}
