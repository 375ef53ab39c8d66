// All journeys, run in one process, so that they share one browser and one `bd init`.

import { readdirSync } from "node:fs";
import { loadTogether } from "./sandbox.js";
// These tests need neither a server nor claude, since they run the UI with sample data.
import "./pictures.js";
import "./focus.js";

/** The longest journeys, which run first, so that none of them runs alone at the end. */
const FIRST = ["faults-connection.js", "lifecycle.js", "history.js", "start.js", "faults-session.js", "permissions.js", "reconnect.js"];
const others = readdirSync(new URL("journeys", import.meta.url)).filter((name) => name.endsWith(".js") && !FIRST.includes(name));
await loadTogether([...FIRST, ...others].map((name) => new URL(`journeys/${name}`, import.meta.url).href));
