//! The session host: owns the PTY, the hook socket and the files of one live session.
