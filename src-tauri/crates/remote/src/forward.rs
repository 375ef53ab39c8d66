//! Forwards bytes from one stream to another.

use std::io::{self, Read, Write};

/// The maximum size of a piece, in bytes.
const PIECE: usize = 64 << 10;

/// Forwards bytes as they arrive, until the end of `from`.
pub(crate) fn forward(from: &mut impl Read, to: &mut impl Write) -> io::Result<()> {
    let mut piece = vec![0; PIECE];
    loop {
        match from.read(&mut piece) {
            Ok(0) => return Ok(()),
            Ok(n) => {
                to.write_all(&piece[..n])?;
                to.flush()?;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}
