//! Places other than this machine where sessions can run: other machines over ssh, containers, and pods.

use serde::{Deserialize, Serialize};

/// A place, as configured by the user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct Place {
    pub name: String,
    #[serde(flatten)]
    pub kind: PlaceKind,
    /// The folder for the work at the place. A relative path starts at the home folder.
    pub folder: String,
    /// The Beads Console program at the place, as a path or a name in PATH.
    pub program: String,
    /// The maximum number of sessions that the fleet runs concurrently at the place; `null` for no limit.
    pub capacity: Option<u32>,
    /// Labels for the fleet: a bead with the label `place:LABEL` runs only at places with that label.
    pub labels: Vec<String>,
    /// Whether the place is being emptied: no new session starts at it, and the fleet moves its work
    /// elsewhere.
    pub draining: bool,
    /// The address, as seen from the place, of the Dolt server that holds the beads of the user's projects:
    /// `HOST:PORT`. Agents at the place use it directly. `null` if their commands go through this machine.
    /// Without effect for a project whose beads are not on a Dolt server.
    pub dolt_server: Option<String>,
}

/// How this program reaches a place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum PlaceKind {
    /// Another machine, over ssh.
    Ssh {
        /// The machine, in a form that ssh accepts: `HOST`, `USER@HOST` or a name from ssh's configuration.
        host: String,
    },
    /// A container for each session.
    Container(ContainerSettings),
    /// A Kubernetes pod for each session.
    Kubernetes(PodSettings),
}

/// The settings of a session's container.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct ContainerSettings {
    pub engine: ContainerEngine,
    /// The image, in a form that the container engine accepts.
    pub image: String,
    /// Folders and volumes, in the format of the engine's `--volume` option: `SOURCE:TARGET[:OPTIONS]`.
    pub mounts: Vec<String>,
    /// The container's memory limit, in the format of the engine's `--memory` option, for example `4g`;
    /// `null` for no limit.
    pub memory: Option<String>,
    /// The container's CPU limit, for example `1.5`; `null` for no limit.
    pub cpus: Option<String>,
    /// Further options for the engine's `run` command, such as `--network=none`.
    pub options: Vec<String>,
}

/// The settings of a session's pod.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct PodSettings {
    /// The context in the user's kubeconfig; `null` for the current one.
    pub context: Option<String>,
    /// The namespace; `null` for the context's namespace.
    pub namespace: Option<String>,
    pub image: String,
    /// The pod's memory request and limit, in the Kubernetes format, for example `4Gi`; `null` for none.
    pub memory: Option<String>,
    /// The pod's CPU request and limit, for example `1500m`; `null` for none.
    pub cpus: Option<String>,
    /// The pod's service account; `null` for the default account, without access to the Kubernetes API.
    pub service_account: Option<String>,
    /// Kubernetes Secrets whose entries become environment variables in the pod.
    pub secrets: Vec<String>,
    /// The size of each session's volume, for example `10Gi`; `null` for no volume. Without a volume, the
    /// session's files are lost with the pod.
    pub volume: Option<String>,
}

/// The supported container engines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum ContainerEngine {
    Docker,
    Podman,
}

impl ContainerEngine {
    /// The name of the engine's command-line program.
    #[must_use]
    pub fn program(self) -> &'static str {
        match self {
            ContainerEngine::Docker => "docker",
            ContainerEngine::Podman => "podman",
        }
    }
}

impl PlaceKind {
    /// The machine, or the image with its container engine or namespace, as text for users.
    #[must_use]
    pub fn target(&self) -> String {
        match self {
            PlaceKind::Ssh { host } => host.clone(),
            PlaceKind::Container(container) => format!("{} {}", container.engine.program(), container.image),
            PlaceKind::Kubernetes(pod) => match &pod.namespace {
                Some(namespace) => format!("kubernetes {namespace} {}", pod.image),
                None => format!("kubernetes {}", pod.image),
            },
        }
    }
}

/// Identifies a place by its name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct PlaceRef {
    pub name: String,
}

/// The user's places, sorted by name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct Places {
    pub places: Vec<Place>,
    /// Entries of the settings that cannot be read.
    pub warnings: Vec<String>,
}

/// The result of checking a place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct PlaceCheck {
    /// The checked place, with its settings.
    pub place: Place,
    /// Whether every required part is usable.
    pub ok: bool,
    pub parts: Vec<PlacePart>,
    /// The difference between the place's clock and this machine's; `null` if the place reported no time.
    pub clock: Option<PlaceClock>,
    /// The free space on the folder's disk, in bytes; `null` if unknown.
    #[specta(type = Option<u32>)]
    pub free: Option<u64>,
}

/// The result of checking one part of a place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct PlacePart {
    /// The part that was checked.
    pub what: PlaceHas,
    /// Whether the part is usable.
    pub ok: bool,
    /// Whether sessions at the place need this part.
    pub required: bool,
    /// The part's version; `null` if the part has no version or is missing.
    pub version: Option<String>,
    /// The finding, and the remedy if the part is not usable.
    pub means: String,
}

/// The parts of a place that are checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum PlaceHas {
    Program,
    Claude,
    Git,
    /// The tracker bd.
    Bd,
    /// The folder for the work. The check writes a file into it.
    Folder,
}

/// The difference between a place's clock and this machine's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct PlaceClock {
    /// How far the place's clock is ahead of this machine's clock, in milliseconds; negative if it is behind.
    #[specta(type = i32)]
    pub ahead_ms: i64,
    /// The largest possible error of that difference, in milliseconds.
    #[specta(type = u32)]
    pub within_ms: u64,
}
