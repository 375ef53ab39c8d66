// The journeys in the real desktop window, through tauri-driver. They need a display:
// `xvfb-run -a node --test window.test.js`.
import "./window/journey.js";
import "./window/system.js";
