//! Removes secrets from exports and backups, message by message, on all processors. Most messages contain no
//! keyword of any rule and are skipped after one scan of their JSON.

use super::errors::chain;
use bc_core::message::Message;
use bc_wire::{ApiError, ErrorCode};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;
use std::{num::NonZeroUsize, thread};

/// The minimum number of messages for each thread.
const SHARE_MIN: usize = 256;

/// Removes the secrets from all texts of the value; returns their number.
pub(crate) fn redact<T: Serialize + DeserializeOwned>(value: &mut T) -> Result<u32, ApiError> {
    let line = serde_json::to_string(&*value).map_err(no_json)?;
    if !bc_redact::may_hold_secret(&line) {
        return Ok(0);
    }
    let mut document: Value = serde_json::from_str(&line).map_err(no_json)?;
    let count = bc_redact::strike(&mut document);
    if count > 0 {
        *value = serde_json::from_value(document).map_err(no_json)?;
    }
    Ok(count)
}

/// Like [`redact`], for many messages in parallel.
pub(crate) fn redact_all(messages: &mut [Message]) -> Result<u32, ApiError> {
    let threads = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let share = messages.len().div_ceil(threads).max(SHARE_MIN);
    let of = |part: &mut [Message]| part.iter_mut().map(redact).sum::<Result<u32, ApiError>>();
    thread::scope(|scope| {
        let mut parts = messages.chunks_mut(share);
        let first = parts.next();
        let others: Vec<_> = parts.map(|part| scope.spawn(move || of(part))).collect();
        let mut count = first.map_or(Ok(0), of)?;
        for other in others {
            let counted = other.join().map_err(|_| {
                ApiError::new(ErrorCode::Internal, "a thread that searches for secrets failed")
            })?;
            count += counted?;
        }
        Ok(count)
    })
}

fn no_json(error: serde_json::Error) -> ApiError {
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
}
