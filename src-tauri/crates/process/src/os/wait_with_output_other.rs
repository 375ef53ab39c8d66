//! Reports that this system does not support waiting on a single thread. The caller then uses one thread for
//! each output and one for the exit.

use crate::captured_output::WaitOutput;
use std::{io, process::Child, time::Instant};

pub(crate) fn wait_with_output(
    _child: &mut Child,
    _cap: usize,
    _until: Instant,
) -> io::Result<Option<WaitOutput>> {
    Err(io::ErrorKind::Unsupported.into())
}
