//! Sandbox projects, a fake clock and a scripted Messages API; a dev-dependency only.
