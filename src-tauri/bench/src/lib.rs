//! What the measuring program shares with the plain programs that it measures beside.

pub mod output;
