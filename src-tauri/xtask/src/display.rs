//! A virtual display for tests of the desktop window: Xvfb, which chooses a free display number.

use crate::{
    command::{Running, Step},
    error::XtaskError,
};

/// A display that is closed when this value is dropped.
#[derive(Debug)]
pub(crate) struct Display {
    name: String,
    _xvfb: Running,
}

impl Display {
    /// Starts a display. It is ready when this returns.
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

    /// Lets the step use this display, not the user's.
    pub(crate) fn give(&self, step: Step) -> Step {
        step.env("DISPLAY", &self.name).env_remove("WAYLAND_DISPLAY").env_remove("XAUTHORITY")
    }
}
