//! Quotes one word of a shell command line, because claude runs hooks through a shell.

/// Quotes the text as one word for the shell that runs claude's hooks.
pub fn shell_quote(word: &str) -> String {
    // On Windows that shell is Git Bash, which accepts paths with slashes.
    let word = if cfg!(windows) { word.replace('\\', "/") } else { word.to_owned() };
    posix(&word)
}

fn posix(word: &str) -> String {
    let plain =
        |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '.' | '_' | '-' | '+' | ':' | '@' | ',');
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_simple_word_is_not_quoted() {
        assert_eq!(posix("/usr/bin/beads-console"), "/usr/bin/beads-console");
        assert_eq!(posix(""), "''");
    }

    #[cfg(unix)]
    #[test]
    fn a_shell_reads_back_every_word() {
        let words =
            ["it's", "\"q\"", "a b", "größe", "$(touch x)`y`", "\\n", "a\nb", "*", "~", "-x", "'", "''\\''"];
        for word in words {
            let line = format!("printf %s {}", posix(word));
            let done = bc_process::run::Program::new("/bin/sh").args(["-c", &line]).run().unwrap();
            assert_eq!(done.out(), word);
        }
    }
}
