//! The mapped code of this process, and the settings of its allocator, on Linux.

use rustix::mm::{Advice, madvise};
use std::{fs, ops::Range, os::unix::ffi::OsStrExt};

pub(crate) fn release_code_pages() {
    let (Ok(maps), Ok(program)) = (fs::read("/proc/self/maps"), fs::read_link("/proc/self/exe")) else {
        return;
    };
    for code in code(&maps, program.as_os_str().as_bytes()) {
        // SAFETY: the pages map the program's file privately and are never written to. A thread that executes one
        // next, this one first of all, faults it in again from the file, which cannot change while it runs.
        let _ = unsafe { madvise(code.start as *mut _, code.len(), Advice::LinuxDontNeed) };
    }
}

pub(crate) fn grow_heap_in_large_steps() {
    // Values in bytes. Setting the first one requires the others: glibc adapts them only while none of them is set.
    // Without that, each buffer above the second value is mapped and unmapped every time.
    #[cfg(target_env = "gnu")]
    for (which, value) in
        [(libc::M_TOP_PAD, 4 << 20), (libc::M_MMAP_THRESHOLD, 8 << 20), (libc::M_TRIM_THRESHOLD, 16 << 20)]
    {
        // SAFETY: it only sets a number that the allocator reads.
        unsafe { libc::mallopt(which, value) };
    }
}

/// The address ranges of the program's own code in lines of `start-end r-xp offset device inode path`.
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
    fn only_the_executable_mapping_of_the_program_is_found() {
        let maps = b"00200000-0090f000 r--p 00000000 fe:00 7 /usr/bin/a b\n\
            0090f000-0185f000 r-xp 0070e000 fe:00 7 /usr/bin/a b\n\
            0185f000-018ed000 rw-p 0165d000 fe:00 7 /usr/bin/a b\n\
            7f30901f0000-7f3090216000 r-xp 00000000 fe:00 9 /usr/lib/libc.so.6\n";
        let found = code(maps, b"/usr/bin/a b");
        assert_eq!((found.len(), found[0].start, found[0].end), (1, 0x0090_f000, 0x0185_f000));
    }

    #[test]
    fn the_program_runs_on_after_its_code_pages_were_released() {
        let maps = fs::read("/proc/self/maps").unwrap();
        let program = fs::read_link("/proc/self/exe").unwrap();
        assert!(!code(&maps, program.as_os_str().as_bytes()).is_empty());
        release_code_pages();
        assert_eq!(format!("{:?}", [1, 2].map(|n| n * 2)), "[2, 4]");
    }
}
