//! Systems that place threads well enough, or do not allow a choice.

#[derive(Debug, Clone, Copy)]
pub(crate) struct Thread;

impl Thread {
    pub(crate) fn current() -> Thread {
        Thread
    }

    pub(crate) fn avoid_current_cpu(self) {}
}

pub(crate) fn set_low_latency() {}
