// All of it in one process: journeys share one browser and one `bd init`.

import { readdirSync } from "node:fs";
import { readTogether } from "./sandbox.js";
// Needs neither server nor claude: the UI over a made-up project.
import "./pictures.js";
import "./focus.js";

/** These take long, so they come first: no lane waits for them at the end. */
const FIRST = ["faults-connection.js", "life.js", "history.js", "start.js", "faults-session.js", "asked.js", "again.js"];
const rest = readdirSync(new URL("journeys", import.meta.url)).filter((name) => name.endsWith(".js") && !FIRST.includes(name));
await readTogether([...FIRST, ...rest].map((name) => new URL(`journeys/${name}`, import.meta.url).href));
