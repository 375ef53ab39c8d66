//! Parses the block in which macOS keeps a process's arguments and environment (`KERN_PROCARGS2`).
//!
//! The block contains the number of arguments, the program's path, zero bytes, the arguments and the
//! environment. Each string ends with a zero byte. The count separates the arguments from the variables.

#[derive(Debug, PartialEq, Eq)]
pub(super) struct ProcArgs {
    pub(super) arguments: Vec<Vec<u8>>,
    /// Empty if the system hides the environment, as it does for most of Apple's own programs.
    pub(super) environment: Vec<Vec<u8>>,
}

/// Parses a block. Returns `None` if the block is malformed or ends before the last argument.
pub(super) fn parse(block: &[u8]) -> Option<ProcArgs> {
    let (count, rest) = block.split_at_checked(size_of::<i32>())?;
    let count = usize::try_from(i32::from_ne_bytes(count.try_into().ok()?)).ok()?;
    let path_end = rest.iter().position(|&b| b == 0)?;
    let padding = rest[path_end..].iter().take_while(|&&b| b == 0).count();
    let mut strings = rest[path_end + padding..].split(|&b| b == 0).map(<[u8]>::to_vec);
    let arguments: Vec<Vec<u8>> = strings.by_ref().take(count).collect();
    // A program that has shortened its title leaves zero bytes before the environment. The environment is
    // followed by an empty string and the system's own strings.
    let environment = strings.skip_while(Vec::is_empty).take_while(|string| !string.is_empty()).collect();
    (arguments.len() == count).then_some(ProcArgs { arguments, environment })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(count: i32, strings: &str) -> Vec<u8> {
        [&count.to_ne_bytes(), strings.as_bytes()].concat()
    }

    fn check(block: &[u8], arguments: &[&str], environment: &[&str]) {
        let bytes = |words: &[&str]| words.iter().map(|w| w.as_bytes().to_vec()).collect::<Vec<_>>();
        let expected = ProcArgs { arguments: bytes(arguments), environment: bytes(environment) };
        assert_eq!(parse(block), Some(expected));
    }

    #[test]
    fn the_argument_count_separates_arguments_from_the_environment() {
        let node = "/opt/homebrew/bin/node\0\0\0\0\0node\0-e\0MARKER=1\0PATH=/usr/bin\0MARKER=2\0\0\
                    executable_path=/opt/homebrew/bin/node\0\0\0";
        check(&block(3, node), &["node", "-e", "MARKER=1"], &["PATH=/usr/bin", "MARKER=2"]);
    }

    #[test]
    fn an_empty_argument_is_counted() {
        check(&block(3, "/bin/x\0\0x\0\0last\0A=1\0\0"), &["x", "", "last"], &["A=1"]);
    }

    #[test]
    fn a_hidden_environment_is_empty() {
        check(&block(2, "/bin/sleep\0\0\0sleep\x00600\0"), &["sleep", "600"], &[]);
    }

    #[test]
    fn the_environment_is_found_after_a_shortened_title() {
        check(
            &block(2, "/bin/node\0\0agent\0\0\0\0\0\0HOME=/Users/a b\0\0ptr_munge=\0"),
            &["agent", ""],
            &["HOME=/Users/a b"],
        );
    }

    #[test]
    fn a_truncated_block_is_refused() {
        assert_eq!(parse(b""), None);
        assert_eq!(parse(&[1, 0]), None);
        assert_eq!(parse(&block(-1, "/bin/x\0\0x\0")), None);
        assert_eq!(parse(&block(1, "/bin/x")), None);
        assert_eq!(parse(&block(9, "/bin/x\0\0x\0y\0")), None);
    }
}
