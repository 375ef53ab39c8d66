//! The UI's files.

use crate::pages;
use axum::{
    http::{HeaderMap, Uri, header},
    response::{IntoResponse, Response},
};
use bc_bridge::assets;

pub(crate) async fn file(uri: Uri, headers: HeaderMap) -> Response {
    let Some(asset) = assets::find(uri.path()) else { return pages::not_found(&headers) };
    let cache = if asset.lasting { "private, max-age=31536000, immutable" } else { "no-cache" };
    ([(header::CONTENT_TYPE, asset.media_type), (header::CACHE_CONTROL, cache)], asset.bytes).into_response()
}
