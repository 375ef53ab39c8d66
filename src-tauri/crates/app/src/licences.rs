//! The licence texts that the build embeds; see build.rs.

use bc_wire::app::Licences;

const TEXT: &str = include_str!(concat!(env!("OUT_DIR"), "/licences.txt"));

/// The licences of the program and its dependencies; empty if this build does not embed them.
pub fn licences() -> Licences {
    Licences { text: TEXT.to_owned() }
}
