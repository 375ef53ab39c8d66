//! The mapped code of the process, as Linux lists it.

use rustix::mm::{Advice, madvise};
use std::{fs, ops::Range, os::unix::ffi::OsStrExt};

pub(crate) fn let_go_of_code() {
    let (Ok(maps), Ok(program)) = (fs::read("/proc/self/maps"), fs::read_link("/proc/self/exe")) else {
        return;
    };
    for code in code(&maps, program.as_os_str().as_bytes()) {
        // SAFETY: the pages are the program's file, mapped privately and never written to. Whoever runs next in one, this
        // thread first of all, has it mapped again from that file, which cannot change while it is run.
        let _ = unsafe { madvise(code.start as *mut _, code.len(), Advice::LinuxDontNeed) };
    }
}

pub(crate) fn grow_in_large_steps() {
    // In bytes. Whoever sets the first number has to set the others too: glibc lets them grow with what is asked for only as
    // long as none of them was set, and a buffer above the second is had from the system and given back each time.
    #[cfg(target_env = "gnu")]
    for (which, value) in
        [(libc::M_TOP_PAD, 4 << 20), (libc::M_MMAP_THRESHOLD, 8 << 20), (libc::M_TRIM_THRESHOLD, 16 << 20)]
    {
        // SAFETY: it sets a number that is looked at when memory is asked for; nothing else is done by it.
        unsafe { libc::mallopt(which, value) };
    }
}

/// Where the program's own code is, of the lines `start-end r-xp offset device inode path`.
fn code(maps: &[u8], program: &[u8]) -> Vec<Range<usize>> {
    let of_line = |line: &[u8]| {
        let line = line.strip_suffix(program)?;
        let mut words = std::str::from_utf8(line).ok()?.split_ascii_whitespace();
        let (start, end) = words.next()?.split_once('-')?;
        let address = |text| usize::from_str_radix(text, 16).ok();
        (words.next()? == "r-xp").then_some(address(start)?..address(end)?)
    };
    maps.split(|byte| *byte == b'\n').filter_map(of_line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_what_is_run_and_never_written() {
        let maps = b"00200000-0090f000 r--p 00000000 fe:00 7 /usr/bin/a b\n\
            0090f000-0185f000 r-xp 0070e000 fe:00 7 /usr/bin/a b\n\
            0185f000-018ed000 rw-p 0165d000 fe:00 7 /usr/bin/a b\n\
            7f30901f0000-7f3090216000 r-xp 00000000 fe:00 9 /usr/lib/libc.so.6\n";
        let found = code(maps, b"/usr/bin/a b");
        assert_eq!((found.len(), found[0].start, found[0].end), (1, 0x0090_f000, 0x0185_f000));
    }

    #[test]
    fn the_program_goes_on_without_what_was_let_go_of() {
        let maps = fs::read("/proc/self/maps").unwrap();
        let program = fs::read_link("/proc/self/exe").unwrap();
        assert!(!code(&maps, program.as_os_str().as_bytes()).is_empty());
        let_go_of_code();
        assert_eq!(format!("{:?}", [1, 2].map(|n| n * 2)), "[2, 4]");
    }
}
