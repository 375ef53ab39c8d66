//! A place as a session's link uses it, and the errors of places.

use super::list;
use crate::ssh::{self, MachineAddress};
use bc_remote::{DescribeError, Description, PlaceAccess};
use bc_wire::{ApiError, ErrorCode};

/// The place with this name.
///
/// # Errors
/// There is none, or its settings cannot be used.
pub(crate) fn access(name: &str) -> Result<PlaceAccess, ApiError> {
    let place = list::get(name)?;
    Ok(PlaceAccess {
        name: place.name,
        ssh: ssh::words(),
        host: place.host,
        program: place.program,
        folder: place.folder,
    })
}

/// What the place has.
///
/// # Errors
/// It cannot be reached, or it has no Beads Console of this version.
pub(crate) fn describe(place: &PlaceAccess) -> Result<Description, ApiError> {
    bc_remote::describe(place).map_err(|error| {
        let name = &place.name;
        let hint = format!("check it with `beads-console places test {name}`");
        match error {
            DescribeError::Unreachable { code, said } => {
                let machine: Result<MachineAddress, _> = place.host.parse();
                let known = machine.ok().and_then(|machine| ssh::failure(&machine, code, &said));
                known.map_or_else(
                    || {
                        ApiError::new(ErrorCode::MachineUnreachable, format!("{name} cannot be reached"))
                            .hint(hint)
                    },
                    ssh::SshFailure::into_error,
                )
            }
            DescribeError::Program(why) => {
                ApiError::new(ErrorCode::ProgramMissing, format!("{name}: {}", bc_core::text::plain(&why)))
                    .hint(hint)
            }
            DescribeError::OtherVersion(version) => ApiError::new(
                ErrorCode::OtherVersion,
                format!(
                    "{name} has Beads Console {}, which does not fit this version",
                    bc_core::text::plain(&version)
                ),
            )
            .hint(format!("install version {} there", env!("CARGO_PKG_VERSION"))),
        }
    })
}
