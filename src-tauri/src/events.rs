//! Sends events to the page as fast as it acknowledges them, because a channel to a webview has no limit.

use bc_bridge::{EventFeed, FeedStop};
use std::{
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread,
};

/// The maximum number of events that are sent and not acknowledged. Further events wait in the feed's ring
/// buffer, whose size is limited.
const WINDOW: u64 = 256;

/// Sends events to the page until the value is dropped.
pub(crate) struct Following {
    window: Arc<Window>,
    _stop: FeedStop,
}

#[derive(Default)]
struct Window {
    state: Mutex<WindowState>,
    changed: Condvar,
}

#[derive(Default)]
struct WindowState {
    sent: u64,
    taken: u64,
    closed: bool,
}

impl Window {
    fn lock(&self) -> MutexGuard<'_, WindowState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until another event may be sent. Returns false once the [`Following`] is dropped.
    fn reserve(&self) -> bool {
        let full = |state: &mut WindowState| !state.closed && state.sent - state.taken >= WINDOW;
        let mut state = self.changed.wait_while(self.lock(), full).unwrap_or_else(PoisonError::into_inner);
        state.sent += 1;
        !state.closed
    }
}

impl Following {
    /// Sends every event until the returned value is dropped or `send` reports that the page is closed.
    pub(crate) fn start(mut feed: EventFeed, send: impl Fn(&str) -> bool + Send + 'static) -> Following {
        let following = Following { window: Arc::default(), _stop: feed.stopper() };
        let window = Arc::clone(&following.window);
        thread::spawn(move || {
            while window.reserve() {
                let Some(event) = feed.recv() else { break };
                if !send(&event) {
                    break;
                }
            }
        });
        following
    }

    /// Acknowledges events; `count` is the total number of handled events.
    pub(crate) fn taken(&self, count: u64) {
        let mut state = self.window.lock();
        state.taken = state.taken.max(count.min(state.sent));
        self.window.changed.notify_all();
    }
}

impl Drop for Following {
    fn drop(&mut self) {
        self.window.lock().closed = true;
        self.window.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bc_bridge::{EventRing, RingLimits};
    use bc_wire::event::Event;
    use std::{sync::mpsc::sync_channel, time::Duration};

    #[test]
    fn a_page_gets_no_more_events_until_it_takes_the_pending_ones() {
        let ring = EventRing::starting_at(1, RingLimits::default());
        let (sender, events) = sync_channel(10_000);
        let following =
            Following::start(ring.follow(None), move |event| sender.send(event.to_owned()).is_ok());
        for _ in 0..1000 {
            ring.publish(None, Event::BeadsChanged {});
        }
        let next = || events.recv_timeout(Duration::from_secs(20)).expect("an event");
        let first: Vec<String> = (0..WINDOW).map(|_| next()).collect();
        assert!(first[255].starts_with(r#"{"seq":256,"#), "{}", first[255]);
        assert!(events.try_recv().is_err());
        following.taken(10);
        (0..10).for_each(|_| drop(next()));
        assert!(events.try_recv().is_err());
        following.taken(u64::MAX);
        assert!(next().starts_with(r#"{"seq":267,"#));
        drop(following);
        while events.recv_timeout(Duration::from_secs(20)).is_ok() {}
    }
}
