//! `places …`: the user's other machines and containers. They belong to no project.

use super::context::print;
use crate::{args::PlacesCommand, failure::Failure, io::Io, output::places as show};
use bc_wire::place::Places;

pub(crate) fn places(command: PlacesCommand, json: bool, io: &mut dyn Io) -> Result<(), Failure> {
    match command {
        PlacesCommand::List => listed(&bc_engine::places::list(), json, io),
        PlacesCommand::Add(args) => listed(&bc_engine::places::add(&args.place())?, json, io),
        PlacesCommand::Remove { name } => listed(&bc_engine::places::remove(&name)?, json, io),
        PlacesCommand::Test { name } => {
            let check = bc_engine::places::check(&name)?;
            print(&check, json, io, show::check)?;
            match check.ok {
                true => Ok(()),
                false => Err(Failure::Reported),
            }
        }
    }
}

fn listed(places: &Places, json: bool, io: &mut dyn Io) -> Result<(), Failure> {
    if !json {
        for warning in &places.warnings {
            writeln!(io.err(), "warning: {}", bc_core::text::plain(warning))?;
        }
    }
    print(places, json, io, show::list)
}
