//! Where a terminal's output comes from: the session's connection, read when it is readable, where the
//! system has that; elsewhere the terminal's own thread reads it.

use bc_bridge::{Backend, FlowLimits, Outgoing, Terminal};
use bc_core::ids::SessionId;
use std::{
    sync::Arc,
    task::{Context, Poll},
};

#[cfg(unix)]
pub(crate) use unix::Source;

/// The terminal's own thread.
#[cfg(not(unix))]
#[derive(Default)]
pub(crate) struct Source;

#[cfg(not(unix))]
impl Source {
    pub(crate) fn open(
        backend: Arc<dyn Backend>,
        project: &str,
        session: SessionId,
        limits: FlowLimits,
    ) -> Terminal {
        Terminal::attach(backend, project, session, limits)
    }

    pub(crate) fn poll_recv(
        &mut self,
        terminal: &Terminal,
        context: &mut Context<'_>,
    ) -> Poll<Option<Outgoing>> {
        terminal.poll_recv(context)
    }
}

#[cfg(unix)]
mod unix {
    use super::*;
    use bc_bridge::{Taken, TerminalPipe};
    use std::{io, os::fd::OwnedFd, task::ready};
    use tokio::io::{Interest, unix::AsyncFd};

    /// The connection that is read just now, if any.
    #[derive(Default)]
    pub(crate) struct Source(Option<Reading>);

    struct Reading {
        pipe: Arc<dyn TerminalPipe>,
        /// Another descriptor of the same connection: it is waited for as long as this lives.
        readable: AsyncFd<OwnedFd>,
    }

    impl Reading {
        fn of(pipe: Arc<dyn TerminalPipe>) -> io::Result<Reading> {
            let descriptor = pipe.descriptor().ok_or(io::ErrorKind::Unsupported)?.try_clone_to_owned()?;
            // SAFETY: an owned descriptor stays open, and the same one, until it is dropped with what waits for it.
            let readable = unsafe { AsyncFd::register_with_interest(descriptor, Interest::READABLE) }?;
            Ok(Reading { pipe, readable })
        }
    }

    impl Source {
        pub(crate) fn open(
            backend: Arc<dyn Backend>,
            project: &str,
            session: SessionId,
            limits: FlowLimits,
        ) -> Terminal {
            Terminal::driven(backend, project, session, limits)
        }

        /// The next message for the client; reads the session while there is none.
        pub(crate) fn poll_recv(
            &mut self,
            terminal: &Terminal,
            context: &mut Context<'_>,
        ) -> Poll<Option<Outgoing>> {
            loop {
                if let Poll::Ready(message) = terminal.poll_recv(context) {
                    return Poll::Ready(message);
                }
                let Some(reading) = self.current(terminal) else { return Poll::Pending };
                match terminal.take_in(&reading.pipe) {
                    Taken::Some | Taken::Over => {}
                    Taken::NoRoom => return Poll::Pending,
                    Taken::Nothing => match ready!(reading.readable.poll_read_ready(context)) {
                        Ok(mut readable) => readable.clear_ready(),
                        Err(_) => terminal.lose(&reading.pipe),
                    },
                }
            }
        }

        /// The connection of the moment.
        fn current(&mut self, terminal: &Terminal) -> Option<&Reading> {
            let pipe = terminal.source();
            let is_known = match (&self.0, &pipe) {
                (Some(reading), Some(pipe)) => Arc::ptr_eq(&reading.pipe, pipe),
                _ => false,
            };
            if !is_known {
                self.0 = None;
                if let Some(pipe) = pipe {
                    match Reading::of(Arc::clone(&pipe)) {
                        Ok(reading) => self.0 = Some(reading),
                        // The system has no more descriptors.
                        Err(_) => terminal.lose(&pipe),
                    }
                }
            }
            self.0.as_ref()
        }
    }
}
