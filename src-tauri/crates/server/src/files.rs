//! The UI's files. They are public, because they are identical in every installation and contain no user
//! data.

use crate::pages;
use axum::{
    http::{HeaderMap, Uri, header},
    response::{IntoResponse, Response},
};
use bc_bridge::assets::{self, Asset};

pub(crate) async fn file(uri: Uri, headers: HeaderMap) -> Response {
    let Some(asset) = assets::find(uri.path()) else { return pages::not_found(&headers) };
    serve(asset)
}

/// The UI's page at `/open`, the address of links.
pub(crate) async fn page(headers: HeaderMap) -> Response {
    assets::find("/").map_or_else(|| pages::not_found(&headers), serve)
}

fn serve(asset: Asset) -> Response {
    let cache = if asset.lasting { "private, max-age=31536000, immutable" } else { "no-cache" };
    ([(header::CONTENT_TYPE, asset.media_type), (header::CACHE_CONTROL, cache)], asset.bytes).into_response()
}
