//! Command lines as users write them: words with POSIX shell quoting, without expansions.

/// A quote in a command line is not closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a quote is not closed")]
pub struct OpenQuote;

/// Splits a command line, such as `sh -c "npm ci"`, into words.
///
/// # Errors
///
/// Returns [`OpenQuote`] if a quote is not closed.
pub fn command_words(line: &str) -> Result<Vec<String>, OpenQuote> {
    shell_words::split(line).map_err(|_| OpenQuote)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_split_as_by_a_posix_shell() {
        let table: [(&str, &[&str]); 10] = [
            (r#"sh -c "printf '%s\n'""#, &["sh", "-c", r"printf '%s\n'"]),
            (r#"sh -c 'printf "%s\n"'"#, &["sh", "-c", r#"printf "%s\n""#]),
            (r#"a\ b "c\"d" "e\\f" "g\$h" "i\j""#, &["a b", "c\"d", r"e\f", "g$h", r"i\j"]),
            (r#"it\'s '' """#, &["it's", "", ""]),
            ("ssh  host\t\"cd {cwd}; exec\"", &["ssh", "host", "cd {cwd}; exec"]),
            (r#"a'b'"c"d"#, &["abcd"]),
            ("x # a comment", &["x"]),
            ("x#y", &["x#y"]),
            (r"\", &[r"\"]),
            ("", &[]),
        ];
        for (line, words) in table {
            assert_eq!(command_words(line).unwrap(), words, "{line}");
        }
        for line in ["say \"a", "sh -c 'a b"] {
            assert_eq!(command_words(line), Err(OpenQuote), "{line}");
        }
    }
}
