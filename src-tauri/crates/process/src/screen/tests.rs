//! Tests of screens. Most replay a snapshot into a fresh terminal, and compare it with the original terminal.

use super::*;

fn fed(size: Size, output: &[u8]) -> Screen {
    let mut screen = Screen::new(size);
    screen.feed(output);
    screen
}

/// Feeds `before`, replays the snapshot into a fresh terminal, feeds `after` to both, and compares the two
/// terminals' screens and modes.
fn check(before: &[u8], after: &[u8]) {
    let size = Size::new(10, 40);
    let mut live = fed(size, before);
    let mut replayed = fed(size, &live.snapshot());
    live.feed(after);
    replayed.feed(after);
    let (a, b) = (live.parser.screen(), replayed.parser.screen());
    assert_eq!(a.contents_formatted(), b.contents_formatted());
    assert_eq!(a.input_mode_formatted(), b.input_mode_formatted());
    assert_eq!(a.cursor_position(), b.cursor_position());
    assert_eq!(a.alternate_screen(), b.alternate_screen());
    assert_eq!(live.title(), replayed.title());
    assert_eq!(
        String::from_utf8_lossy(&live.snapshot()),
        String::from_utf8_lossy(&replayed.snapshot()),
        "a snapshot of the replay differs"
    );
}

#[test]
fn colours_wide_characters_and_the_cursor_are_restored() {
    check("a \x1b[1;38;2;9;8;7mbold 日本語 👩‍💻\x1b[0m\r\n\x1b[4;7munder\x1b[3;5Hx".as_bytes(), b"");
}

#[test]
fn a_wrapped_line_stays_wrapped() {
    check(&[b'w'; 40], b"next");
}

#[test]
fn claudes_modes_are_restored() {
    let modes = b"\x1b[?1049h\x1b[?25l\x1b[?2004h\x1b[?1004h\x1b[?1000h\x1b[?1002h\x1b[?1003h\x1b[?1006h\
        \x1b[>1u\x1b[>4;2m\x1b[?2031h\x1b]0;\xe2\x9c\xb3 idle\x07";
    check(modes, b"");
    let snapshot = String::from_utf8(fed(Size::default(), modes).snapshot()).unwrap();
    for wanted in
        ["\x1b[?1004h", "\x1b[?1003h", "\x1b[?1006h", "\x1b[>1u", "\x1b[>4;2m", "\x1b[?2031h", "\x1b[?2004h"]
    {
        assert!(snapshot.contains(wanted), "{wanted:?} is missing in {snapshot:?}");
    }
    assert_eq!(fed(Size::default(), modes).title(), "✳ idle");
}

#[test]
fn modes_that_were_switched_off_stay_off() {
    let output = b"\x1b[?1004h\x1b[?1004l\x1b[>1u\x1b[<u\x1b[>4;2m\x1b[>4m";
    let snapshot = String::from_utf8(fed(Size::default(), output).snapshot()).unwrap();
    for unwanted in ["\x1b[?1004h", "\x1b[>1u", "\x1b[>4;2m"] {
        assert!(!snapshot.contains(unwanted), "{unwanted:?} is in {snapshot:?}");
    }
}

#[test]
fn a_full_reset_forgets_the_modes() {
    check(b"\x1b[?1004h\x1b[>1uhello\x1bcworld", b"");
}

#[test]
fn the_main_screen_returns_after_the_alternate_one() {
    check(b"main text\r\nsecond\x1b[?1049hALTERNATE", b"\x1b[?1049lmore");
}

#[test]
fn a_scroll_region_still_scrolls() {
    check(b"\x1b[1;1Htop\x1b[3;6rin the region", b"\r\n1\r\n2\r\n3\r\n4\r\n5");
}

#[test]
fn a_split_sequence_or_character_is_continued() {
    for (before, after) in [
        (&b"x\x1b[3"[..], &b"1mred"[..]),
        (b"x\x1b", b"[5;5Hthere"),
        (b"x\xe2\x9c", b"\xb3 star"),
        (b"x\x1b]0;half a ti", b"tle\x07shown"),
        (b"x\x1b]0;half\x1b", b"\\shown"),
        (b"x\x1bP+q544e", b"\x1b\\shown"),
        (b"x\x1b_Gi=31", b"\x1b\\shown"),
        (b"x\x1b(", b"Bshown"),
    ] {
        check(before, after);
    }
}

