//! The UI's files for the window: the same bytes as the server's.

use bc_bridge::assets;
use std::borrow::Cow;
use tauri::{
    Assets, Runtime,
    utils::assets::{AssetKey, AssetsIter, CspHash},
};

/// Serves the files of [`bc_bridge::assets`] to the window.
#[derive(Debug)]
pub struct Embedded;

impl<R: Runtime> Assets<R> for Embedded {
    fn get(&self, key: &AssetKey) -> Option<Cow<'_, [u8]>> {
        assets::find(key.as_ref()).map(|asset| Cow::Borrowed(asset.bytes))
    }

    fn iter(&self) -> Box<AssetsIter<'_>> {
        let file = |path| assets::find(path).map(|asset| (Cow::Borrowed(path), Cow::Borrowed(asset.bytes)));
        Box::new(assets::paths().filter_map(file))
    }

    fn csp_hashes(&self, _html_path: &AssetKey) -> Box<dyn Iterator<Item = CspHash<'_>> + '_> {
        // The page has no inline scripts that a content security policy would have to allow.
        Box::new(std::iter::empty())
    }
}
