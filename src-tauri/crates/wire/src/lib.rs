//! The contract: commands, events, error codes.
