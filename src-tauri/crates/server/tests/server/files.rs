//! The UI's files.

use crate::client::running;
use bc_bridge::assets;

#[test]
fn the_page_and_its_files_are_served_with_their_types() {
    let server = running();
    let page = server.ask("GET", "/", &server.own(), "");
    assert_eq!((page.status, page.header("content-type")), (200, Some("text/html; charset=utf-8")));
    assert_eq!(page.header("cache-control"), Some("no-cache"));
    assert_eq!(page.body, assets::find("/").unwrap().bytes);
    for path in assets::paths() {
        let file = server.ask("GET", &format!("/{path}"), &server.own(), "");
        assert_eq!(file.status, 200, "{path}");
        assert_eq!(file.body, assets::find(path).unwrap().bytes, "{path}");
    }
}

#[test]
fn nothing_else_is_served() {
    let server = running();
    for path in
        ["/nothing.js", "/../Cargo.toml", "/%2e%2e/Cargo.toml", "/assets/", "/etc/passwd", "/index.html/x"]
    {
        let answer = server.ask("GET", path, &server.own(), "");
        assert_eq!(answer.status, 404, "{path}");
    }
}
