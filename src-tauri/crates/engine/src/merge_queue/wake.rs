//! Reports changes of the queue to the merging thread.

use super::run;
use crate::context::Context;

/// Call this after a change of the queue. Wakes the merging thread, and cancels the running check if its request was
/// removed from the queue.
pub(crate) fn wake(ctx: &Context) {
    if let Some((current, stop)) = ctx.queue_waker.wake()
        && !run::is_wanted(ctx, &current)
    {
        stop.stop();
    }
}
