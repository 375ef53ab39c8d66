//! A display that nobody sees, for the desktop window under test: Xvfb, at a number of its own choice.

use crate::{
    command::{Running, Step},
    error::XtaskError,
};

/// A display while this is held.
#[derive(Debug)]
pub(crate) struct Display {
    name: String,
    _xvfb: Running,
}

impl Display {
    /// Starts one; it answers when this returns.
    pub(crate) fn open() -> Result<Display, XtaskError> {
        let args = ["-displayfd", "1", "-screen", "0", "1600x1200x24", "-nolisten", "tcp", "-noreset"];
        let (number, xvfb) = Step::new("Xvfb").args(args).start()?;
        match number.parse::<u32>() {
            Ok(number) => Ok(Display { name: format!(":{number}"), _xvfb: xvfb }),
            Err(_) => {
                let why = format!("it said {number:?} where its number was expected");
                Err(XtaskError::Part { part: "Xvfb", why })
            }
        }
    }

    /// The step with this display, whatever the person's own is.
    pub(crate) fn give(&self, step: Step) -> Step {
        step.env("DISPLAY", &self.name).env_remove("WAYLAND_DISPLAY").env_remove("XAUTHORITY")
    }
}
