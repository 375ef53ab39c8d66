//! The command that ssh runs on the other machine. ssh passes one line to that machine's login shell instead
//! of an argument list, so every word is quoted.

use super::ports::Ports;
use bc_engine::ssh;

/// Prints the version first, which older programs also support, and then runs `serve`.
const SCRIPT: &str = "command -v beads-console >/dev/null || exit 127; \
    beads-console --version || exit; exec beads-console \"$@\"";

/// The command line for the remote login shell.
pub(crate) fn line(ports: Ports, project: Option<&str>) -> String {
    let (port, origin) = (ports.remote.to_string(), ports.origin());
    let mut words = vec!["serve", "--json", "--while-stdin"];
    words.extend(["--port", &port, "--origin", &origin]);
    // The shell starts in the user's home folder. `~/` is removed, because a quoted `~` is not expanded.
    let inside = project.map(|folder| folder.strip_prefix("~/").unwrap_or(folder));
    let option = inside.filter(|&folder| folder != "~").map(|folder| format!("--project={folder}"));
    words.extend(option.as_deref());
    ssh::script_line(&format!("{}{SCRIPT}", ssh::USERS_PATH), &words)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn project(folder: Option<&str>) -> String {
        line(Ports { local: 41000, remote: 42000 }, folder)
    }

    #[test]
    fn every_word_is_quoted_for_the_remote_shell() {
        let line = project(Some("/srv/it's $(here)"));
        assert!(line.starts_with("exec 'sh' '-c' '"), "{line}");
        assert!(
            line.ends_with(r"'--origin' 'http://127.0.0.1:41000' '--project=/srv/it'\''s $(here)'"),
            "{line}"
        );
        assert!(line.contains("'--port' '42000'"), "{line}");
    }

    #[test]
    fn a_folder_in_the_home_folder_is_relative_to_it() {
        assert!(project(Some("~/demo")).ends_with("'--project=demo'"));
        assert!(project(Some("-x")).ends_with("'--project=-x'"));
        for home in [None, Some("~")] {
            assert!(!project(home).contains("--project"), "{home:?}");
        }
    }
}
