//! Truncates a messages file at each of its last bytes, and flips bits in each of them. The code must not
//! panic, and no intact line may be lost.

use super::{fixture::*, *};
use crate::file;
use bc_core::message::Message;
use std::{fs, ops::Range, path::Path, thread};

/// The number of bytes at the end of the file that the full test damages one by one.
const DAMAGED: usize = 64 << 10;

/// The bits to flip in a byte: one that changes a letter, one that changes its case, and all bits.
const FLIPS: [u8; 3] = [0x01, 0x20, 0xff];

#[test]
fn a_file_damaged_at_any_byte_loses_no_intact_line() {
    damage(1 << 10, &FLIPS);
}

#[test]
#[ignore = "takes minutes"]
fn a_file_damaged_at_any_byte_of_its_last_64_kib_loses_no_intact_line() {
    damage(DAMAGED, &FLIPS);
}

/// A messages file that is slightly longer than the part that the test damages.
struct Whole {
    bytes: Vec<u8>,
    said: Vec<Message>,
    /// The range of each line, without the newline.
    lines: Vec<Range<usize>>,
}

impl Whole {
    fn longer_than(len: usize) -> Whole {
        let mut whole = Whole { bytes: vec![], said: vec![], lines: vec![] };
        // Use messages of different lengths.
        for n in 0.. {
            let mut message = message(1, &format!("größer \"{}\" {{}}\n漢字", "text ".repeat(n % 9 * 90)));
            // The ids differ so much that a flipped bit cannot turn one into another.
            message.id = format!("msg_{:016x}", (n as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15));
            let line = serde_json::to_vec(&message).unwrap();
            whole.lines.push(whole.bytes.len()..whole.bytes.len() + line.len());
            whole.said.push(message);
            whole.bytes.extend([&line[..], b"\n"].concat());
            if whole.bytes.len() > len + 4000 {
                return whole;
            }
        }
        unreachable!("the loop returns when the file is long enough")
    }
}

fn damage(last: usize, flips: &[u8]) {
    let whole = Whole::longer_than(last);
    let places: Vec<usize> = (whole.bytes.len() - last..whole.bytes.len()).collect();
    let halves = places.split_at(places.len() / 2);
    let (cut, flipped) = thread::scope(|scope| {
        let run = |places| {
            scope.spawn({
                let whole = &whole;
                move || (cut(whole, places), flip(whole, places, flips))
            })
        };
        let (one, two) = (run(halves.0), run(halves.1));
        let (one, two) = (one.join().unwrap(), two.join().unwrap());
        (one.0 + two.0, one.1 + two.1)
    });
    println!(
        "COUNTED damages of the last {last} bytes of a messages file: {cut} cuts, {flipped} flipped bytes, no intact line lost"
    );
}

/// Creates a store, in memory if the system has a memory file system.
fn store(bytes: &[u8]) -> (tempfile::TempDir, SessionLock) {
    let folder = tempfile::tempdir_in(Path::new("/dev/shm")).or_else(|_| tempfile::tempdir()).unwrap();
    let lock = SessionStore::open(folder.path()).unwrap().create(&meta(1)).unwrap();
    scribble(&lock.messages_path(), bytes);
    (folder, lock)
}

fn cut(whole: &Whole, places: &[usize]) -> usize {
    let (_folder, lock) = store(&whole.bytes);
    let path = lock.messages_path();
    for &len in places {
        let intact = whole.lines.iter().filter(|line| line.end <= len).count();
        scribble(&path, &whole.bytes[..len]);
        let read = lock.transcript().unwrap();
        assert_eq!(read.messages, whole.said[..intact], "cut at {len}");
        // A writer that opens the file moves the torn line to another file, which must not lose a line
        // either.
        lock.message_writer().unwrap();
        let mended = fs::read(&path).unwrap();
        assert!(mended.ends_with(b"\n"), "cut at {len}");
        let kept = whole.lines[intact - 1].end;
        assert_eq!(mended[..kept], whole.bytes[..kept], "cut at {len}");
        let aside = lock.path().join("messages.jsonl.torn");
        let torn = file::read(&aside).unwrap().unwrap_or_default();
        let tail = whole.bytes[kept..len].strip_prefix(b"\n").unwrap_or_default();
        assert_eq!(torn.strip_suffix(b"\n").unwrap_or_default(), tail, "cut at {len}");
        file::remove(&aside).unwrap();
    }
    places.len()
}

fn flip(whole: &Whole, places: &[usize], flips: &[u8]) -> usize {
    let (_folder, lock) = store(&whole.bytes);
    let path = lock.messages_path();
    let mut bytes = whole.bytes.clone();
    for &at in places {
        // Only the line with the flipped byte may change or disappear; a newline does not belong to any line.
        let hit = whole.lines.iter().position(|line| line.contains(&at));
        for flip in flips {
            bytes[at] ^= flip;
            scribble(&path, &bytes);
            let read = lock.transcript().unwrap().messages;
            let mut left = read.iter();
            for (n, message) in whole.said.iter().enumerate().filter(|(n, _)| Some(*n) != hit) {
                assert!(
                    left.any(|read| read == message),
                    "line {n} is lost with byte {at} flipped by {flip:#x}"
                );
            }
            bytes[at] ^= flip;
        }
        // A damaged last newline also affects the writer.
        if at + 1 == bytes.len() {
            scribble(&path, [&bytes[..at], b"\0"].concat());
            lock.message_writer().unwrap().0.append(&message(1, "after")).unwrap();
            assert_eq!(lock.transcript().unwrap().messages.len(), whole.said.len() + 1);
        }
    }
    places.len() * flips.len()
}
