//! The UI's files, embedded at build time. If the UI was not built, the only file is a page with the commands
//! that build it.

/// The path below the UI's root and the content of each file, sorted by path.
static FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/files.rs"));

const UNBUILT_PAGE: &[u8] = include_bytes!("unbuilt.html");

/// The commands that build the UI and this program, to be run in the source folder. The placeholder page
/// shows the same commands.
pub const HOW_TO_BUILD: [&str; 3] =
    ["npm --prefix ui ci", "npm --prefix ui run build", "cargo build --release --bin beads-console"];

/// One of the UI's files, with the data for HTTP headers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Asset {
    pub bytes: &'static [u8],
    pub media_type: &'static str,
    /// Whether the file's name changes with its content, so that the file can be cached forever.
    pub lasting: bool,
}

/// Whether this program contains the built UI. Otherwise, it contains only the placeholder page.
pub fn is_built() -> bool {
    !FILES.is_empty()
}

/// The file at a path below the UI's root; the empty path means `index.html`. `None` if the file does not
/// exist.
pub fn find(path: &str) -> Option<Asset> {
    let path = path.trim_start_matches('/');
    let path = if path.is_empty() { "index.html" } else { path };
    if !is_built() && path == "index.html" {
        return Some(Asset { bytes: UNBUILT_PAGE, media_type: media_type(path), lasting: false });
    }
    let at = FILES.binary_search_by_key(&path, |(name, _)| name).ok()?;
    Some(Asset { bytes: FILES[at].1, media_type: media_type(path), lasting: path.starts_with("assets/") })
}

/// The paths of all files below the UI's root; none if the UI was not built.
pub fn paths() -> impl Iterator<Item = &'static str> {
    FILES.iter().map(|(name, _)| *name)
}

fn media_type(path: &str) -> &'static str {
    match path.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "woff" => "font/woff",
        "json" | "map" => "application/json",
        "wasm" => "application/wasm",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_always_a_page() {
        for path in ["", "/", "index.html", "/index.html"] {
            let page = find(path).expect("a page");
            assert_eq!(page.media_type, "text/html; charset=utf-8");
            assert!(!page.lasting && page.bytes.starts_with(b"<!doctype html>"), "{path}");
        }
    }

    #[test]
    fn the_page_of_a_build_without_the_ui_says_how_to_build_it() {
        let text = std::str::from_utf8(UNBUILT_PAGE).expect("it is text");
        for line in HOW_TO_BUILD {
            assert!(text.contains(line), "{line}");
        }
    }

    #[test]
    fn every_embedded_file_is_found_and_nothing_else() {
        for path in paths() {
            assert!(find(path).is_some_and(|asset| asset.media_type != "application/octet-stream"), "{path}");
        }
        for path in ["../Cargo.toml", "assets", "assets/", "index.html/", "nothing.js", "//"] {
            let found = find(path);
            assert!(found.is_none() || path == "//", "{path}");
        }
    }
}
