//! Session hosts as processes, each with a stand-in for claude or with the real one.

mod attaching;
mod hooks;
mod lifecycle;
mod real_claude;
mod support;
mod texts;
