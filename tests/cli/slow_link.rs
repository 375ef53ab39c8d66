//! A slow connection with losses, in place of the kernel's netem, which many systems lack.

use std::{
    io::{Read, Write},
    os::fd::OwnedFd,
    os::unix::net::UnixStream,
    sync::mpsc::{Receiver, SyncSender, sync_channel},
    thread,
    time::{Duration, Instant},
};

/// The delay in each direction, half of the round-trip time.
const DELAY: Duration = Duration::from_millis(100);
/// One in this many pieces of data is treated as lost, and arrives [`RESENT`] later.
const LOST_ONE_IN: u64 = 20;
/// The time after which TCP retransmits a lost segment.
const RESENT: Duration = Duration::from_millis(200);

/// Delays both directions of a connection and returns its other end. Shutting down `near` closes both
/// directions.
pub(crate) fn slowed(near: OwnedFd) -> OwnedFd {
    let (ours, other) = UnixStream::pair().unwrap();
    let near = UnixStream::from(near);
    delay(near.try_clone().unwrap(), ours.try_clone().unwrap(), 1);
    delay(ours, near, 2);
    other.into()
}

fn delay(mut from: UnixStream, to: UnixStream, seed: u64) {
    let (sender, received) = sync_channel(1000);
    thread::spawn(move || read(&mut from, &sender, seed));
    thread::spawn(move || write(to, &received));
}

fn read(from: &mut impl Read, sender: &SyncSender<(Instant, Vec<u8>)>, seed: u64) {
    let mut buffer = vec![0; 16 << 10];
    let mut random = Random(seed);
    let mut earliest = Instant::now();
    while let Ok(length @ 1..) = from.read(&mut buffer) {
        let lost = random.below(LOST_ONE_IN) == 0;
        let due = Instant::now() + DELAY + if lost { RESENT } else { Duration::ZERO };
        // As in TCP, nothing overtakes a lost segment.
        earliest = earliest.max(due);
        if sender.send((earliest, buffer[..length].to_vec())).is_err() {
            return;
        }
    }
}

fn write(mut to: UnixStream, received: &Receiver<(Instant, Vec<u8>)>) {
    for (due, data) in received {
        thread::sleep(due.saturating_duration_since(Instant::now()));
        if to.write_all(&data).is_err() {
            break;
        }
    }
    let _ = to.shutdown(std::net::Shutdown::Both);
}

/// A linear congruential generator, so that a failure can be repeated.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}
