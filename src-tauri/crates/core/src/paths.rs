//! Compares and records paths by the rules of the operating system.
//!
//! Git writes `C:/work` where Windows resolves `\\?\C:\work`; both name the same folder. Disk access is
//! deliberately elsewhere: callers resolve symbolic links first.

use std::path::{Path, PathBuf};
use unicode_normalization::UnicodeNormalization;

/// The rules by which a system compares names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rules {
    /// Names are compared byte by byte.
    Exact,
    /// Case and Unicode normalization do not matter.
    Mac,
    /// Case does not matter, `\` and `/` are equal, and the prefix `\\?\` is ignored.
    Windows,
}

const LOCAL_RULES: Rules = match () {
    () if cfg!(windows) => Rules::Windows,
    () if cfg!(target_os = "macos") => Rules::Mac,
    () => Rules::Exact,
};

/// Whether two absolute paths name the same file. Both must be free of symbolic links.
pub fn same(one: &Path, other: &Path) -> bool {
    one == other || (LOCAL_RULES != Rules::Exact && key(one, LOCAL_RULES) == key(other, LOCAL_RULES))
}

/// Returns the part of `path` below `folder`, or an empty path if both are equal; `None` if `path` is not
/// inside `folder`.
pub fn inside(path: &Path, folder: &Path) -> Option<PathBuf> {
    if let Ok(rest) = path.strip_prefix(folder) {
        return Some(rest.to_owned());
    }
    if LOCAL_RULES == Rules::Exact {
        return None;
    }
    let (path, folder) = (plain(path.to_owned()), plain(folder.to_owned()));
    let mut rest = path.components();
    for part in folder.components() {
        let next = rest.next()?;
        if key(Path::new(&next), LOCAL_RULES) != key(Path::new(&part), LOCAL_RULES) {
            return None;
        }
    }
    Some(rest.as_path().to_owned())
}

/// Removes the prefix `\\?\` if the path is valid without the prefix. On Windows, resolved paths have the
/// prefix, but other programs do not understand it.
pub fn plain(path: PathBuf) -> PathBuf {
    match path.to_str().and_then(|text| without_prefix(text, LOCAL_RULES)) {
        Some(text) => PathBuf::from(text),
        None => path,
    }
}

/// The path as written in our files and messages: with `/` on every system.
pub fn recorded(path: &Path) -> String {
    let text = plain(path.to_owned()).to_string_lossy().into_owned();
    if LOCAL_RULES == Rules::Windows { text.replace('\\', "/") } else { text }
}

/// The maximum length of a path without the prefix, in UTF-16 code units.
const PLAIN_MAX: usize = 259;

fn without_prefix(text: &str, rules: Rules) -> Option<String> {
    if rules != Rules::Windows {
        return None;
    }
    let rest = text.strip_prefix(r"\\?\")?;
    let plain = match rest.strip_prefix(r"UNC\") {
        Some(share) => format!(r"\\{share}"),
        None if rest.as_bytes().get(1) == Some(&b':') => rest.to_owned(),
        // A volume without a drive letter keeps the prefix.
        None => return None,
    };
    let is_valid = |name: &str| !name.ends_with(['.', ' ']) && !is_reserved(name);
    let valid = plain.split('\\').all(|name| name.is_empty() || is_valid(name));
    (valid && plain.encode_utf16().count() <= PLAIN_MAX).then_some(plain)
}

/// Whether two names are equal for a system that ignores case and Unicode normalization.
pub fn alike(one: &str, other: &str) -> bool {
    folded(one) == folded(other)
}

fn folded(text: &str) -> String {
    let lower: String = text.nfd().collect::<String>().to_lowercase();
    lower.nfc().collect()
}

/// Why Windows does not allow a file or folder with this name; `None` if Windows allows it.
pub fn not_portable(name: &str) -> Option<&'static str> {
    match () {
        () if is_reserved(name) => Some("Windows reserves this name for a device"),
        () if name.ends_with(['.', ' ']) => Some("on Windows, no name ends with a dot or a space"),
        () if name.contains(['<', '>', ':', '"', '|', '?', '*', '\\']) || name.contains(char::is_control) => {
            Some("on Windows, names cannot contain < > : \" | ? * \\ or control characters")
        }
        () => None,
    }
}

/// Another spelling of a name, equal on a system that ignores case or normalization; `None` if the name has
/// no other spelling.
pub fn other_spelling(name: &str) -> Option<String> {
    let swap = |c: char| if c.is_ascii_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() };
    let spellings = [name.chars().map(swap).collect::<String>(), name.nfd().collect(), name.nfc().collect()];
    spellings.into_iter().find(|other| other != name)
}

