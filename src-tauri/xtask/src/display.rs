//! A virtual display for tests of the desktop window: Xvfb with an automatically chosen display number.

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
    /// Starts a display, and returns when the display is ready.
    pub(crate) fn open() -> Result<Display, XtaskError> {
        let args = ["-displayfd", "1", "-screen", "0", "1600x1200x24", "-nolisten", "tcp", "-noreset"];
        let (number, xvfb) = Step::new("Xvfb").args(args).start()?;
        match number.parse::<u32>() {
            Ok(number) => Ok(Display { name: format!(":{number}"), _xvfb: xvfb }),
            Err(_) => {
                let why = format!("it printed {number:?} instead of a display number");
                Err(XtaskError::Part { part: "Xvfb", why })
            }
        }
    }

    /// Makes the step use this display instead of the user's display.
    pub(crate) fn give(&self, step: Step) -> Step {
        step.env("DISPLAY", &self.name).env_remove("WAYLAND_DISPLAY").env_remove("XAUTHORITY")
    }
}
