//! The address of another machine, in the form that ssh accepts.

use std::str::FromStr;

/// `HOST`, `USER@HOST`, or a host alias from the ssh configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MachineAddress(String);

/// The error for a string that is not a machine address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a machine is HOST or USER@HOST, or a name from your ssh configuration")]
pub struct NoAddress;

impl MachineAddress {
    /// The address as an argument of ssh.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for MachineAddress {
    type Err = NoAddress;

    /// Rejects a leading `-`, which ssh would take for an option, and characters that are special in a shell:
    /// ssh can insert the name into commands from its configuration, such as `ProxyCommand`.
    fn from_str(text: &str) -> Result<MachineAddress, NoAddress> {
        let allowed =
            |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '_' | '@' | ':' | '[' | ']' | '%' | '+');
        let good = !text.is_empty() && !text.starts_with(['-', '@']) && text.chars().all(allowed);
        good.then(|| MachineAddress(text.to_owned())).ok_or(NoAddress)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_accepted_and_options_and_shell_syntax_are_not() {
        for good in ["build-1", "ana@10.0.0.7", "2001:db8::1", "fe80::1%eth0", "machine.example.org"] {
            assert_eq!(good.parse::<MachineAddress>().unwrap().as_str(), good);
        }
        for bad in ["", "-oProxyCommand=x", "a b", "a;b", "a$(b)", "a\n", "@a", "`a`", "a'b"] {
            assert_eq!(bad.parse::<MachineAddress>(), Err(NoAddress), "{bad:?}");
        }
    }
}
