//! Scrolling and panning large views in Chromium: the longest task of the page's main thread.

use crate::{
    chromium::Chromium,
    environment::Bench,
    error::BenchError,
    samples::{Samples, Unit},
    serving::Serving,
};
use serde_json::json;

/// A page with at least this number of elements is an error.
const TOO_MANY_NODES: f64 = 3_000.0;
/// The number of wheel steps in each round.
const STEPS: usize = 80;

/// Records the long tasks of the page. Browsers report only tasks of at least 50 ms.
const WATCH: &str = r#"(() => {
  const seen = (window.__bench = { longest: 0, nodes: 0, gaps: [] });
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) seen.longest = Math.max(seen.longest, duration);
  }).observe({ type: "longtask" });
})()"#;

/// Waits for the next frame and counts the elements in the page.
const FRAME: &str = r#"new Promise((done) => {
  const started = performance.now();
  requestAnimationFrame(() => {
    const seen = window.__bench;
    seen.gaps.push(performance.now() - started);
    seen.nodes = Math.max(seen.nodes, document.querySelectorAll("*").length);
    done(true);
  });
})"#;

/// Opens the UI in a new browser. Records its long tasks from five seconds after the view has appeared.
pub(super) fn watched_page(serving: &Serving) -> Result<Chromium, BenchError> {
    let mut page = Chromium::start(false)?;
    page.before_scripts(&format!("sessionStorage.setItem('access', {})", json!(serving.token)))?;
    page.before_scripts(WATCH)?;
    page.call("Page.navigate", json!({"url": format!("http://127.0.0.1:{}/", serving.port)}))?;
    page.until("document.querySelectorAll('main *, #view *').length > 100")?;
    page.value("new Promise((done) => setTimeout(done, 5000))")?;
    page.value("Object.assign(window.__bench, { longest: 0, nodes: 0, gaps: [] })")?;
    Ok(page)
}

pub(crate) fn scroll(bench: &Bench, view: &str, beads: usize) -> Result<Samples, BenchError> {
    let sandbox = bench.project(beads)?;
    let mut serving = Serving::start(&sandbox, &bench.program("beads-console")?)?;
    let project = serving.project()?;
    let layout = json!({"project": project, "layout": {"view": "board", "beads": {"view": view}}});
    serving.call("app.keep_layout", None, layout)?;
    let mut samples = Samples::default();
    let (mut nodes, mut frames) = (Vec::new(), Vec::new());
    for _ in 0..bench.rounds(3) {
        let mut page = watched_page(&serving)?;
        for step in 0..STEPS {
            let wheel = json!({
                "type": "mouseWheel", "x": 500, "y": 450, "deltaX": if step % 8 == 7 { 200 } else { 0 },
                "deltaY": if step % 40 < 30 { 700 } else { -900 },
            });
            page.call("Input.dispatchMouseEvent", wheel)?;
            page.value(FRAME)?;
        }
        let seen = page.value("window.__bench")?;
        let number = |name: &str| seen[name].as_f64().unwrap_or(f64::NAN);
        samples.ours.push(number("longest"));
        nodes.push(number("nodes"));
        let gaps: Vec<f64> = serde_json::from_value(seen["gaps"].clone()).unwrap_or_default();
        frames.push(crate::samples::quantile(&gaps, 0.95));
        if number("nodes") >= TOO_MANY_NODES {
            return Err(BenchError::unexpected_output(
                "the page",
                format!("has {} elements", number("nodes")),
            ));
        }
    }
    let most = nodes.iter().copied().fold(0.0, f64::max);
    Ok(samples
        .note(format!(
            "{beads} beads, {STEPS} steps of the wheel; 0 means that no task took 50 ms; at most {most} elements in the page"
        ))
        .aside("95 % of frames", Unit::Ms, frames))
}
