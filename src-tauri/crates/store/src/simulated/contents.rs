//! Computes the possible contents of a file after a power cut with unsynced writes.

use super::prove::Grain;
use std::{collections::BTreeSet, sync::Arc};

/// Returns every possible content after a power cut. `versions` are the contents at the last sync and after
/// each later change. The file can have the length of any version, and each block can independently have the
/// content of any version. A write that extends the file can have stopped in the middle. `grain` determines
/// the block size and the positions at which a write can stop.
pub(super) fn possible(versions: &[Vec<u8>], grain: Grain) -> BTreeSet<Arc<[u8]>> {
    let mut found = BTreeSet::new();
    let (block, changing) = blocks(versions, grain);
    let lengths: BTreeSet<usize> = versions.iter().map(Vec::len).collect();
    let mut choice = vec![0; changing.len()];
    loop {
        for &len in &lengths {
            let mut bytes = at_length(&versions[0], len);
            for (&at, &version) in changing.iter().zip(&choice) {
                let from = at * block;
                let to = len.min(from + block);
                if from < to {
                    let source = at_length(&versions[version], len);
                    bytes[from..to].copy_from_slice(&source[from..to]);
                }
            }
            found.insert(bytes.into());
        }
        if !next(&mut choice, versions.len()) {
            break;
        }
    }
    for pair in versions.windows(2) {
        let grown = pair[0].len()..pair[1].len();
        for len in grown.clone().step_by(grain.step(grown.len())) {
            found.insert(pair[1][..len].into());
        }
    }
    found
}

/// Returns the block size, and the indexes of the blocks that differ between versions.
fn blocks(versions: &[Vec<u8>], grain: Grain) -> (usize, Vec<usize>) {
    let longest = versions.iter().map(Vec::len).max().unwrap_or(0);
    for block in (9..).map(|power| 1_usize << power) {
        let differ = |&at: &usize| {
            let part =
                |bytes: &[u8]| at_length(bytes, longest)[at * block..longest.min((at + 1) * block)].to_vec();
            versions.iter().any(|version| part(version) != part(&versions[0]))
        };
        let changing: Vec<usize> = (0..longest.div_ceil(block)).filter(differ).collect();
        let mixtures = u32::try_from(changing.len()).ok().and_then(|n| versions.len().checked_pow(n));
        if mixtures.is_some_and(|mixtures| mixtures <= grain.mixtures()) {
            return (block, changing);
        }
    }
    unreachable!("a single block is within the limit")
}

/// Returns the content at this length, truncated or extended with zeros.
fn at_length(bytes: &[u8], len: usize) -> Vec<u8> {
    let mut bytes = bytes[..len.min(bytes.len())].to_vec();
    bytes.resize(len, 0);
    bytes
}

/// Increments a number given by its digits, the least significant first. Returns `false` after the greatest
/// number.
fn next(digits: &mut [usize], base: usize) -> bool {
    for digit in digits {
        *digit += 1;
        if *digit < base {
            return true;
        }
        *digit = 0;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(versions: &[&[u8]]) -> Vec<Vec<u8>> {
        let versions: Vec<_> = versions.iter().map(|v| v.to_vec()).collect();
        possible(&versions, Grain::Byte).into_iter().map(|bytes| bytes.to_vec()).collect()
    }

    #[test]
    fn an_unsynced_write_survives_in_full_in_part_as_zeros_or_not_at_all() {
        assert_eq!(all(&[b"", b"ab"]), [&b""[..], b"\0\0", b"a", b"ab"]);
        assert_eq!(all(&[b"x", b"xa"]), [&b"x"[..], b"x\0", b"xa"]);
    }

    #[test]
    fn truncations_and_writes_may_be_reordered() {
        assert_eq!(all(&[b"ab", b"a", b"ac"]), [&b"a"[..], b"a\0", b"ab", b"ac"]);
    }

    #[test]
    fn blocks_are_written_independently() {
        let (zeros, old) = (vec![0; 512], vec![b'o'; 512]);
        let (a, b) = (vec![b'a'; 512], vec![b'b'; 512]);
        let found = possible(&[old.clone(), [&old[..], &a, &b].concat()], Grain::Byte);
        for tail in [[&a[..], &zeros].concat(), [&zeros[..], &b].concat()] {
            assert!(found.contains(&Arc::from([&old[..], &tail].concat())));
        }
    }
}
