//! The events for clients: one ring, in which each client reads at its own position.
//!
//! Invariants: an event is serialized once. A client's feed holds only a position, so a slow client costs no
//! memory. A client whose position is from another run, or older than the oldest event in the ring, gets an
//! [`Event::Resync`]: it must reload everything, and then gets only later events. The first event's number is
//! the start time in microseconds, so numbers from an earlier run of the program never match.

use bc_wire::{
    app::ProjectKey,
    event::{Event, EventEnvelope},
};
use std::{
    collections::VecDeque,
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::{SystemTime, UNIX_EPOCH},
};

/// The capacity of an event ring.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RingLimits {
    pub events: usize,
    /// The maximum number of bytes of JSON. The newest event is kept, regardless of its size.
    pub bytes: usize,
}

impl Default for RingLimits {
    /// 8,192 events and 16 MiB.
    fn default() -> Self {
        RingLimits { events: 8192, bytes: 16 << 20 }
    }
}

/// The ring's publishing side, for the application. Clones share one ring.
#[derive(Debug, Clone)]
pub struct EventRing {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    limits: RingLimits,
    ring: Mutex<Ring>,
    changed: Condvar,
}

#[derive(Debug)]
struct Ring {
    /// The number of the oldest event in `kept`, or of the next event if `kept` is empty.
    first: u64,
    kept: VecDeque<Arc<str>>,
    bytes: usize,
    ended: bool,
}

