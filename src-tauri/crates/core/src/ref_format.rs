//! Git's rules for branch names.

/// Checks a branch name by the rules of `git check-ref-format --branch`. Returns the violated rule if the
/// name is invalid.
pub fn check_ref_format(name: &str) -> Result<(), &'static str> {
    let rules: [(bool, &'static str); 12] = [
        (name.is_empty(), "it is empty"),
        (name.starts_with('-'), "it must not start with -"),
        (name == "HEAD", "HEAD is not a branch"),
        (name == "@", "@ alone is not a branch"),
        (name.contains("@{"), "it must not contain @{"),
        (name.contains(".."), "it must not contain .."),
        (name.bytes().any(|b| b <= b' ' || b == 0x7f), "it must not contain spaces or control characters"),
        (name.contains(['~', '^', ':', '?', '*', '[', '\\']), "it must not contain any of ~ ^ : ? * [ \\"),
        (name.split('/').any(str::is_empty), "it must not start or end with / or contain //"),
        (name.split('/').any(|part| part.starts_with('.')), "no part of it may start with a dot"),
        (name.split('/').any(|part| part.ends_with(".lock")), "no part of it may end with .lock"),
        (name.ends_with('.'), "it must not end with a dot"),
    ];
    rules.iter().find(|(broken, _)| *broken).map_or(Ok(()), |(_, why)| Err(why))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_git_refuses_are_refused() {
        let refused = "|-x|--force|HEAD|@|@{-1}|a@{u}|a..b|a b|a\tb|a\nb|a\u{7f}b|a\u{1}b|a~1|a^|a:b|a?|a*|a[b]|a\\b\
            |/a|a/|a//b|/|.a|a/.b|.|a.lock|a.lock/b|a/b.lock|a.|a/b.|..|a/../b";
        for name in refused.split('|') {
            assert!(check_ref_format(name).is_err(), "{name:?} was accepted");
        }
    }

    #[test]
    fn names_that_git_accepts_are_accepted() {
        for name in [
            "main",
            "feat/BC-001-x",
            "a.b",
            "a./b",
            "a@b",
            "@/a",
            "a/@",
            "a-",
            "a/-b",
            "größe",
            "日本",
            "{a}",
            "a{b",
            "head",
            "a.LOCK",
            "a.lockx",
            "refs/heads/x",
            "a/HEAD",
            "x!#$%&()+,;=]",
            "\"quoted\"",
            "a'b",
            "\u{85}",
            "a\u{a0}b",
        ] {
            assert_eq!(check_ref_format(name), Ok(()), "{name:?}");
        }
    }
}
