//! Distributes a session's context pieces over claude hooks. Claude waits for each hook's process, so fewer
//! hooks are better; but claude truncates a hook's output at a limit.

use bc_core::{
    memory::{BUDGET, HOW},
    recovery::BLOCK_MAX,
    text::units,
};
use bc_host::{ContextPiece, MEMORIES_SOURCE, PIECE_MAX, RECOVERY_SOURCE};

/// The length of the separator between two pieces in a hook's output, in UTF-16 code units.
const BETWEEN: usize = 2;

/// For each hook, the number of consecutive pieces that it outputs.
pub(super) fn hook_shares(pieces: &[ContextPiece]) -> Vec<usize> {
    let (mut shares, mut room): (Vec<usize>, usize) = (Vec::new(), 0);
    for piece in pieces {
        let longest = longest(piece) + BETWEEN;
        match shares.last_mut().filter(|_| longest <= room) {
            Some(share) => {
                *share += 1;
                room -= longest;
            }
            None => {
                shares.push(1);
                room = PIECE_MAX.saturating_sub(longest);
            }
        }
    }
    shares
}

/// The maximum length that a piece can reach, in UTF-16 code units: some pieces are renewed during the
/// session.
fn longest(piece: &ContextPiece) -> usize {
    let now = units(&piece.text);
    match piece.source.as_str() {
        RECOVERY_SOURCE => now.max(BLOCK_MAX),
        MEMORIES_SOURCE => now.max(BUDGET + HOW.len() + BETWEEN),
        _ => now,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(source: &str, length: usize) -> ContextPiece {
        ContextPiece { source: source.to_owned(), text: "x".repeat(length) }
    }

    fn of(pieces: &[(&str, usize)]) -> Vec<usize> {
        hook_shares(&pieces.iter().map(|(source, length)| piece(source, *length)).collect::<Vec<_>>())
    }

    #[test]
    fn short_texts_share_a_hook_and_no_hook_exceeds_the_models_limit() {
        let begin = [(RECOVERY_SOURCE, 900), (MEMORIES_SOURCE, 300)];
        assert_eq!(of(&begin), [2]);
        let with = |packs: &[usize]| {
            of(&[&begin[..], &packs.iter().map(|n| ("pack", *n)).collect::<Vec<_>>()].concat())
        };
        assert_eq!(with(&[1_000]), [3]);
        assert_eq!(with(&[9_000]), [2, 1]);
        assert_eq!(with(&[9_000, 400, 400, 9_500]), [2, 2, 1, 1]);
        assert_eq!(of(&[]), [0; 0]);
    }

    #[test]
    fn a_rebuilt_text_has_room_to_grow() {
        let longest = BLOCK_MAX + BUDGET + HOW.len() + 2 * BETWEEN;
        assert!(longest + BETWEEN <= PIECE_MAX);
        let left = PIECE_MAX - longest - BETWEEN;
        let with = |pack: usize| of(&[(RECOVERY_SOURCE, 1), (MEMORIES_SOURCE, 1), ("pack", pack)]);
        assert_eq!((with(left - BETWEEN), with(left - BETWEEN + 1)), (vec![3], vec![2, 1]));
    }
}
