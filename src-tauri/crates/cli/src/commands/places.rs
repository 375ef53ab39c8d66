//! `places …`: the user's other machines, containers and pods. They belong to no project.

use super::context::{print, warn};
use crate::{
    args::{PlaceChangeArgs, PlacesCommand},
    failure::Failure,
    io::Io,
    output::places as show,
};
use bc_wire::place::{Place, Places};

pub(crate) fn places(command: PlacesCommand, json: bool, io: &mut dyn Io) -> Result<(), Failure> {
    match command {
        PlacesCommand::List => listed(&bc_engine::places::list(), json, io),
        PlacesCommand::Add(args) => listed(&bc_engine::places::add(&args.place())?, json, io),
        PlacesCommand::Change(args) => {
            let PlaceChangeArgs { name, capacity, labels, no_labels, dolt_server, no_dolt_server } = args;
            let mut place = bc_engine::places::get(&name)?;
            if let Some(capacity) = capacity {
                place.capacity = (capacity > 0).then_some(capacity);
            }
            if no_labels || !labels.is_empty() {
                place.labels = labels;
            }
            if no_dolt_server || dolt_server.is_some() {
                place.dolt_server = dolt_server;
            }
            listed(&bc_engine::places::change(&place)?, json, io)
        }
        PlacesCommand::Drain { name, off } => {
            let place = Place { draining: !off, ..bc_engine::places::get(&name)? };
            listed(&bc_engine::places::change(&place)?, json, io)
        }
        PlacesCommand::Remove { name } => listed(&bc_engine::places::remove(&name)?, json, io),
        PlacesCommand::Test { name } => {
            let check = bc_engine::places::check(&name)?;
            print(&check, json, io, show::check)?;
            if check.ok { Ok(()) } else { Err(Failure::Reported) }
        }
    }
}

fn listed(places: &Places, json: bool, io: &mut dyn Io) -> Result<(), Failure> {
    warn(&places.warnings, json, io)?;
    print(places, json, io, show::list)
}
