//! The same with the real claude and a scripted API.
