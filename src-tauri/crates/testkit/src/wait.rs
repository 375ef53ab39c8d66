//! Waits for conditions, never for a fixed time.

use std::{
    thread,
    time::{Duration, Instant},
};

/// The pause between two checks of the condition.
const PAUSE: Duration = Duration::from_millis(10);

/// Waits until the condition holds.
///
/// # Panics
/// If the condition does not hold within `deadline`. The message contains `what`.
#[track_caller]
pub fn wait_until(what: &str, deadline: Duration, mut condition: impl FnMut() -> bool) {
    wait_for(what, deadline, || condition().then_some(()));
}

/// Waits until `find` returns a value.
///
/// # Panics
/// If `find` returns no value within `deadline`. The message contains `what`.
#[track_caller]
pub fn wait_for<T>(what: &str, deadline: Duration, mut find: impl FnMut() -> Option<T>) -> T {
    let started = Instant::now();
    loop {
        if let Some(found) = find() {
            return found;
        }
        assert!(started.elapsed() < deadline, "still waiting after {deadline:?} for: {what}");
        thread::sleep(PAUSE);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waiting_ends_with_the_condition_or_names_it() {
        let mut checks = 0;
        wait_until("the third check", Duration::from_secs(5), || {
            checks += 1;
            checks == 3
        });
        let failed = std::panic::catch_unwind(|| wait_until("godot", Duration::ZERO, || false)).unwrap_err();
        assert!(failed.downcast_ref::<String>().unwrap().ends_with("for: godot"));
    }
}
