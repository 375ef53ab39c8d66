//! Decides when claude's screen is checked, and when its content is trusted.
//!
//! Performs no I/O. A frame arrives in pieces, and claude draws typed text with a delay. The screen is
//! therefore checked a moment after a change, and trusted only if enough time has passed since the last key
//! and the last Enter.

use std::time::{Duration, Instant};

/// The delay between a screen change and its check, because a frame arrives in pieces.
const SCREEN_CHECK_AFTER: Duration = Duration::from_millis(120);

/// The delay after an Esc before the screen is trusted, because claude must have read the key. Also the delay
/// after the last output, and after the box has disappeared.
pub(super) const SETTLED_AFTER: Duration = Duration::from_millis(300);

/// The delay after the last key before an empty box is trusted, because claude must have drawn the typed
/// text. Also the time limit for claude to clear the box after it has accepted the text.
const TYPED_AFTER: Duration = Duration::from_millis(1500);

/// The delay after an Enter, because a dialog may open slowly. It does not apply if a dialog was seen and has
/// closed.
const ENTERED_AFTER: Duration = Duration::from_secs(10);

#[derive(Debug, Default)]
pub(super) struct ScreenChecks {
    at: Option<Instant>,
    last_key: Option<Instant>,
    entered: Option<Entered>,
    /// Since when the box has had content, to which pasted text would be appended.
    obstructed_since: Option<Instant>,
    /// Since when the box has not been on the screen.
    no_box_since: Option<Instant>,
}

/// An Enter at claude's prompt that may not have started a turn.
#[derive(Debug, Clone, Copy)]
struct Entered {
    at: Instant,
    /// The number of subsequent checks that did not show the box. A single check may have seen a partly drawn
    /// frame.
    without_box: u32,
}

impl Entered {
    fn settled(self) -> Instant {
        if self.without_box > 1 { self.at } else { self.at + ENTERED_AFTER }
    }
}

impl ScreenChecks {
    pub(super) fn deadline(&self) -> Option<Instant> {
        self.at
    }

    /// Whether a check is due. The caller then performs it.
    pub(super) fn takes_check(&mut self, now: Instant) -> bool {
        self.at.take_if(|at| *at <= now).is_some()
    }

    pub(super) fn check_by(&mut self, at: Instant) {
        self.at = Some(self.at.map_or(at, |earlier| earlier.min(at)));
    }

    pub(super) fn check_soon(&mut self, now: Instant) {
        self.check_by(now + SCREEN_CHECK_AFTER);
    }

    pub(super) fn on_typed(&mut self, now: Instant) {
        self.last_key = Some(now);
        self.check_by(now + TYPED_AFTER);
    }

    /// Called when a key was pressed that may open a dialog, for example Enter after a `/command`.
    pub(super) fn on_entered(&mut self, now: Instant) {
        self.entered = Some(Entered { at: now, without_box: 0 });
    }

    /// Called when a turn begins: earlier keys belong to its prompt.
    pub(super) fn on_turn_began(&mut self) {
        (self.last_key, self.entered, self.obstructed_since) = (None, None, None);
    }

    /// Whether this time has passed, if there is one. Otherwise schedules a check for it.
    pub(super) fn has_passed(&mut self, at: Option<Instant>, now: Instant) -> bool {
        let future = at.filter(|at| now < *at);
        if let Some(at) = future {
            self.check_by(at);
        }
        future.is_none()
    }

    /// Whether claude has drawn the user's keys, so that a box that looks empty is empty. Otherwise schedules
    /// another check.
    pub(super) fn keys_are_drawn(&mut self, now: Instant) -> bool {
        let drawn = self.last_key.map(|at| at + TYPED_AFTER);
        // An Enter in a terminal may be part of a command whose dialog has not opened yet.
        let settled = self.entered.map(Entered::settled);
        self.has_passed([drawn, settled].into_iter().flatten().find(|at| now < *at), now)
    }

    /// Called when the box is empty or not on the screen.
    pub(super) fn on_unobstructed(&mut self) {
        self.obstructed_since = None;
    }

    /// Called when the box has content. Returns whether the content has stayed long enough to be the user's
    /// draft.
    pub(super) fn on_obstructed(&mut self, now: Instant) -> bool {
        let settled = *self.obstructed_since.get_or_insert(now) + TYPED_AFTER;
        if !self.has_passed(Some(settled), now) {
            return false;
        }
        self.obstructed_since = None;
        self.check_soon(now);
        true
    }