/// Whether Windows reserves the name for a device. Without the prefix `\\?\`, a path with such a name opens
/// the device.
pub fn is_reserved(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default().trim_end().to_ascii_lowercase();
    let numbered = |start: &str| {
        stem.strip_prefix(start).is_some_and(|rest| {
            matches!(rest, "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "¹" | "²" | "³")
        })
    };
    matches!(stem.as_str(), "con" | "prn" | "aux" | "nul" | "conin$" | "conout$")
        || numbered("com")
        || numbered("lpt")
}

/// A key that is equal for all spellings of a path.
fn key(path: &Path, rules: Rules) -> String {
    let text = path.to_string_lossy();
    match rules {
        Rules::Exact => text.into_owned(),
        Rules::Mac => folded(text.trim_end_matches('/')),
        Rules::Windows => {
            let slashes = text.replace('/', "\\");
            let plain = match slashes.strip_prefix(r"\\?\UNC\") {
                Some(share) => format!(r"\\{share}"),
                None => slashes.strip_prefix(r"\\?\").unwrap_or(&slashes).to_owned(),
            };
            plain.trim_end_matches('\\').to_lowercase()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn equal(one: &str, other: &str, rules: Rules) -> bool {
        key(Path::new(one), rules) == key(Path::new(other), rules)
    }

    #[test]
    fn all_spellings_of_a_windows_folder_are_equal() {
        for other in [r"C:\Work\x", "C:/Work/x", r"\\?\C:\Work\x", r"c:\work\X\"] {
            assert!(equal(r"C:\Work\x", other, Rules::Windows), "{other}");
        }
        assert!(equal(r"\\?\UNC\host\share\x", "//host/share/x", Rules::Windows));
        assert!(!equal(r"C:\Work\x", r"C:\Work\xy", Rules::Windows));
    }

    #[test]
    fn a_mac_ignores_case_and_normalization_and_linux_does_not() {
        assert!(equal("/Users/Jo\u{308}rg/", "/users/j\u{f6}rg", Rules::Mac));
        assert!(!equal("/Users/x", "/users/x", Rules::Exact));
    }

    #[test]
    fn the_prefix_is_removed_if_the_path_is_valid_without_it() {
        let plain = |text: &str| without_prefix(text, Rules::Windows);
        assert_eq!(plain(r"\\?\C:\a b\c").as_deref(), Some(r"C:\a b\c"));
        assert_eq!(plain(r"\\?\UNC\host\share\c").as_deref(), Some(r"\\host\share\c"));
        for kept in [r"\\?\Volume{1}\c", r"\\?\C:\a.\c", r"\\?\C:\con.txt", r"C:\a"] {
            assert_eq!(plain(kept), None, "{kept}");
        }
        assert_eq!(plain(&format!(r"\\?\C:\{}", "x".repeat(300))), None);
        assert_eq!(without_prefix(r"\\?\C:\a", Rules::Exact), None);
    }

    #[test]
    fn devices_are_recognized_with_endings_and_numbers() {
        let reserved = ["con", "NUL.txt", "Aux", "com1", "LPT9.log", "prn "].map(is_reserved);
        assert_eq!(reserved, [true; 6]);
        assert_eq!(["console", "com", "com0", "auxiliary"].map(is_reserved), [false; 4]);
    }

    #[test]
    fn names_that_differ_by_case_or_normalization_are_alike() {
        assert!(alike("feat/Gr\u{f6}\u{df}e", "FEAT/gro\u{308}\u{df}e") && !alike("feat/a", "feat/b"));
        assert_eq!(other_spelling("aB-1").as_deref(), Some("Ab-1"));
        assert_eq!(other_spelling("\u{f6}").as_deref(), Some("o\u{308}"));
        assert_eq!(other_spelling("1.\u{65e5}"), None);
    }

    #[test]
    fn names_that_windows_cannot_have_are_recognized() {
        for name in ["con", "Aux.md", "com1", "a.", "a ", "a<b", "a|b", "a:b", "a\tb"] {
            assert!(not_portable(name).is_some(), "{name:?}");
        }
        for name in ["console", "a.b", ".a", "gr\u{f6}\u{df}e 1", "a'b"] {
            assert_eq!(not_portable(name), None, "{name:?}");
        }
    }

    #[test]
    fn a_path_below_a_folder_is_recognized() {
        let rest = |path: &str, folder: &str| inside(Path::new(path), Path::new(folder));
        assert_eq!(rest("/a/b/c", "/a/b").as_deref(), Some(Path::new("c")));
        assert_eq!(rest("/a/b", "/a/b").as_deref(), Some(Path::new("")));
        assert_eq!(rest("/a/bc", "/a/b"), None);
    }
}
