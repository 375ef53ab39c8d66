// All journeys in one process: they share one browser and one `bd init`.
import "./journeys/board.js";
import "./journeys/guard.js";
import "./journeys/work.js";
import "./journeys/life.js";
import "./journeys/again.js";
import "./journeys/views.js";
import "./journeys/again-elsewhere.js";
// Needs neither server nor claude: the UI over a made-up project.
import "./pictures.js";
