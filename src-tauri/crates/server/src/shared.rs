//! The state shared by all routes.

use crate::{access::Access, people::Presence, shutdown::WebSockets};
use axum::http::HeaderValue;
use bc_bridge::Backend;
use std::sync::Arc;

pub(crate) struct Shared {
    pub(crate) backend: Arc<dyn Backend>,
    pub(crate) access: Arc<Access>,
    pub(crate) presence: Arc<Presence>,
    pub(crate) policy: HeaderValue,
    pub(crate) websockets: WebSockets,
}