impl Ring {
    fn next(&self) -> u64 {
        self.first + self.kept.len() as u64
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Ring> {
        self.ring.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for EventRing {
    fn default() -> Self {
        let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        // JavaScript represents the value exactly: it is below 2^53 until the year 2255.
        EventRing::starting_at(since_epoch.as_micros() as u64, RingLimits::default())
    }
}

impl EventRing {
    /// Creates a ring whose first event has the number `first`, or 1 if `first` is 0.
    pub fn starting_at(first: u64, limits: RingLimits) -> EventRing {
        let ring = Ring { first: first.max(1), kept: VecDeque::new(), bytes: 0, ended: false };
        EventRing { shared: Arc::new(Shared { limits, ring: Mutex::new(ring), changed: Condvar::new() }) }
    }

    /// Publishes a project's event, or an event of the whole program, to all clients. Returns the event's number.
    pub fn publish(&self, project: Option<ProjectKey>, event: Event) -> u64 {
        let mut ring = self.shared.lock();
        let seq = ring.next();
        let json: Arc<str> = envelope(seq, project, event).into();
        ring.bytes += json.len();
        ring.kept.push_back(json);
        let limits = self.shared.limits;
        while ring.kept.len() > 1 && (ring.kept.len() > limits.events || ring.bytes > limits.bytes) {
            let gone = ring.kept.pop_front().expect("there is more than one");
            ring.bytes -= gone.len();
            ring.first += 1;
        }
        drop(ring);
        self.shared.changed.notify_all();
        seq
    }

    /// A feed of the events after number `since`, or of future events only.
    pub fn follow(&self, since: Option<u64>) -> EventFeed {
        let next = since.map_or_else(|| self.shared.lock().next(), |seq| seq.saturating_add(1));
        EventFeed { shared: Arc::clone(&self.shared), next, stop: Arc::default() }
    }

    /// Ends all current and future feeds. Call this when the application closes.
    pub fn end(&self) {
        self.shared.lock().ended = true;
        self.shared.changed.notify_all();
    }
}

/// One client's position in the ring. Each client has its own feed.
#[derive(Debug)]
pub struct EventFeed {
    shared: Arc<Shared>,
    next: u64,
    stop: Arc<AtomicBool>,
}

impl EventFeed {
    /// Waits for the next event and returns it as the JSON of an [`EventEnvelope`]; `None` once the feed is
    /// stopped or the ring has ended.
    pub fn recv(&mut self) -> Option<Arc<str>> {
        let mut ring = self.shared.lock();
        loop {
            if ring.ended || self.stop.load(Ordering::Acquire) {
                return None;
            }
            let next = ring.next();
            if self.next < ring.first || self.next > next {
                self.next = next;
                return Some(envelope(next - 1, None, Event::Resync {}).into());
            }
            if self.next < next {
                let event = Arc::clone(&ring.kept[(self.next - ring.first) as usize]);
                self.next += 1;
                return Some(event);
            }
            ring = self.shared.changed.wait(ring).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// A handle that ends this feed from another thread.
    pub fn stopper(&self) -> FeedStop {
        FeedStop { shared: Arc::clone(&self.shared), stop: Arc::clone(&self.stop) }
    }
}

/// Ends a feed on [`FeedStop::stop()`], and also when this value is dropped.
#[derive(Debug)]
pub struct FeedStop {
    shared: Arc<Shared>,
    stop: Arc<AtomicBool>,
}

impl FeedStop {
    /// Ends the feed: a blocked `recv` returns `None`.
    pub fn stop(&self) {
        // Without the lock, the feed could miss a stop between its check and its wait.
        let ring = self.shared.lock();
        self.stop.store(true, Ordering::Release);
        drop(ring);
        self.shared.changed.notify_all();
    }
}

impl Drop for FeedStop {
    fn drop(&mut self) {
        self.stop();
    }
}

fn envelope(seq: u64, project: Option<ProjectKey>, event: Event) -> String {
    serde_json::to_string(&EventEnvelope { seq, project, event }).expect("an event has only text keys")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    const SMALL: RingLimits = RingLimits { events: 4, bytes: 1 << 20 };

    fn ring() -> EventRing {
        EventRing::starting_at(10, SMALL)
    }

    fn publish(ring: &EventRing, count: usize) {
        for _ in 0..count {
            ring.publish(None, Event::BeadsChanged {});
        }
    }

    fn received(feed: &mut EventFeed, count: usize) -> Vec<(u64, bool)> {
        let one = |_| {
            let json = feed.recv().expect("the feed goes on");
            let envelope: EventEnvelope = serde_json::from_str(&json).unwrap();
            (envelope.seq, envelope.event == Event::Resync {})
        };
        (0..count).map(one).collect()
    }

    #[test]
    fn a_reconnected_client_gets_missed_events_once_in_order() {
        let ring = ring();
        publish(&ring, 4);
        assert_eq!(received(&mut ring.follow(Some(11)), 2), [(12, false), (13, false)]);
    }

    #[test]
    fn a_new_client_gets_only_later_events() {
        let ring = ring();
        publish(&ring, 2);
        let mut feed = ring.follow(None);
        publish(&ring, 1);
        assert_eq!(received(&mut feed, 1), [(12, false)]);
    }

    #[test]
    fn a_client_that_fell_behind_must_reload_and_continues_without_a_gap() {
        let ring = ring();
        let mut feed = ring.follow(None);
        publish(&ring, 9);
        assert_eq!(received(&mut feed, 1), [(18, true)]);
        publish(&ring, 1);
        assert_eq!(received(&mut feed, 1), [(19, false)]);
    }

    #[test]
    fn numbers_of_an_earlier_run_cause_a_reload() {
        let ring = ring();
        for strange in [0, 5, 10, 4000, u64::MAX] {
            assert_eq!(received(&mut ring.follow(Some(strange)), 1), [(9, true)], "{strange}");
        }
        let seq = EventRing::default().publish(None, Event::BeadsChanged {});
        assert!((1 << 50..1 << 53).contains(&seq), "{seq} is the clock's and exact in JavaScript");
    }

    #[test]
    fn the_ring_respects_its_byte_limit() {
        let ring = EventRing::starting_at(1, RingLimits { events: 1000, bytes: 200 });
        publish(&ring, 100);
        let shared = ring.shared.lock();
        assert!(shared.bytes <= 200 && shared.kept.len() < 10, "{} bytes", shared.bytes);
    }

    #[test]
    fn a_waiting_client_can_be_stopped_and_ends_with_the_ring() {
        let ring = ring();
        let mut feed = ring.follow(None);
        let stop = feed.stopper();
        let waiting = thread::spawn(move || feed.recv());
        stop.stop();
        assert_eq!(waiting.join().unwrap(), None);

        let mut feed = ring.follow(None);
        let waiting = thread::spawn(move || feed.recv());
        ring.end();
        assert_eq!(waiting.join().unwrap(), None);
        assert_eq!(ring.follow(None).recv(), None);
    }
}
