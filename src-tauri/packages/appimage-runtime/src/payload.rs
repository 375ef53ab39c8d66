//! The squashfs that follows the runtime in an AppImage file.

use backhand::{FilesystemReader, InnerNode};
use std::{
    fs::{self, File},
    io::{self, BufReader, Read, Seek, SeekFrom},
    os::unix::fs::{PermissionsExt, symlink},
    path::{Component, Path, PathBuf},
};

/// The size of a squashfs superblock, in bytes. It contains the inode count, time, sizes and positions, so it
/// differs between contents.
const SUPERBLOCK: usize = 96;

/// An AppImage's squashfs.
#[derive(Debug)]
pub(crate) struct Payload {
    file: PathBuf,
    offset: u64,
    id: String,
}

impl Payload {
    /// Finds the squashfs in an AppImage. Fails if the file cannot be read or has no squashfs after the
    /// runtime.
    pub(crate) fn open(path: &Path) -> io::Result<Payload> {
        let mut file = File::open(path)?;
        let mut header = [0; 64];
        file.read_exact(&mut header)?;
        let offset = end_of_program(&header)?;
        let length = file.seek(SeekFrom::End(0))?;
        file.seek(SeekFrom::Start(offset))?;
        let mut first = [0; SUPERBLOCK];
        file.read_exact(&mut first).map_err(|_| damaged("no data follows the program"))?;
        if !first.starts_with(b"hsqs") {
            return Err(damaged("no squashfs follows the program"));
        }
        let id = format!("{}-{:016x}-{length:x}", env!("CARGO_PKG_VERSION"), hash(&first));
        Ok(Payload { file: path.to_owned(), offset, id })
    }

    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    /// The folder name for this content: the version, a hash and the file's length.
    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    /// Unpacks all files into a folder, and creates the folder.
    pub(crate) fn unpack(&self, folder: &Path) -> io::Result<()> {
        let reader = BufReader::with_capacity(1 << 20, File::open(&self.file)?);
        let unreadable = |error: backhand::BackhandError| damaged(&error.to_string());
        let squashfs = FilesystemReader::from_reader_with_offset(reader, self.offset).map_err(unreadable)?;
        fs::create_dir_all(folder)?;
        for node in squashfs.files() {
            let Some(place) = inside(folder, &node.fullpath) else {
                return Err(damaged(&format!("{} leads out of the folder", node.fullpath.display())));
            };
            match &node.inner {
                InnerNode::Dir(_) => fs::create_dir_all(&place)?,
                InnerNode::Symlink(link) => symlink(&link.link, &place)?,
                InnerNode::File(content) => {
                    let mut to = File::options().write(true).create_new(true).open(&place)?;
                    io::copy(&mut squashfs.file(content).reader(), &mut to)?;
                    to.set_permissions(fs::Permissions::from_mode(u32::from(
                        node.header.permissions & 0o755,
                    )))?;
                }
                // Our AppImages contain no devices or other special files.
                _ => {
                    return Err(damaged(&format!(
                        "{} is not a file, folder or link",
                        node.fullpath.display()
                    )));
                }
            }
        }
        Ok(())
    }
}

/// Converts a path in the squashfs to a path in the folder. Returns `None` if the path leads out of the folder.
fn inside(folder: &Path, path: &Path) -> Option<PathBuf> {
    let mut place = folder.to_owned();
    for part in path.components() {
        match part {
            Component::RootDir | Component::CurDir => {}
            Component::Normal(name) => place.push(name),
            Component::ParentDir | Component::Prefix(_) => return None,
        }
    }
    Some(place)
}

/// Returns the length of a 64-bit ELF program in bytes. The section header table is its last part.
fn end_of_program(header: &[u8; 64]) -> io::Result<u64> {
    if !header.starts_with(b"\x7fELF\x02\x01") {
        return Err(damaged("it is not a program for a 64-bit little-endian machine"));
    }
    let short = |at: usize| u64::from(u16::from_le_bytes([header[at], header[at + 1]]));
    let mut table = [0; 8];
    table.copy_from_slice(&header[0x28..0x30]);
    Ok(u64::from_le_bytes(table) + short(0x3a) * short(0x3c))
}

/// Returns the FNV-1a hash, which distinguishes versions but does not protect against manipulation.
fn hash(bytes: &[u8]) -> u64 {
    let start = 0xcbf2_9ce4_8422_2325;
    bytes.iter().fold(start, |hash: u64, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

fn damaged(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("the AppImage is damaged: {why}"))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use backhand::{FilesystemCompressor, FilesystemWriter, NodeHeader, compression::Compressor};
    use std::io::Write;

    /// A file like an AppImage: a program's header, and a squashfs with these files.
    pub(crate) fn appimage(folder: &Path, files: &[(&str, &str)]) -> PathBuf {
        let mut header = [0u8; 64];
        header[..6].copy_from_slice(b"\x7fELF\x02\x01");
        header[0x28..0x30].copy_from_slice(&64u64.to_le_bytes());
        let path = folder.join("app.AppImage");
        let mut file =
            File::options().write(true).read(true).create(true).truncate(true).open(&path).unwrap();
        file.write_all(&header).unwrap();
        let mut writer = FilesystemWriter::default();
        writer.set_compressor(FilesystemCompressor::new(Compressor::Gzip, None).unwrap());
        let mode = |permissions| NodeHeader { permissions, ..NodeHeader::default() };
        writer.push_dir("usr", mode(0o755)).unwrap();
        for (name, text) in files {
            writer.push_file(io::Cursor::new(text.as_bytes().to_vec()), name, mode(0o755)).unwrap();
        }
        writer.push_symlink("AppRun", "usr/link", mode(0o777)).unwrap();
        let mut squashfs = io::Cursor::new(Vec::new());
        writer.write(&mut squashfs).unwrap();
        file.write_all(squashfs.get_ref()).unwrap();
        path
    }

    #[test]
    fn files_links_and_permissions_are_unpacked() {
        let dir = tempfile::tempdir().unwrap();
        let payload =
            Payload::open(&appimage(dir.path(), &[("AppRun", "#!/bin/sh\n"), ("usr/text", "hello")]))
                .unwrap();
        let folder = dir.path().join("out");
        payload.unpack(&folder).unwrap();
        assert_eq!(payload.offset(), 64);
        assert_eq!(fs::read_to_string(folder.join("usr/text")).unwrap(), "hello");
        assert_eq!(fs::read_link(folder.join("usr/link")).unwrap(), Path::new("AppRun"));
        assert_eq!(fs::metadata(folder.join("AppRun")).unwrap().permissions().mode() & 0o777, 0o755);
    }

    #[test]
    fn damaged_files_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        let path = appimage(dir.path(), &[("AppRun", "")]);
        let whole = fs::read(&path).unwrap();
        for (length, content) in
            [(0, "empty"), (32, "half a header"), (64, "no payload"), (100, "half a superblock")]
        {
            let file = File::options().write(true).open(&path).unwrap();
            file.set_len(length).unwrap();
            assert!(Payload::open(&path).is_err(), "{content}");
        }
        assert!(whole.len() > 160);
        assert_eq!(inside(Path::new("/a"), Path::new("/b/../../c")), None);
        assert_eq!(inside(Path::new("/a"), Path::new("/b/c")), Some("/a/b/c".into()));
    }
}
