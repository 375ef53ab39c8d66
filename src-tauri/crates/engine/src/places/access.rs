//! Access to places, and errors about places.

use super::{container_settings, list, pod_settings};
use crate::ssh::{self, MachineAddress};
use bc_core::text::plain;
use bc_remote::{Container, DescribeError, Description, PlaceAccess, Reach, TemporaryContainer};
use bc_wire::{
    ApiError, ErrorCode,
    place::{Place, PlaceKind},
};
use uuid::Uuid;

/// The place with this name.
///
/// # Errors
/// There is no home folder or no place with this name, or the place's settings cannot be used.
pub(crate) fn access(name: &str) -> Result<PlaceAccess, ApiError> {
    list::get(name).map(of)
}

pub(super) fn of(place: Place) -> PlaceAccess {
    let reach = match place.kind {
        PlaceKind::Ssh { host } => Reach::Ssh { words: ssh::words(), host },
        PlaceKind::Container(settings) => Reach::Container(Container {
            engine: settings.engine.program().to_owned(),
            options: container_settings::options(&settings),
            image: settings.image,
            // The name for a check; `PlaceAccess::for_session` replaces it for a session.
            name: format!("beads-console-check-{}", Uuid::new_v4()),
        }),
        PlaceKind::Kubernetes(settings) => Reach::Pod(pod_settings::pod(settings)),
    };
    PlaceAccess { name: place.name, reach, program: place.program, folder: place.folder }
}

/// Starts a temporary container or pod for commands. An ssh host does not need one.
///
/// # Errors
/// The container engine or cluster cannot run the image.
pub(super) fn temporary(place: &PlaceAccess) -> Result<TemporaryContainer, ApiError> {
    place.temporary().map_err(|why| {
        let (what, hint) = match place.reach {
            Reach::Pod(_) => ("pod", "check that the cluster can be reached and can run this image"),
            _ => ("container", "check that the container engine can run this image with these options"),
        };
        let text = format!("{}: no {what} can be created: {}", place.name, plain(&why));
        ApiError::new(ErrorCode::MachineUnreachable, text).hint(hint)
    })
}

/// Queries the place for a description of its programs.
///
/// # Errors
/// The place cannot be reached or cannot run its image, or has no Beads Console of this version.
pub(crate) fn describe(place: &PlaceAccess) -> Result<Description, ApiError> {
    let _container = temporary(place)?;
    bc_remote::describe(place).map_err(|error| {
        let name = &place.name;
        let hint = format!("check it with `beads-console places test {name}`");
        match error {
            DescribeError::Unreachable { code, said } => connection_failure(place, code, &said)
                .unwrap_or_else(|| {
                    ApiError::new(ErrorCode::MachineUnreachable, format!("the connection to {name} failed"))
                        .hint(hint)
                }),
            DescribeError::Program(why) => {
                ApiError::new(ErrorCode::ProgramMissing, format!("{name}: {}", plain(&why))).hint(hint)
            }
            DescribeError::OtherVersion(version) => ApiError::new(
                ErrorCode::OtherVersion,
                format!("Beads Console {} at {name} does not fit this version", plain(&version)),
            )
            .hint(format!("install version {} at the place", env!("CARGO_PKG_VERSION"))),
        }
    })
}

/// The failure of ssh, the container engine or the cluster; `None` if the connection worked and the command failed.
pub(super) fn connection_failure(place: &PlaceAccess, code: Option<i32>, said: &str) -> Option<ApiError> {
    match &place.reach {
        Reach::Ssh { host, .. } => {
            let machine: MachineAddress = host.parse().ok()?;
            ssh::failure(&machine, code, said).map(ssh::SshFailure::into_error)
        }
        Reach::Container(container) => engine_failure(place, &container.engine, code, said),
        Reach::Pod(_) => engine_failure(place, "Kubernetes", code, said),
    }
}

/// The error for a command that failed at the place or got no answer.
pub(crate) fn command_failure(place: &PlaceAccess, code: Option<i32>, said: &str) -> ApiError {
    connection_failure(place, code, said).unwrap_or_else(|| {
        let text = format!("{}: {}", place.name, ssh::last_line(said));
        ApiError::new(ErrorCode::MachineUnreachable, text)
            .hint(format!("check it with `beads-console places test {}`", place.name))
    })
}

/// The error for a place that the session's link cannot reach.
pub(crate) fn unreachable(name: &str) -> ApiError {
    ApiError::new(ErrorCode::MachineUnreachable, format!("{name} cannot be reached"))
        .hint(format!("the session continues at {name}; try again when {name} can be reached"))
}

fn engine_failure(place: &PlaceAccess, engine: &str, code: Option<i32>, said: &str) -> Option<ApiError> {
    code.is_none_or(|code| code == ENGINE_FAILED).then(|| {
        let text = format!("{}: {engine} failed: {}", place.name, ssh::last_line(said));
        ApiError::new(ErrorCode::MachineUnreachable, text)
    })
}

/// The exit code with which docker, podman and our `pod-exec` report their own failures.
const ENGINE_FAILED: i32 = 125;
