//! Selects how WebKit draws the page on Linux.
//!
//! WebKit draws with a graphics card. Without a card, a library emulates one and compiles shaders at run
//! time. This delays the first board by a second, and every drawing process loads the compiler. On such a
//! machine, this module makes WebKit draw without an emulated card.

use tauri::WebviewWindow;

/// The environment variables that make WebKit draw without a card. WebKit's own settings take effect too
/// late, after WebKit has prepared the emulated card.
#[cfg(target_os = "linux")]
const WITHOUT_CARD: [&str; 2] = ["WEBKIT_DISABLE_DMABUF_RENDERER", "WEBKIT_DISABLE_COMPOSITING_MODE"];

/// Selects drawing without a card if this machine has none. Call this function first, while the process has
/// one thread. Variables that the user has set are kept.
#[cfg(target_os = "linux")]
pub fn choose_drawing() {
    if has_card(std::path::Path::new("/dev")) {
        return;
    }
    let unset: Vec<&str> = WITHOUT_CARD.into_iter().filter(|name| std::env::var_os(name).is_none()).collect();
    for name in &unset {
        // SAFETY: no other thread exists yet that could read the environment.
        unsafe { std::env::set_var(name, "1") };
    }
    bc_process::private_env::hide_from_children(unset);
}

/// Does nothing on other systems.
#[cfg(not(target_os = "linux"))]
pub fn choose_drawing() {}

/// Whether WebKit draws without a card, by our choice or by the user's.
#[cfg(target_os = "linux")]
pub(crate) fn is_without_card() -> bool {
    WITHOUT_CARD.into_iter().any(|name| std::env::var_os(name).is_some_and(|said| said != "0"))
}

/// Disables hardware acceleration and WebGL in a window if this machine has no graphics card. Call this
/// function before the page is loaded.
#[cfg(target_os = "linux")]
pub(crate) fn apply_to(window: &WebviewWindow) -> tauri::Result<()> {
    use webkit2gtk::{HardwareAccelerationPolicy, SettingsExt, WebViewExt};

    if has_card(std::path::Path::new("/dev")) {
        return Ok(());
    }
    window.with_webview(|webview| {
        if let Some(settings) = WebViewExt::settings(&webview.inner()) {
            settings.set_hardware_acceleration_policy(HardwareAccelerationPolicy::Never);
            // Without WebGL, the page also draws its terminals without a card.
            settings.set_enable_webgl(false);
        }
    })
}

/// Does nothing on other systems.
#[cfg(not(target_os = "linux"))]
pub(crate) fn apply_to(_window: &WebviewWindow) -> tauri::Result<()> {
    Ok(())
}

/// Whether the kernel has a graphics card device, including cards with a vendor's driver.
#[cfg(target_os = "linux")]
fn has_card(devices: &std::path::Path) -> bool {
    let nodes = std::fs::read_dir(devices.join("dri")).into_iter().flatten().flatten();
    let mut names = nodes.filter_map(|node| node.file_name().into_string().ok());
    names.any(|name| name.starts_with("renderD"))
        || ["nvidiactl", "dxg", "kgsl-3d0", "mali0"].iter().any(|name| devices.join(name).exists())
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn only_render_capable_devices_count_as_graphics_cards() {
        let devices = tempfile::tempdir().unwrap();
        let put = |name: &str| {
            let path = devices.path().join(name);
            std::fs::create_dir_all(path).unwrap();
        };
        assert!(!has_card(devices.path()));
        put("dri/card0");
        assert!(!has_card(devices.path()));
        put("dri/renderD128");
        assert!(has_card(devices.path()));
    }

    #[test]
    fn a_card_with_a_proprietary_driver_counts() {
        let devices = tempfile::tempdir().unwrap();
        std::fs::create_dir(devices.path().join("nvidiactl")).unwrap();
        assert!(has_card(devices.path()));
    }
}
