// All of it in one process: journeys share one browser and one `bd init`. The longest come first, so that no lane
// waits for them at the end.
import "./journeys/life.js";
import "./journeys/history.js";
import "./journeys/start.js";
import "./journeys/asked.js";
import "./journeys/again.js";
import "./journeys/again-elsewhere.js";
import "./journeys/work.js";
import "./journeys/chat.js";
import "./journeys/terminal.js";
import "./journeys/context.js";
import "./journeys/projects.js";
import "./journeys/board.js";
import "./journeys/guard.js";
import "./journeys/faults-connection.js";
// Needs neither server nor claude: the UI over a made-up project.
import "./pictures.js";
