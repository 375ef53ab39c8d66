//! The event sources of the screen's thread: the keyboard, signals and the agent.

use crate::{
    agent::{Note, Order},
    agent_thread,
    shared::Shared,
};
use bc_process::{
    signals::{self, HandledSignal},
    terminal,
};
use std::{
    io::{self, Read},
    sync::{
        Arc,
        mpsc::{SyncSender, sync_channel},
    },
    thread,
};

pub(crate) enum Event {
    Keys { bytes: Vec<u8>, more: bool },
    InputEnded,
    Signal(HandledSignal),
    Agent(Note),
}

/// Starts listening for keys and signals.
pub(crate) fn listen(sender: &SyncSender<Event>) -> io::Result<()> {
    let keys = sender.clone();
    let (mut input, stop) = terminal::input()?;
    thread::spawn(move || {
        // Keep this value alive, because dropping it would stop the reading of keys.
        let _stop = stop;
        let mut buffer = [0u8; 16 * 1024];
        loop {
            let event = match input.read(&mut buffer) {
                Ok(n @ 1..) => Event::Keys { bytes: buffer[..n].to_vec(), more: n == buffer.len() },
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Ok(0) | Err(_) => Event::InputEnded,
            };
            let ended = matches!(event, Event::InputEnded);
            if keys.send(event).is_err() || ended {
                return;
            }
        }
    });
    let sender = sender.clone();
    let wanted = [HandledSignal::Terminate, HandledSignal::HangUp, HandledSignal::Resized];
    signals::watch(&wanted, move |signal| sender.send(Event::Signal(signal)).is_ok())
}

/// Starts the agent's thread, whose notes arrive as events.
pub(crate) fn begin_agent(shared: &Arc<Shared>, sender: &SyncSender<Event>) -> SyncSender<Order> {
    let (orders, taken) = sync_channel(16);
    let (notes, shown) = sync_channel(64);
    let (shared, sender) = (Arc::clone(shared), sender.clone());
    thread::spawn(move || agent_thread::live(shared, taken, notes));
    thread::spawn(move || {
        for note in shown {
            if sender.send(Event::Agent(note)).is_err() {
                return;
            }
        }
    });
    orders
}
