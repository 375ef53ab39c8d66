/** The made-up project has no fleet, and cannot be given one: no view shows it yet. */
import type { Commands } from "./commands";
import { refuse } from "./commands";

type FleetCommands = Pick<Commands, Extract<keyof Commands, `fleet.${string}`>>;

const warnings: string[] = [];
const none = () => refuse("internal", "The made-up project has no fleet.");

export function fleetCommands(): FleetCommands {
  return {
    "fleet.agents": () => ({ agents: [], hooks: [], warnings }),
    "fleet.agent": () => ({ agent: null, hook: null, warnings }),
    "fleet.agent_create": none,
    "fleet.agent_status": none,
    "fleet.work_list": () => ({ work: [], warnings }),
    "fleet.work": () => ({ work: null, warnings }),
    "fleet.work_create": none,
    "fleet.work_status": none,
    "fleet.hook": () => ({ hook: null, warnings }),
    "fleet.hook_set": none,
    "fleet.hook_activate": none,
    "fleet.hook_complete": none,
    "fleet.hook_clear": none,
    "fleet.convoys": () => ({ convoys: [], warnings }),
    "fleet.convoy": () => ({ convoy: null, events: [], warnings }),
    "fleet.convoy_create": none,
    "fleet.convoy_progress": none,
    "fleet.queue": () => ({ requests: [], warnings }),
  };
}
