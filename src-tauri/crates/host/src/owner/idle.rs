//! How long claude has been at its prompt with nothing pending: after some time of that the session is
//! paused. A turn, a permission, a text that is held, a task in the background, something typed into
//! the terminal: none of that is idleness.

use super::Owner;
use crate::{prompt_state::Activity, protocol::StopKind};
use bc_core::session::PauseReason;
use std::time::{Duration, Instant};

pub(super) struct Idle {
    after: Option<Duration>,
    since: Option<Instant>,
    /// Tasks that claude said it has in the background.
    pub(super) background: usize,
}

impl Idle {
    /// Idle for so long is too long; `None`: never.
    pub(super) fn new(after: Option<Duration>) -> Idle {
        Idle { after, since: None, background: 0 }
    }

    /// It may last so long from now on; what has passed counts.
    pub(super) fn set(&mut self, after: Option<Duration>) {
        self.after = after;
    }

    /// Somebody showed that they are there.
    pub(super) fn stir(&mut self, now: Instant) {
        if self.since.is_some() {
            self.since = Some(now);
        }
    }

    fn see(&mut self, idle: bool, now: Instant) {
        self.since = match idle {
            true => self.since.or(Some(now)),
            false => None,
        };
    }

    pub(super) fn deadline(&self) -> Option<Instant> {
        self.since?.checked_add(self.after?)
    }
}

impl Owner {
    pub(super) fn notice_idleness(&mut self, now: Instant) {
        let idle = self.prompt.activity() == Activity::Idle
            && self.idle.background == 0
            && !self.texts.waits()
            && !self.stopping.has_begun();
        self.idle.see(idle, now);
    }

    pub(super) fn on_idle_deadline(&mut self, now: Instant) {
        if self.idle.deadline().is_some_and(|at| at <= now) {
            self.stop(StopKind::Pause(PauseReason::Inactivity));
        }
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
        idle.see(true, at(0));
        idle.see(true, at(1000));
        assert_eq!(idle.deadline(), Some(at(1800)));
        idle.see(false, at(1700));
        assert_eq!(idle.deadline(), None);
        idle.see(true, at(1701));
        assert_eq!(idle.deadline(), Some(at(3501)));
    }

    #[test]
    fn whoever_looks_in_begins_the_time_anew() {
        let start = Instant::now();
        let mut idle = Idle::new(Some(LONG));
        idle.stir(start);
        assert_eq!(idle.deadline(), None, "a turn is not made idle by a look");
        idle.see(true, start);
        idle.stir(start + Duration::from_secs(60));
        assert_eq!(idle.deadline(), Some(start + Duration::from_secs(60) + LONG));
    }

    #[test]
    fn a_new_limit_counts_from_when_idleness_began_and_none_is_for_ever() {
        let start = Instant::now();
        let mut idle = Idle::new(None);
        idle.see(true, start);
        assert_eq!(idle.deadline(), None);
        idle.set(Some(LONG));
        assert_eq!(idle.deadline(), Some(start + LONG));
        idle.set(None);
        assert_eq!(idle.deadline(), None);
    }
}