#[test]
fn an_endless_string_is_not_stored_but_still_consumed() {
    let mut before = b"x\x1b]52;c;".to_vec();
    before.resize(200_000, b'A');
    let live = fed(Size::default(), &before);
    assert!(live.snapshot().len() < 10_000);
    check(&before, b"AAAA\x07shown");
}

#[test]
fn a_snapshot_contains_no_query() {
    let output = b"\x1b[c\x1b[>c\x1b[6n\x1b[5n\x1b[?u\x1b[>q\x1b[18t\x1b]11;?\x07\x1bP+q544e\x1b\\\x1b_Gi=1,a=q\x1b\\\x1b[?2026$ptext";
    let snapshot = String::from_utf8(fed(Size::default(), output).snapshot()).unwrap();
    assert!(snapshot.contains("text"));
    for query in ["\x1b[c", "\x1b[>c", "n", "\x1b[?u", "\x1b[>q", "18t", "?\x07", "\x1bP", "\x1b_", "$p"] {
        assert!(!snapshot.contains(query), "{query:?} is in {snapshot:?}");
    }
}

#[test]
fn a_title_cannot_inject_a_sequence() {
    let screen = fed(Size::default(), b"\x1b]0;a\x01b\x7f\xe2\x80\xaec\x07");
    assert_eq!(screen.title(), "abc");
}

#[test]
fn a_visible_snapshot_does_not_contain_the_main_screen() {
    let screen = fed(Size::default(), b"main\x1b[?1049halt");
    let snapshot = String::from_utf8(screen.snapshot_visible()).unwrap();
    assert!(
        !snapshot.contains("1049") && !snapshot.contains("main") && snapshot.contains("alt"),
        "{snapshot:?}"
    );
}

#[test]
fn a_screen_reports_its_plain_text_and_offset() {
    let mut screen = fed(Size::new(5, 20), b"one\r\n\x1b[31mtwo\x1b[0m   ");
    assert_eq!(screen.text(), "one\ntwo");
    assert_eq!(screen.offset(), 20);
    screen.resize(Size::new(2, 4));
    assert_eq!((screen.size(), screen.offset()), (Size::new(2, 4), 20));
}

/// Generates a fixed pseudo-random series of complete and broken sequences.
fn noise(rounds: usize) -> impl Iterator<Item = Vec<u8>> {
    let mut seed = 0x2545_f491_4f6c_dd1du64;
    (0..rounds).map(move |_| {
        let alphabet = b"\x1b[]?;<>=0123456789hlmrucHJKABCDPX_^\\\x07\x18 xyz\xe2\x9c\xb3\r\n\x9b\xff";
        (0..64)
            .map(|_| {
                seed ^= seed << 13;
                seed ^= seed >> 7;
                seed ^= seed << 17;
                alphabet[(seed % alphabet.len() as u64) as usize]
            })
            .collect()
    })
}

#[test]
fn any_output_replays_to_the_same_text() {
    let mut screen = Screen::new(Size::new(6, 20));
    for (round, bytes) in noise(2000).enumerate() {
        screen.feed(&bytes);
        let mut replayed = Screen::new(screen.size());
        replayed.feed(&screen.snapshot());
        assert_eq!(
            replayed.text(),
            screen.text(),
            "round {round} {:?}",
            String::from_utf8_lossy(&screen.snapshot())
        );
    }
}

#[test]
fn any_output_at_any_size_causes_no_panic() {
    let mut screen = Screen::new(Size::new(3, 7));
    for (round, bytes) in (0u16..).zip(noise(2000)) {
        screen.feed(&bytes);
        screen.resize(Size::new(1 + round % 9, 2 + round % 11));
        assert!(!screen.snapshot().is_empty());
    }
}

#[test]
fn a_hint_in_an_empty_field_is_not_text() {
    let size = Size::new(4, 40);
    let hint = "\u{276f}\u{a0}\x1b[7mT\x1b[0;2mry this\x1b[0m\r\n\u{2500}\u{2500}";
    let screen = fed(size, hint.as_bytes());
    assert_eq!(screen.text(), "\u{276f}\u{a0}Try this\n\u{2500}\u{2500}");
    assert_eq!(screen.contents().without_hints[..2], ["\u{276f}\u{a0}", "\u{2500}\u{2500}"]);
    let typed = "\u{276f}\u{a0}\u{65e5}\u{672c} typed\x1b[7m \x1b[0m";
    let contents = fed(size, typed.as_bytes()).contents();
    assert_eq!(contents.without_hints[0], "\u{276f}\u{a0}\u{65e5}\u{672c} typed");
    assert_eq!((contents.cursor, contents.cols), ((0, 13), 40));
}
