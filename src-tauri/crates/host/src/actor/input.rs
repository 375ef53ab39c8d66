//! The messages that the actor handles.

use crate::{
    background_worker::WorkerReply, checkpoint_thread::CheckpointReply, client_out::ClientOut, frame::Frame,
    hook_threads::HookReply, protocol::Role,
};
use bc_process::{descendants::EndReport, pty::Exit, signals::HandledSignal};
use std::io;

/// A message to the actor from the host's other threads.
pub(crate) enum ActorInput {
    /// Claude has written output, which is in [`OutputFanout`](crate::output_fanout::OutputFanout).
    Output,
    /// Claude's output has ended.
    OutputEnded,
    ChildEnded(io::Result<Exit>),
    /// All descendants of the host have exited, or could not be terminated.
    FamilyEnded(io::Result<EndReport>),
    Signal(HandledSignal),
    Worker(WorkerReply),
    /// A checkpoint before a prompt was made, or it failed.
    Checkpoint(CheckpointReply),
    /// Lifecycle hooks were loaded or have run.
    Hooks(HookReply),
    /// The tracker's files have changed, and therefore possibly its beads.
    BeadFilesChanged,
    /// Another thread ran the actor, which now has an earlier deadline, has finished, or has panicked.
    Due,
}

/// A client's message, which one of the client's threads passes to the actor.
pub(crate) enum ClientMessage {
    /// The client has completed its handshake.
    Connected {
        role: Role,
        out: ClientOut,
    },
    Frame(Frame),
    /// A client that had fallen behind has read all its queued output.
    CaughtUp,
    /// The connection was closed.
    Disconnected,
}
