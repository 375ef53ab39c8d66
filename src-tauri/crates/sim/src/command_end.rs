//! How a command of the Bash tool ended.

#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) code: Option<u32>,
    pub(crate) output: String,
    pub(crate) interrupted: bool,
}
