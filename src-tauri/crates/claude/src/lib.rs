//! Claude Code: argv, settings, hook payloads, transcript decoding, version probe.
