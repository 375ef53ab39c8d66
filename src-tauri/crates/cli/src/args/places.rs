//! Arguments of `places …`.

use bc_engine::ssh::MachineAddress;
use bc_wire::place::{ContainerEngine, ContainerSettings, Place, PlaceKind, PodSettings};
use clap::{Args, Subcommand, ValueEnum, value_parser};

/// Subcommands of `places`.
#[derive(Debug, Subcommand)]
pub(crate) enum PlacesCommand {
    /// List places: name, machine or image, folder.
    List,
    /// Add a place: another machine over ssh, or with --image a container for each session, or with --kubernetes a pod.
    Add(Box<PlaceAddArgs>),
    /// Change a place's capacity and labels for the fleet, and its Dolt server.
    Change(PlaceChangeArgs),
    /// Let no new session start at a place, and let the fleet move its work to other places between turns.
    Drain {
        /// The place.
        name: String,
        /// Let sessions start at the place again.
        #[arg(long)]
        off: bool,
    },
    /// Remove a place. Nothing on its machine changes.
    Remove {
        /// The place.
        name: String,
    },
    /// Connect to a place and check what sessions need: Beads Console, claude, git, bd, its folder, its clock.
    ///
    /// Copies Beads Console to the place if it is missing or has another version. Removes the test container.
    Test {
        /// The place.
        name: String,
    },
}

/// `places add …`
#[derive(Debug, Args)]
pub(crate) struct PlaceAddArgs {
    /// A name for the place.
    pub(crate) name: String,
    /// The machine: HOST, USER@HOST, or a name from your ssh configuration.
    #[arg(required_unless_present = "image", conflicts_with = "image")]
    pub(crate) host: Option<MachineAddress>,
    /// Run each session in its own container or pod, created from this image.
    #[arg(long)]
    pub(crate) image: Option<String>,
    /// The container engine.
    #[arg(long, conflicts_with_all = ["host", "kubernetes"], default_value = "docker")]
    pub(crate) engine: EngineArg,
    /// A folder or volume to mount, in the engine's format: SOURCE:TARGET. Can be given several times.
    #[arg(long = "mount", value_name = "MOUNT", conflicts_with_all = ["host", "kubernetes"])]
    pub(crate) mounts: Vec<String>,
    /// The memory limit, for example 4g for a container, 4Gi for a pod.
    #[arg(long, value_name = "SIZE", conflicts_with = "host")]
    pub(crate) memory: Option<String>,
    /// The processor limit, for example 1.5.
    #[arg(long, value_name = "NUMBER", conflicts_with = "host")]
    pub(crate) cpus: Option<String>,
    /// A further option of the engine's `run`, for example --option=--network=none. Can be given several times.
    #[arg(
        long = "option",
        value_name = "OPTION",
        conflicts_with_all = ["host", "kubernetes"],
        allow_hyphen_values = true
    )]
    pub(crate) options: Vec<String>,
    /// Run each session in its own Kubernetes pod.
    #[arg(long, requires = "image", conflicts_with = "host")]
    pub(crate) kubernetes: bool,
    /// The context in your kubeconfig; otherwise the current one.
    #[arg(long, requires = "kubernetes")]
    pub(crate) context: Option<String>,
    /// The namespace; otherwise that of the context.
    #[arg(long, requires = "kubernetes")]
    pub(crate) namespace: Option<String>,
    /// The pod's service account; otherwise it has no access to Kubernetes.
    #[arg(long, value_name = "NAME", requires = "kubernetes")]
    pub(crate) service_account: Option<String>,
    /// A Kubernetes secret whose entries become environment variables in the pod. Can be given several times.
    #[arg(long = "secret", value_name = "NAME", requires = "kubernetes")]
    pub(crate) secrets: Vec<String>,
    /// The size of a volume for each session, for example 10Gi. Its files outlive the pod, until the session ends.
    #[arg(long, value_name = "SIZE", requires = "kubernetes")]
    pub(crate) volume: Option<String>,
    /// The folder at the place for the work. A relative path starts at the home folder; `places test` creates it.
    #[arg(long, value_name = "DIR", default_value = "beads-console")]
    pub(crate) folder: String,
    /// The Beads Console program at the place: a path, or a name in the PATH. The default is copied if necessary.
    #[arg(long, default_value = "beads-console")]
    pub(crate) program: String,
    /// The maximum number of sessions that the fleet runs at the place at once.
    #[arg(long, value_name = "NUMBER", value_parser = value_parser!(u32).range(1..))]
    pub(crate) capacity: Option<u32>,
    /// A label for the fleet: a bead with the label place:LABEL runs only at places with this label. Can be given
    /// several times.
    #[arg(long = "label", value_name = "LABEL")]
    pub(crate) labels: Vec<String>,
    /// The Dolt server with your projects' beads, as seen from the place: its agents' own `bd` uses it directly, even
    /// while this machine is off.
    #[arg(long, value_name = "HOST:PORT")]
    pub(crate) dolt_server: Option<String>,
}

/// `places change …`
#[derive(Debug, Args)]
pub(crate) struct PlaceChangeArgs {
    /// The place.
    pub(crate) name: String,
    /// The maximum number of sessions that the fleet runs at the place at once; 0 for no limit.
    #[arg(long, value_name = "NUMBER")]
    pub(crate) capacity: Option<u32>,
    /// The new labels, which replace all existing ones. Can be given several times.
    #[arg(long = "label", value_name = "LABEL", conflicts_with = "no_labels")]
    pub(crate) labels: Vec<String>,
    /// Remove all labels.
    #[arg(long)]
    pub(crate) no_labels: bool,
    /// The Dolt server with your projects' beads, as seen from the place: its agents' own `bd` uses it directly, even
    /// while this machine is off. Applies when a session starts or resumes.
    #[arg(long, value_name = "HOST:PORT", conflicts_with = "no_dolt_server")]
    pub(crate) dolt_server: Option<String>,
    /// Let this machine run the commands of the agents' `bd`.
    #[arg(long)]
    pub(crate) no_dolt_server: bool,
}

/// The container engines.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum EngineArg {
    Docker,
    Podman,
}

impl PlaceAddArgs {
    /// The place that these arguments describe.
    pub(crate) fn place(self) -> Place {
        let kind = match (self.host, self.image) {
            (_, Some(image)) if self.kubernetes => PlaceKind::Kubernetes(PodSettings {
                context: self.context,
                namespace: self.namespace,
                image,
                memory: self.memory,
                cpus: self.cpus,
                service_account: self.service_account,
                secrets: self.secrets,
                volume: self.volume,
            }),
            (_, Some(image)) => PlaceKind::Container(ContainerSettings {
                engine: match self.engine {
                    EngineArg::Docker => ContainerEngine::Docker,
                    EngineArg::Podman => ContainerEngine::Podman,
                },
                image,
                mounts: self.mounts,
                memory: self.memory,
                cpus: self.cpus,
                options: self.options,
            }),
            (host, None) => {
                let host = host.expect("clap requires the host without an image");
                PlaceKind::Ssh { host: host.as_str().to_owned() }
            }
        };
        Place {
            name: self.name,
            kind,
            folder: self.folder,
            program: self.program,
            capacity: self.capacity,
            labels: self.labels,
            draining: false,
            dolt_server: self.dolt_server,
        }
    }
}
