//! Arguments of `places …`.

use bc_engine::ssh::MachineAddress;
use clap::{Args, Subcommand};

/// Subcommands of `places`.
#[derive(Debug, Subcommand)]
pub(crate) enum PlacesCommand {
    /// List places: name, machine, folder.
    List,
    /// Add a place. Nothing is changed on the machine.
    Add(PlaceAddArgs),
    /// Remove a place. Nothing is changed on the machine.
    Remove {
        /// The place.
        #[arg(value_name = "NAME")]
        name: String,
    },
    /// Connect to a place and check what sessions need there: Beads Console, claude, git, bd, its folder, its clock.
    Test {
        /// The place.
        #[arg(value_name = "NAME")]
        name: String,
    },
}

/// `places add …`
#[derive(Debug, Args)]
pub(crate) struct PlaceAddArgs {
    /// Its name here.
    #[arg(value_name = "NAME")]
    pub(crate) name: String,
    /// The machine: HOST, USER@HOST, or a name from your ssh configuration.
    #[arg(value_name = "HOST")]
    pub(crate) host: MachineAddress,
    /// The folder for the work there. A relative one starts at the home folder; `test` creates it.
    #[arg(long, value_name = "DIR", default_value = "beads-console")]
    pub(crate) folder: String,
    /// Beads Console there: a path, or a name in the PATH.
    #[arg(long, value_name = "PROGRAM", default_value = "beads-console")]
    pub(crate) program: String,
}
