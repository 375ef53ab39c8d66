//! Measures how long claude has been at its prompt with nothing pending, so that the session can be paused
//! after a limit. A turn, a permission request, a queued prompt, a background task and input in the terminal
//! all count as activity.

use std::time::{Duration, Instant};

pub(super) struct Idle {
    /// The limit; `None` for no limit. After a change, idle time that has already passed counts.
    pub(super) after: Option<Duration>,
    since: Option<Instant>,
    /// The number of background tasks that claude reported.
    pub(super) background: usize,
}

impl Idle {
    /// Creates the measurement with this limit; `None` means no limit.
    pub(super) fn new(after: Option<Duration>) -> Idle {
        Idle { after, since: None, background: 0 }
    }

    /// Restarts the idle time, because a user is present.
    pub(super) fn on_presence(&mut self, now: Instant) {
        if self.since.is_some() {
            self.since = Some(now);
        }
    }

    /// Updates the measurement. `at_rest`: whether claude is at its prompt with nothing pending.
    pub(super) fn update(&mut self, at_rest: bool, now: Instant) {
        self.since = match at_rest && self.background == 0 {
            true => self.since.or(Some(now)),
            false => None,
        };
    }

    pub(super) fn deadline(&self) -> Option<Instant> {
        self.since?.checked_add(self.after?)
    }

    /// Whether the limit has been reached.
    pub(super) fn is_over(&self, now: Instant) -> bool {
        self.deadline().is_some_and(|at| at <= now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(1800);

    #[test]
    fn only_unbroken_idleness_counts() {
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        let mut idle = Idle::new(Some(LONG));
        assert_eq!(idle.deadline(), None);
        idle.update(true, at(0));
        idle.update(true, at(1000));
        assert_eq!(idle.deadline(), Some(at(1800)));
        assert!(!idle.is_over(at(1799)) && idle.is_over(at(1800)));
        idle.update(false, at(1700));
        assert_eq!(idle.deadline(), None);
        idle.update(true, at(1701));
        assert_eq!(idle.deadline(), Some(at(3501)));
    }

    #[test]
    fn a_background_task_counts_as_activity() {
        let start = Instant::now();
        let mut idle = Idle::new(Some(LONG));
        idle.background = 1;
        idle.update(true, start);
        assert_eq!(idle.deadline(), None);
        idle.background = 0;
        idle.update(true, start);
        assert_eq!(idle.deadline(), Some(start + LONG));
    }

    #[test]
    fn attaching_restarts_the_idle_time() {
        let start = Instant::now();
        let mut idle = Idle::new(Some(LONG));
        idle.on_presence(start);
        assert_eq!(idle.deadline(), None, "attaching during a turn does not start the idle time");
        idle.update(true, start);
        idle.on_presence(start + Duration::from_secs(60));
        assert_eq!(idle.deadline(), Some(start + Duration::from_secs(60) + LONG));
    }

    #[test]
    fn a_new_limit_counts_from_the_start_of_idleness_and_no_limit_never_pauses() {
        let start = Instant::now();
        let mut idle = Idle::new(None);
        idle.update(true, start);
        assert_eq!(idle.deadline(), None);
        idle.after = Some(LONG);
        assert_eq!(idle.deadline(), Some(start + LONG));
        idle.after = None;
        assert_eq!(idle.deadline(), None);
    }
}
