//! Compares a terminal that skips lines with one that receives a byte at a time and therefore skips none.

use super::*;

/// Generates a fixed pseudo-random series of typical program output.
fn floods() -> impl Iterator<Item = Vec<u8>> {
    let mut seed = 0x9e37_79b9_7f4a_7c15u64;
    let mut random = move |below: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed % below as u64) as usize
    };
    (0..60).map(move |_| {
        let mut bytes = Vec::new();
        // Insert pieces that are not plain only rarely, so that long plain runs occur.
        let odd = 20 + random(400);
        while bytes.len() < 9_000 {
            let length = random(90);
            bytes.extend(
                "größe ☃日本 the quick brown fox jumps over the lazy dog; ".repeat(3).bytes().take(length),
            );
            let plain: [&[u8]; 9] = [
                b"\r\n",
                b"\r\n",
                b"\n",
                b"\r",
                b"\x1b[31m",
                b"\x1b[0m",
                b"\x1b[1;48;5;7m",
                b"\x1b[K",
                b"\t\x08",
            ];
            bytes.extend_from_slice(plain[random(plain.len())]);
            if random(odd) == 0 {
                let odd: [&[u8]; 12] = [
                    b"\x1b[3;5r",
                    b"\x1b[r",
                    b"\x1b[2A",
                    b"\x1b[H",
                    b"\x1b[?1049h",
                    b"\x1b[?1049l",
                    b"\x1bM",
                    b"\x0b",
                    b"\x1b]0;title\x07",
                    b"\x1b[>4;2m",
                    b"\x1b7",
                    b"\x1b8",
                ];
                bytes.extend_from_slice(odd[random(odd.len())]);
            }
        }
        // Cut the output at a random position, possibly within a character or a sequence.
        bytes.truncate(bytes.len() - random(8));
        bytes
    })
}

#[test]
fn bulk_output_leaves_the_same_screen_as_single_bytes() {
    let size = Size::new(6, 30);
    let (mut at_once, mut one_by_one) = (Screen::new(size), Screen::new(size));
    for (round, flood) in floods().enumerate() {
        at_once.feed(&flood);
        flood.iter().for_each(|&byte| one_by_one.feed(&[byte]));
        let (a, b) = (at_once.snapshot(), one_by_one.snapshot());
        assert_eq!(String::from_utf8_lossy(&a), String::from_utf8_lossy(&b), "round {round}");
        assert_eq!(at_once.offset(), one_by_one.offset());
    }
}

#[test]
fn a_long_plain_run_needs_only_colours_and_the_last_lines() {
    let mut run = b"\x1b[1mold\x1b[0m\x1b[32m\x1b[K".to_vec();
    (0..1000).for_each(|n| run.extend(format!("line {n}\r\n").bytes()));
    assert_eq!(skim::plain(&run), run.len());
    let (colours, lines) = skim::needed(&run, 3);
    assert_eq!(colours, b"\x1b[0m\x1b[32m");
    assert_eq!(
        lines,
        b"line 996\r\nline 997\r\nline 998\r\nline 999\r\n".split_at(10).1,
        "rows and one more"
    );
    assert_eq!(
        skim::needed(b"a\r\nb\r\nc\r\n", 1),
        (Vec::new(), &b"a\r\nb\r\nc\r\n"[..]),
        "a short one is parsed"
    );
}

#[test]
fn cursor_movements_and_other_sequences_are_not_plain() {
    for odd in
        [&b"\x1b[2A"[..], b"\x1b[>4;2m", b"\x1b[?25l", b"\x1b]0;t\x07", b"\x1bM", b"\x0c", b"\x1b[3", b"\x1b"]
    {
        assert_eq!(skim::plain(&[b"text\r\n", odd].concat()), 6, "{odd:?}");
    }
}
