//! Reports changes of the queue to the merging thread.

use super::run;
use crate::context::Context;

/// Reports a change of the queue. Cancels the running check if its request is no longer to be merged.
pub(crate) fn wake(ctx: &Context) {
    if let Some((current, stop)) = ctx.queue_waker.wake()
        && !run::is_wanted(ctx, &current)
    {
        stop.stop();
    }
}
