//! Random secrets and their digests.

use sha2::{Digest, Sha256};

/// Returns 256 random bits as 64 hexadecimal digits.
pub(crate) fn random() -> Result<String, getrandom::Error> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes)?;
    Ok(hex(&bytes))
}

pub(crate) fn digest(text: &str) -> String {
    hex(&Sha256::digest(text))
}

/// Compares two secrets in constant time, so that the duration does not reveal the position of the first
/// difference.
pub(crate) fn same(own: &str, given: &str) -> bool {
    let differing = own.bytes().zip(given.bytes()).fold(0, |found, (a, b)| found | (a ^ b));
    own.len() == given.len() && differing == 0
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_is_standard_sha256() {
        let of_abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(digest("abc"), of_abc);
        assert!(same(of_abc, of_abc) && !same(of_abc, &of_abc[1..]) && !same("", of_abc));
        assert_ne!(random().unwrap(), random().unwrap());
    }
}
