//! The messages that the actor handles.

use crate::{
    background_worker::WorkerReply, checkpoint_thread::CheckpointReply, client_out::ClientOut, frame::Frame,
    hook_threads::HookReply, protocol::Role,
};
use bc_process::{descendants::EndReport, pty::Exit, signals::HandledSignal};
use std::io;

/// A message to the actor from the host's other threads.
pub(crate) enum ActorInput {
    /// The program has written output, which [`OutputFanout`](crate::output_fanout::OutputFanout) holds.
    Output,
    /// No more output follows.
    OutputEnded,
    ChildEnded(io::Result<Exit>),
    /// All its descendants have ended, or could not be terminated.
    FamilyEnded(io::Result<EndReport>),
    Signal(HandledSignal),
    Worker(WorkerReply),
    /// A checkpoint before a prompt was made, or failed.
    Checkpoint(CheckpointReply),
    /// Lifecycle hooks were loaded or have run.
    Hooks(HookReply),
    /// Files of the tracker have changed, so beads may have.
    BeadFilesChanged,
    /// Another thread ran the actor, and its next deadline is earlier than before.
    Due,
}

/// The messages of a client, which its own thread passes to the actor.
pub(crate) enum ClientMessage {
    /// The client said hello.
    Connected {
        role: Role,
        out: ClientOut,
    },
    Frame(Frame),
    /// A client that fell behind has read everything that it was sent.
    CaughtUp,
    /// The connection has ended.
    Disconnected,
}
