//! Answers to the link.

use crate::{pipe, protocol::FromPlace};
use std::io::Write;

pub(super) fn answer(out: &mut impl Write, message: &FromPlace) -> Result<(), String> {
    pipe::send(out, message).map_err(|error| error.to_string())
}
