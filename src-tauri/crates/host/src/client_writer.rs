//! The writer thread of a client.

use crate::{
    actor::{ActorHandle, ClientMessage},
    client_id::ClientId,
    client_out::ClientOut,
};
use bc_process::socket::Stream;
use std::{io, sync::Arc, thread};

/// Returns a function for [`ClientOut::of`]. It starts the thread that writes the bytes that the client's
/// connection does not accept immediately.
pub(crate) fn writer(
    id: ClientId,
    actor: &Arc<ActorHandle>,
) -> impl FnOnce(ClientOut, Stream) -> io::Result<()> + Send + use<> {
    let actor = Arc::clone(actor);
    move |queue, stream| {
        let write = move || {
            queue.write_to(stream, || {
                // A host that is ending sends no fresh screen.
                let _ = actor.handle_client(id, ClientMessage::CaughtUp);
            });
        };
        thread::Builder::new().name("client-out".into()).spawn(write).map(drop)
    }
}
