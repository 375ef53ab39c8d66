//! The application behind the window.

use bc_bridge::{Backend, EventFeed, EventRing, TerminalPipe};
use bc_core::ids::SessionId;
use bc_wire::{ApiError, ErrorCode};
use serde_json::Value;
use std::sync::Arc;

/// Opens it.
pub(crate) fn open() -> Arc<dyn Backend> {
    Arc::new(Unconnected { events: EventRing::default() })
}

/// A window without an engine: it says so.
struct Unconnected {
    events: EventRing,
}

impl Unconnected {
    fn error(&self) -> ApiError {
        ApiError::new(ErrorCode::EngineUnreachable, "this window has no engine")
            .hint("use `beads-console` on the command line")
    }
}

impl Backend for Unconnected {
    fn call(&self, _method: &str, _project: Option<&str>, _params: Value) -> Result<Value, ApiError> {
        Err(self.error())
    }

    fn events(&self, since: Option<u64>) -> EventFeed {
        self.events.follow(since)
    }

    fn terminal(&self, _: &str, _: SessionId, _: (u16, u16)) -> Result<Box<dyn TerminalPipe>, ApiError> {
        Err(self.error())
    }
}
