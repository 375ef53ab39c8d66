// All journeys in one process: they share one browser and one `bd init`.

import { readdirSync } from "node:fs";
import { loadTogether } from "./sandbox.js";
// These need neither server nor claude: they run the UI with sample data.
import "./pictures.js";
import "./focus.js";

/** The longest journeys run first, so that no lane waits for them at the end. */
const FIRST = ["faults-connection.js", "lifecycle.js", "history.js", "start.js", "faults-session.js", "permissions.js", "reconnect.js"];
const others = readdirSync(new URL("journeys", import.meta.url)).filter((name) => name.endsWith(".js") && !FIRST.includes(name));
await loadTogether([...FIRST, ...others].map((name) => new URL(`journeys/${name}`, import.meta.url).href));
