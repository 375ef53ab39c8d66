//! How the page is drawn.
//!
//! WebKit draws by way of a graphics card. Where there is none a library makes one believe, and compiles a
//! program for everything that is drawn: the first board takes a second longer, and every process that draws
//! has the compiler in its memory. WebKit itself draws the same picture directly.

use tauri::WebviewWindow;

/// What WebKit asks the environment for before it has any settings. Unless told, it gets the make-believe card
/// ready first and only then starts the process that draws the page.
#[cfg(target_os = "linux")]
const WITHOUT_CARD: [&str; 2] = ["WEBKIT_DISABLE_DMABUF_RENDERER", "WEBKIT_DISABLE_COMPOSITING_MODE"];

/// Tells WebKit how this machine draws. To be called first of all, while there is one thread; what the person
/// has said stays.
#[cfg(target_os = "linux")]
pub fn choose_drawing() {
    if has_card(std::path::Path::new("/dev")) {
        return;
    }
    let unsaid: Vec<&str> =
        WITHOUT_CARD.into_iter().filter(|name| std::env::var_os(name).is_none()).collect();
    for name in &unsaid {
        // SAFETY: nothing else runs in this process yet that could read the environment meanwhile.
        unsafe { std::env::set_var(name, "1") };
    }
    bc_process::own_env::keep(unsaid);
}

/// Elsewhere the system's own way is right.
#[cfg(not(target_os = "linux"))]
pub fn choose_drawing() {}

/// Whether WebKit was told so, by us or by the person.
#[cfg(target_os = "linux")]
pub(crate) fn is_without_card() -> bool {
    WITHOUT_CARD.into_iter().any(|name| std::env::var_os(name).is_some_and(|said| said != "0"))
}

/// Lets the window be drawn in the way that is fit for this machine. To be called before its page is there.
#[cfg(target_os = "linux")]
pub(crate) fn settle(window: &WebviewWindow) -> tauri::Result<()> {
    use webkit2gtk::{HardwareAccelerationPolicy, SettingsExt, WebViewExt};

    if has_card(std::path::Path::new("/dev")) {
        return Ok(());
    }
    window.with_webview(|webview| {
        if let Some(settings) = WebViewExt::settings(&webview.inner()) {
            settings.set_hardware_acceleration_policy(HardwareAccelerationPolicy::Never);
            // Terminals are drawn as the rest is.
            settings.set_enable_webgl(false);
        }
    })
}

/// Elsewhere the system's own way is right.
#[cfg(not(target_os = "linux"))]
pub(crate) fn settle(_window: &WebviewWindow) -> tauri::Result<()> {
    Ok(())
}

/// Whether there may be a card that draws: what the kernel has one as, the makers' own ways included.
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
    fn a_card_is_what_can_draw_and_not_what_can_only_show() {
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
    fn a_card_with_its_maker_s_own_driver_is_one() {
        let devices = tempfile::tempdir().unwrap();
        std::fs::create_dir(devices.path().join("nvidiactl")).unwrap();
        assert!(has_card(devices.path()));
    }
}
