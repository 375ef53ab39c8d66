//! The application: projects, beads, sessions.
