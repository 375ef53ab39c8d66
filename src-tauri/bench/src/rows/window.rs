//! The window compared with an empty one: the time until it shows its final picture, and its memory when
//! idle.

use crate::{
    display::{Display, FinalPicture},
    environment::Bench,
    error::BenchError,
    family,
    rounds::{Pair, rounds},
    samples::{Samples, Unit, median},
};
use bc_testkit::Sandbox;
use std::{
    process::{Child, Stdio},
    time::Instant,
};

/// The number of beads on the board.
const BEADS: usize = 100;

/// A program with a window, started each time in the same sandbox.
struct WindowProgram<'a> {
    bench: &'a Bench,
    sandbox: Sandbox,
    program: &'static str,
    args: Vec<String>,
    /// The program's final picture; `None` before its first run.
    shown: Option<FinalPicture>,
}

impl<'a> WindowProgram<'a> {
    fn ours(bench: &'a Bench, display: &Display) -> Result<WindowProgram<'a>, BenchError> {
        let mut sandbox = bench.project(BEADS)?;
        sandbox.set("DISPLAY", &display.name);
        let args = vec!["--project".to_owned(), sandbox.project().display().to_string()];
        Ok(WindowProgram { bench, sandbox, program: "beads-console-desktop", args, shown: None })
    }

    fn empty(bench: &'a Bench, display: &Display) -> WindowProgram<'a> {
        let mut sandbox = Sandbox::new();
        sandbox.set("DISPLAY", &display.name);
        WindowProgram { bench, sandbox, program: "empty-window", args: Vec::new(), shown: None }
    }

    fn start(&self) -> Result<Child, BenchError> {
        let program = self.bench.program(self.program)?;
        let mut command = self.sandbox.command(&program);
        command.args(&self.args).stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().map_err(|source| BenchError::Start { program, source })
    }

    /// Starts the program, waits for its final picture, calls `measure` with the time that this took, and
    /// ends the program.
    fn run<T>(
        &mut self,
        display: &Display,
        measure: impl FnOnce(&Sandbox, f64) -> Result<T, BenchError>,
    ) -> Result<T, BenchError> {
        display.wait_blank()?;
        if self.shown.is_none() {
            let child = self.start()?;
            self.shown = Some(display.learn(|| family::is_at_work(&self.sandbox))?);
            display.save_picture(&format!("{}.xwd", self.program))?;
            family::end(&self.sandbox, child)?;
            display.wait_blank()?;
        }
        let started = Instant::now();
        let child = self.start()?;
        let shown = self.shown.as_ref().expect("it was learned above");
        let painted = display.wait_for(shown, started);
        let result = painted.and_then(|painted| measure(&self.sandbox, painted.as_secs_f64() * 1e3));
        family::end(&self.sandbox, child)?;
        result
    }
}

struct Windows<'a> {
    display: Display,
    ours: WindowProgram<'a>,
    empty: WindowProgram<'a>,
    measure: fn(&Sandbox, f64) -> Result<f64, BenchError>,
}

impl Pair for Windows<'_> {
    fn ours(&mut self) -> Result<f64, BenchError> {
        self.ours.run(&self.display, self.measure)
    }

    fn baseline(&mut self) -> Result<f64, BenchError> {
        self.empty.run(&self.display, self.measure)
    }
}

fn windows(
    bench: &Bench,
    measure: fn(&Sandbox, f64) -> Result<f64, BenchError>,
) -> Result<Windows<'_>, BenchError> {
    let display = Display::start()?;
    let (ours, empty) = (WindowProgram::ours(bench, &display)?, WindowProgram::empty(bench, &display));
    Ok(Windows { display, ours, empty, measure })
}

/// Measures the time from the start of the process until the screen shows the board.
pub(crate) fn paint(bench: &Bench) -> Result<Samples, BenchError> {
    let mut windows = windows(bench, |_, painted| Ok(painted))?;
    let samples = rounds(bench.rounds(15), &mut windows)?;
    Ok(samples.note(format!(
        "process start to the pixels of the final picture on Xvfb, sampled every 2 ms; {BEADS} beads in the embedded store"
    )))
}

/// Measures the memory of all processes of the window when nothing happens.
pub(crate) fn memory(bench: &Bench) -> Result<Samples, BenchError> {
    let mut windows = windows(bench, |sandbox, _| {
        family::wait_idle(sandbox)?;
        Ok(family::of(sandbox).into_iter().map(family::memory).sum())
    })?;
    let samples = rounds(bench.rounds(5), &mut windows)?;
    // Measures each process once more, because the samples above are sums of all processes.
    let mut parts = Vec::new();
    for program in [&mut windows.ours, &mut windows.empty] {
        let by_name = program.run(&windows.display, |sandbox, _| {
            family::wait_idle(sandbox)?;
            let mut parts: Vec<(String, f64)> =
                family::of(sandbox).into_iter().map(|pid| (family::name(pid), family::memory(pid))).collect();
            parts.sort_by(|a, b| b.1.total_cmp(&a.1));
            Ok(parts)
        })?;
        let named: Vec<String> = by_name.iter().map(|(name, mib)| format!("{name} {mib:.0}")).collect();
        parts.push(format!("{}: {}", program.program, named.join(", ")));
    }
    let samples = samples.note(format!("PSS in MiB of every process of the window ({})", parts.join("; ")));
    let more = median(&samples.ours) - median(&samples.baseline);
    Ok(samples.aside("additional memory of ours", Unit::Mib, vec![more]))
}
