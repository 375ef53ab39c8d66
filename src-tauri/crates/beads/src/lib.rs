//! The bead tracker: one trait; bd, br and embedded behind it.
