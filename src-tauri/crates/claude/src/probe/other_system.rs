//! Detects a claude that belongs to another system. Windows and Linux under WSL can start each other's
//! programs, but claude keeps its login, settings and conversations in the home folder of its system.

use crate::paths::Env;

/// Another operating system on this machine. Its programs can be started from this system, but use a
/// different home folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OtherSystem {
    /// Windows, as seen from WSL.
    Windows,
    /// Linux in WSL, as seen from Windows.
    Wsl,
}

impl OtherSystem {
    /// The system's name in messages for users.
    pub fn name(self) -> &'static str {
        match self {
            OtherSystem::Windows => "Windows",
            OtherSystem::Wsl => "WSL",
        }
    }
}

/// The other system to which a program belongs; `None` if it belongs to this system.
pub(super) fn other_system(path: &str, in_wsl: bool) -> Option<OtherSystem> {
    let path = path.replace('\\', "/").to_ascii_lowercase();
    if path.starts_with("//wsl$/") || path.starts_with("//wsl.localhost/") {
        return Some(OtherSystem::Wsl);
    }
    // WSL mounts each Windows drive in `/mnt` under its letter.
    let drive = path.strip_prefix("/mnt/").is_some_and(|rest| rest.as_bytes().get(1) == Some(&b'/'));
    (in_wsl && drive).then_some(OtherSystem::Windows)
}

pub(super) fn in_wsl(env: &Env) -> bool {
    let kernel = || std::fs::read_to_string("/proc/sys/kernel/osrelease");
    cfg!(target_os = "linux")
        && (env.get("WSL_DISTRO_NAME").is_some()
            || kernel().is_ok_and(|release| release.to_ascii_lowercase().contains("microsoft")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_of_the_other_side_of_wsl_are_known_by_their_path() {
        for (path, in_wsl, expect) in [
            ("/mnt/c/Users/me/AppData/Roaming/npm/claude", true, Some(OtherSystem::Windows)),
            ("/mnt/c/Users/me/AppData/Roaming/npm/claude", false, None),
            ("/mnt/data/bin/claude", true, None),
            ("/home/me/.local/bin/claude", true, None),
            (r"\\wsl$\Debian\home\me\.local\bin\claude", false, Some(OtherSystem::Wsl)),
            (r"\\wsl.localhost\Debian\usr\bin\claude", false, Some(OtherSystem::Wsl)),
            (r"\\server\share\claude.exe", false, None),
        ] {
            assert_eq!(other_system(path, in_wsl), expect, "{path}");
        }
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_shell_of_wsl_is_recognized() {
        assert!(in_wsl(&[("WSL_DISTRO_NAME", "Debian")].into_iter().collect()));
    }
}
