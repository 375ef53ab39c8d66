//! The host's clock. If the wall clock is set back during a session by more than ten seconds, the host's
//! clock is not. A wall clock that is set forward is trusted, because a suspend looks identical on some
//! systems.
//!
//! At a place, all times follow the clock of the user's machine, so that the record matches the events on
//! that machine.

use bc_core::Timestamp;
use chrono::TimeDelta;
use std::{
    sync::{
        OnceLock,
        atomic::{AtomicI64, Ordering},
    },
    time::Duration,
};

/// A wall clock that is behind by at most this much counts as adjusted, not as set back.
const SLACK: TimeDelta = TimeDelta::seconds(10);

/// The smallest difference between two machines' clocks that counts. A smaller one may only be the
/// transmission time of a message.
const NOTICED: TimeDelta = TimeDelta::seconds(2);

/// How far this machine's clock is ahead of the user's, in milliseconds.
static AHEAD_MS: AtomicI64 = AtomicI64::new(0);

/// Returns how far this machine's clock is ahead of the user's clock, which has just shown `user_time`.
/// Returns zero if the difference is below two seconds.
pub fn measure_clock_ahead(user_time: Timestamp) -> TimeDelta {
    ahead_of(user_time, chrono::Local::now().fixed_offset())
}

fn ahead_of(user_time: Timestamp, wall: Timestamp) -> TimeDelta {
    let ahead = wall - user_time;
    if ahead.abs() < NOTICED { TimeDelta::zero() } else { ahead }
}

/// Makes [`now`] and the times of claude's transcripts in this process follow the user's clock.
pub fn set_clock_ahead(ahead: TimeDelta) {
    AHEAD_MS.store(ahead.num_milliseconds(), Ordering::Relaxed);
}

/// The last value passed to [`set_clock_ahead`], or zero.
pub(crate) fn clock_ahead() -> TimeDelta {
    TimeDelta::milliseconds(AHEAD_MS.load(Ordering::Relaxed))
}

/// The current time by the user's clock; at most [`SLACK`] earlier than the first call's time plus the
/// elapsed time.
pub fn now() -> Timestamp {
    static FIRST: OnceLock<(Timestamp, Duration)> = OnceLock::new();
    let (wall, up) = (chrono::Local::now().fixed_offset(), os::uptime());
    let (first, up_then) = *FIRST.get_or_init(|| (wall, up));
    let time = corrected(wall, first, up.saturating_sub(up_then));
    time.checked_sub_signed(clock_ahead()).unwrap_or(time)
}

/// Returns the wall clock's time, or `first` plus `elapsed` if the wall clock was set back since it showed
/// `first`.
fn corrected(wall: Timestamp, first: Timestamp, elapsed: Duration) -> Timestamp {
    let measured = TimeDelta::from_std(elapsed).ok().and_then(|elapsed| first.checked_add_signed(elapsed));
    measured.filter(|measured| *measured - wall > SLACK).unwrap_or(wall)
}

mod os {
    use std::time::Duration;

    /// The time since a fixed moment before this process started, including suspends.
    #[cfg(target_os = "linux")]
    pub(super) fn uptime() -> Duration {
        let up = rustix::time::clock_gettime(rustix::time::ClockId::Boottime);
        Duration::new(up.tv_sec.unsigned_abs(), u32::try_from(up.tv_nsec).unwrap_or(0))
    }

    /// The time since the first call. It may exclude suspends.
    #[cfg(not(target_os = "linux"))]
    pub(super) fn uptime() -> Duration {
        use std::{sync::OnceLock, time::Instant};
        static FIRST: OnceLock<Instant> = OnceLock::new();
        FIRST.get_or_init(Instant::now).elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn setting_the_clock_back_does_not_move_time_back() {
        let first = Timestamp::parse_from_rfc3339("2026-01-19T10:00:00Z").unwrap();
        let hour = Duration::from_secs(3600);
        let later = |seconds: i64| first + TimeDelta::seconds(seconds);
        assert_eq!(corrected(later(3600), first, hour), later(3600));
        assert_eq!(corrected(later(3595), first, hour), later(3595), "the clock was adjusted");
        assert_eq!(corrected(later(-400 * 86_400), first, hour), later(3600));
        assert_eq!(corrected(later(9 * 3600), first, hour), later(9 * 3600), "the machine slept");
        let earlier = now();
        assert!(earlier <= now());
    }

    #[test]
    fn only_a_clear_difference_of_two_clocks_counts() {
        let user = Timestamp::parse_from_rfc3339("2026-01-19T10:00:00Z").unwrap();
        for (seconds, ahead) in [(1, 0), (-1, 0), (3, 3), (-3, -3), (365 * 86_400, 365 * 86_400)] {
            let wall = user + TimeDelta::seconds(seconds);
            assert_eq!(ahead_of(user, wall), TimeDelta::seconds(ahead), "{seconds}");
        }
    }
}
