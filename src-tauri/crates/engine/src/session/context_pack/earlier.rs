//! Selects files that were touched by earlier sessions on the bead and on its epic's other beads. Performs no
//! I/O.

use super::{
    find::Wanted,
    mention::{Lines, Mention},
};
use bc_core::{
    ids::{BeadId, SessionId},
    session::Meta,
};
use bc_wire::session::PackKind;
use std::path::Path;

/// The maximum total number of files, over all sessions.
const FILES: usize = 16;
/// The maximum number of files per session.
const OF_ONE: usize = 8;
/// The relevance of a file from the bead's own sessions.
const OF_BEAD: f64 = 0.75;
/// The relevance of a file from a session on another bead of the epic.
const OF_EPIC: f64 = 0.45;
/// The number of lines in the excerpt, which starts at the beginning of the file.
const HEAD: u32 = 60;

/// The files that earlier sessions touched, the most relevant first. `siblings` are the beads of the same epic and
/// the epic itself.
pub(super) fn files(metas: &[Meta], own: SessionId, bead: &BeadId, siblings: &[BeadId]) -> Vec<Wanted> {
    let mut sessions: Vec<&Meta> = metas.iter().filter(|meta| meta.id != own).collect();
    sessions.sort_by_key(|meta| std::cmp::Reverse(meta.last_activated_at.unwrap_or(meta.created_at)));
    let of_bead = sessions.iter().filter(|meta| meta.bead_id.as_ref() == Some(bead));
    let of_epic = sessions
        .iter()
        .filter(|meta| meta.bead_id.as_ref().is_some_and(|other| other != bead && siblings.contains(other)));
    let of_bead =
        of_bead.map(|meta| (meta, OF_BEAD, "an earlier session on this bead touched it".to_owned()));
    let of_epic = of_epic.map(|meta| {
        let other = meta.bead_id.as_ref().map(BeadId::as_str).unwrap_or_default();
        (meta, OF_EPIC, format!("a session on {other} of the same epic touched it"))
    });
    let mut found: Vec<Wanted> = Vec::new();
    for (meta, relevance, reason) in of_bead.chain(of_epic) {
        // On Windows, a path with a root but without a drive is relative.
        let is_inside = |path: &Path| path.is_relative() && !path.has_root();
        let paths = meta.files_touched.iter().filter(|path| is_inside(Path::new(path)));
        for path in paths.take(OF_ONE) {
            if found.len() < FILES && found.iter().all(|known| known.path != *path) {
                let lines = Some(Lines { first: 1, last: HEAD });
                let mention = Mention { path: path.clone(), lines };
                found.push(Wanted::at(PackKind::Earlier, &mention, relevance, &reason));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use bc_core::session::Draft;
    use uuid::Uuid;

    fn meta(n: u128, bead: &str, files: &[&str]) -> Meta {
        let at = format!("2026-01-{n:02}T10:00:00Z").parse().unwrap();
        let mut meta = Meta::draft(Draft {
            bead_id: Some(bead.parse().unwrap()),
            ..Draft::new(SessionId(Uuid::from_u128(n)), "proj-1".parse().unwrap(), at)
        });
        meta.files_touched = files.iter().map(|file| (*file).to_owned()).collect();
        meta
    }

    #[test]
    fn the_beads_own_files_come_first_and_other_beads_are_left_out() {
        let metas = [
            meta(1, "bc-1", &["old.rs", "both.rs"]),
            meta(2, "bc-1", &["new.rs", "both.rs", "/etc/passwd"]),
            meta(3, "bc-2", &["sibling.rs", "new.rs"]),
            meta(4, "bc-9", &["other.rs"]),
            meta(5, "bc-1", &["own.rs"]),
        ];
        let (bead, sibling): (BeadId, BeadId) = ("bc-1".parse().unwrap(), "bc-2".parse().unwrap());
        let found = files(&metas, SessionId(Uuid::from_u128(5)), &bead, &[bead.clone(), sibling]);
        let found: Vec<_> = found.iter().map(|wanted| (wanted.path.as_str(), wanted.relevance)).collect();
        assert_eq!(
            found,
            [("new.rs", OF_BEAD), ("both.rs", OF_BEAD), ("old.rs", OF_BEAD), ("sibling.rs", OF_EPIC)]
        );
    }
}
