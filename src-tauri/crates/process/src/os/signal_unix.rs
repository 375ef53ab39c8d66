//! Maps [`Signal`] to Unix signals.

use crate::process_entry::Signal;
use rustix::process;

pub(super) fn unix_signal(signal: Signal) -> process::Signal {
    match signal {
        Signal::Term => process::Signal::TERM,
        Signal::Kill => process::Signal::KILL,
        Signal::Hup => process::Signal::HUP,
        Signal::Int => process::Signal::INT,
        Signal::Cont => process::Signal::CONT,
        Signal::Stop => process::Signal::STOP,
    }
}
