//! Code shared by the measuring program and the baseline programs.

pub mod output;