    pub(super) fn on_box(&mut self) {
        self.no_box_since = None;
    }

    /// Called when a check found something else in place of the box, or an empty screen, which claude shows
    /// before it redraws everything. Returns whether the box has been missing long enough to conclude that a
    /// dialog has replaced it.
    pub(super) fn on_no_box(&mut self, screen_is_empty: bool, now: Instant) -> bool {
        let mut hidden = false;
        if screen_is_empty {
            self.no_box_since = None;
        } else {
            let settled = *self.no_box_since.get_or_insert(now) + SETTLED_AFTER;
            hidden = self.has_passed(Some(settled), now);
        }
        if let Some(entered) = self.entered.as_mut().filter(|entered| entered.without_box < 2) {
            entered.without_box += 1;
            self.check_by(now + SETTLED_AFTER);
        }
        hidden
    }

    /// Whether an empty box is trusted, because no key, output or Enter is recent. Otherwise schedules
    /// another check.
    pub(super) fn trusts_empty_box(&mut self, last_output: Option<Instant>, now: Instant) -> bool {
        let settled = [
            self.last_key.map(|at| at + TYPED_AFTER),
            last_output.map(|at| at + SETTLED_AFTER),
            self.entered.map(Entered::settled),
        ];
        let trusted = self.has_passed(settled.into_iter().flatten().max(), now);
        if trusted {
            (self.entered, self.obstructed_since) = (None, None);
        }
        trusted
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_box_is_trusted_only_after_the_keys_were_drawn() {
        let now = Instant::now();
        let mut checks = ScreenChecks::default();
        assert!(checks.keys_are_drawn(now) && checks.trusts_empty_box(None, now));
        checks.on_typed(now);
        assert!(!checks.keys_are_drawn(now) && !checks.trusts_empty_box(None, now));
        assert_eq!(checks.deadline(), Some(now + TYPED_AFTER));
        assert!(checks.takes_check(now + TYPED_AFTER) && checks.deadline().is_none());
        assert!(checks.keys_are_drawn(now + TYPED_AFTER));
        assert!(checks.trusts_empty_box(Some(now), now + TYPED_AFTER));
        assert!(!checks.trusts_empty_box(Some(now + TYPED_AFTER), now + TYPED_AFTER));
    }

    #[test]
    fn an_enter_may_open_a_dialog_slowly_unless_one_was_seen() {
        let now = Instant::now();
        let soon = now + SETTLED_AFTER;
        let mut checks = ScreenChecks::default();
        checks.on_entered(now);
        assert!(!checks.trusts_empty_box(None, soon));
        assert!(!checks.on_no_box(false, now), "one check may have seen a partly drawn frame");
        assert!(!checks.trusts_empty_box(None, soon));
        assert!(checks.on_no_box(false, soon));
        checks.on_box();
        assert!(checks.trusts_empty_box(None, soon), "the dialog has closed");
    }

    #[test]
    fn an_empty_screen_is_being_redrawn() {
        let now = Instant::now();
        let mut checks = ScreenChecks::default();
        assert!(!checks.on_no_box(false, now));
        assert!(!checks.on_no_box(true, now + SETTLED_AFTER));
        assert!(!checks.on_no_box(false, now + SETTLED_AFTER), "counted again from the start");
        assert!(checks.on_no_box(false, now + 2 * SETTLED_AFTER));
    }

    #[test]
    fn content_that_lasts_is_a_draft() {
        let now = Instant::now();
        let mut checks = ScreenChecks::default();
        assert!(!checks.on_obstructed(now));
        checks.on_unobstructed();
        assert!(!checks.on_obstructed(now + TYPED_AFTER));
        assert!(checks.on_obstructed(now + 2 * TYPED_AFTER));
    }

    #[test]
    fn a_new_turn_forgets_keys_but_no_check() {
        let now = Instant::now();
        let mut checks = ScreenChecks::default();
        checks.on_typed(now);
        checks.on_entered(now);
        checks.on_turn_began();
        assert!(checks.keys_are_drawn(now));
        assert_eq!(checks.deadline(), Some(now + TYPED_AFTER));
    }
}
