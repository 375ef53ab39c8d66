//! Applies SQLite's write-ahead log to a copy of its database (<https://www.sqlite.org/fileformat2.html#walformat>).
//! Performs no I/O.

use bc_store::repository::limits;

/// The database's content with the log's committed pages, in the format of a database without a log. Bytes that
/// are not a log, and a log for a database of more than `limits::ROWS` bytes, are ignored.
pub(super) fn applied(mut database: Vec<u8>, wal: &[u8]) -> Vec<u8> {
    if let Some(pages) = Wal::read(wal).and_then(|wal| wal.committed()) {
        database.resize(pages.length, 0);
        for (number, page) in &pages.pages {
            let at = (*number as usize - 1).saturating_mul(page.len());
            // A later transaction may have shortened the database, so that this page is outside.
            if let Some(place) = at.checked_add(page.len()).and_then(|end| database.get_mut(at..end)) {
                place.copy_from_slice(page);
            }
        }
    }
    // An in-memory database has no log: set the read and write versions to those of a rollback journal.
    if let Some(versions) = database.get_mut(18..20) {
        versions.fill(1);
    }
    database
}

/// The pages of all complete transactions, in order, and the database's length after the last one.
struct Pages<'a> {
    pages: Vec<(u32, &'a [u8])>,
    length: usize,
}

struct Wal<'a> {
    page_size: usize,
    salt: &'a [u8],
    big_endian: bool,
    checksum: (u32, u32),
    frames: &'a [u8],
}

const HEADER: usize = 32;
const FRAME_HEADER: usize = 24;

impl<'a> Wal<'a> {
    fn read(bytes: &'a [u8]) -> Option<Wal<'a>> {
        let (header, frames) = bytes.split_at_checked(HEADER)?;
        let big_endian = match number(header, 0)? {
            0x377f_0682 => false,
            0x377f_0683 => true,
            _ => return None,
        };
        let page_size = number(header, 8)? as usize;
        if !page_size.is_power_of_two() || !(512..=65536).contains(&page_size) {
            return None;
        }
        let checksum = checksum((0, 0), &header[..24], big_endian);
        let is_whole = (number(header, 24)?, number(header, 28)?) == checksum;
        is_whole.then_some(Wal { page_size, salt: &header[16..24], big_endian, checksum, frames })
    }

    fn committed(&self) -> Option<Pages<'a>> {
        let mut pages: Vec<(u32, &[u8])> = Vec::new();
        // The end of the last transaction, and the database's length after it.
        let mut last: Option<(usize, usize)> = None;
        let mut sum = self.checksum;
        for frame in self.frames.chunks_exact(FRAME_HEADER + self.page_size) {
            let (header, page) = frame.split_at(FRAME_HEADER);
            sum = checksum(sum, &header[..8], self.big_endian);
            sum = checksum(sum, page, self.big_endian);
            let page_number = number(header, 0)?;
            // The first invalid frame ends the log; frames of an earlier log may follow.
            if header[8..16] != *self.salt
                || (number(header, 16)?, number(header, 20)?) != sum
                || page_number == 0
            {
                break;
            }
            pages.push((page_number, page));
            let length = number(header, 4)? as usize;
            if length > 0 {
                last = Some((pages.len(), length.saturating_mul(self.page_size)));
            }
        }
        let (end, length) = last.filter(|(_, length)| *length as u64 <= limits::ROWS)?;
        pages.truncate(end);
        Some(Pages { pages, length })
    }
}

fn number(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

fn checksum((mut a, mut b): (u32, u32), bytes: &[u8], big_endian: bool) -> (u32, u32) {
    let word = |bytes: &[u8]| {
        let bytes: [u8; 4] = bytes.try_into().expect("four bytes");
        if big_endian { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) }
    };
    for pair in bytes.chunks_exact(8) {
        a = a.wrapping_add(word(&pair[..4])).wrapping_add(b);
        b = b.wrapping_add(word(&pair[4..])).wrapping_add(a);
    }
    (a, b)
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "the files of a test's own folder")]
mod tests {
    use super::*;
    use rusqlite::Connection;

    fn titles(database: Vec<u8>) -> Vec<String> {
        let mut memory = Connection::open_in_memory().unwrap();
        let length = database.len();
        memory.deserialize_read_exact("main", &database[..], length, true).unwrap();
        let mut query = memory.prepare("select title from t order by rowid").unwrap();
        query.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
    }

    #[test]
    fn committed_pages_of_the_log_are_read_and_uncommitted_ones_are_not() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x.db");
        let read = |name: &str| std::fs::read(dir.path().join(name)).unwrap();
        let connection = Connection::open(&path).unwrap();
        connection
            .execute_batch("pragma journal_mode=wal; pragma wal_autocheckpoint=0; create table t (title text); insert into t values ('one'); pragma wal_checkpoint(truncate);")
            .unwrap();
        assert_eq!(titles(applied(read("x.db"), b"")), ["one"]);
        connection.execute("insert into t values (?1)", ["x".repeat(20_000)]).unwrap();
        connection.execute_batch("update t set title = 'uno' where title = 'one'").unwrap();
        let (database, wal) = (read("x.db"), read("x.db-wal"));
        assert_eq!(titles(applied(database.clone(), b"")), ["one"]);
        let whole = titles(applied(database.clone(), &wal));
        assert_eq!((whole[0].as_str(), whole[1].len()), ("uno", 20_000));
        // A log cut within the last transaction: only the earlier one is applied.
        let cut = titles(applied(database.clone(), &wal[..wal.len() - 1]));
        assert_eq!((cut[0].as_str(), cut.len()), ("one", 2));
        // After a checkpoint, frames of the earlier log remain behind the new ones.
        connection.execute_batch("pragma wal_checkpoint(restart); insert into t values ('new')").unwrap();
        let late = titles(applied(read("x.db"), &read("x.db-wal")));
        assert_eq!((late.len(), late[2].as_str()), (3, "new"));
        // A log that claims a huge database: valid, and refused.
        let mut huge = wal.clone();
        huge[HEADER + 4..HEADER + 8].copy_from_slice(&u32::MAX.to_be_bytes());
        huge.truncate(HEADER + FRAME_HEADER + 4096);
        let big_endian = huge[3] == 0x83;
        let header = checksum((0, 0), &huge[..24], big_endian);
        let sum = checksum(header, &huge[HEADER..HEADER + 8], big_endian);
        let sum = checksum(sum, &huge[HEADER + FRAME_HEADER..], big_endian);
        huge[HEADER + 16..HEADER + 20].copy_from_slice(&sum.0.to_be_bytes());
        huge[HEADER + 20..HEADER + 24].copy_from_slice(&sum.1.to_be_bytes());
        assert_eq!(titles(applied(database.clone(), &huge)), ["one"]);
        for junk in [&b"x"[..], &[0; 64], &[0xff; 5000], &wal[1..]] {
            assert_eq!(titles(applied(database.clone(), junk)), ["one"]);
        }
    }
}
