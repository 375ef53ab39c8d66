/** The made-up project has no fleet, and cannot be given one: no view shows it yet. */
import type { FleetOverview, FleetQueueState, FleetSettings } from "../../generated/api";
import type { Commands } from "./commands";
import { refuse } from "./commands";

type FleetCommands = Pick<Commands, Extract<keyof Commands, `fleet.${string}`>>;

const settings: FleetSettings = {
  state_dir: ".chipset/state",
  auto_dispatch: false,
  max_agents: 4,
  min_free_mib: 1024,
  cost_per_day_usd: null,
  stalled_minutes: 15,
  agent: null,
  mode: "manual",
  model: null,
  simulated: false,
  worktree_dir: null,
  worktree_base: null,
  worktree_copy: [],
  worktree_link: [],
  worktree_setup: [],
  worktree_setup_minutes: 10,
  merge_target: null,
  merge_method: "rebase",
  merge_check: [],
  merge_check_minutes: 30,
  merge_push: null,
  merge_checked_out: "ask",
  merge_review: true,
  runners: {},
  runner: "local",
};
const warnings: string[] = [];
const queue: FleetQueueState = { rows: [], paused: false, blocked: null, merging: null, running: false, warnings };
const overview: FleetOverview = {
  rig: "made-up",
  agents: [],
  convoys: [],
  ready: [],
  ready_total: 0,
  dispatch: {
    auto: false,
    paused: false,
    starting: 0,
    working: 0,
    max_agents: 4,
    idle: 0,
    free_mib: null,
    min_free_mib: 1024,
    cost_today_usd: 0,
    cost_per_day_usd: null,
    why_not: "There is no polecat to take work.",
  },
  warnings,
};
const none = () => refuse("internal", "The made-up project has no fleet.");

export function fleetCommands(): FleetCommands {
  return {
    "fleet.settings": () => structuredClone(settings),
    "fleet.set_settings": (wanted) => Object.assign(settings, structuredClone(wanted)),
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
    "fleet.queue_state": () => queue,
    "fleet.queue_add": none,
    "fleet.queue_send_back": none,
    "fleet.review": none,
    "fleet.approve": none,
    "fleet.request_changes": none,
    "fleet.queue_run": () => queue,
    "fleet.queue_output": () => ({ text: "", next: 0, more: false, live: false }),
    "fleet.queue_pause": () => Object.assign(queue, { paused: true }),
    "fleet.queue_go_on": () => Object.assign(queue, { paused: false }),
    "fleet.queue_retry": none,
    "fleet.queue_skip": none,
    "fleet.queue_cancel": none,
    "fleet.queue_move": none,
    "fleet.overview": () => overview,
    "fleet.dispatch": () => ({ given: [], refused: [], why_not: overview.dispatch.why_not, warnings }),
    "fleet.agent_start": none,
    "fleet.agent_stop": none,
    "fleet.agent_retire": none,
    "fleet.recover": none,
    "fleet.pause_all": () => {
      overview.dispatch.paused = true;
      return { paused: true, agents: [], warnings };
    },
    "fleet.go_on": () => {
      overview.dispatch.paused = false;
      return { paused: false, agents: [], warnings };
    },
    "fleet.broadcast": () => ({ told: [] }),
    "fleet.convoy_add": none,
    "fleet.convoy_remove": none,
    "fleet.convoy_rename": none,
    "fleet.convoy_close": none,
    "fleet.runner_probe": ({ name }) => ({
      name,
      command: ["claude"],
      probe: null,
      reached: true,
      said: "",
      parts: [
        { what: "terminal", there: true, means: "the agent has a terminal" },
        { what: "hooks", there: name === "local", means: name === "local" ? "claude's hooks are heard" : "claude's hooks are not heard: its terminal is all that is seen live" },
      ],
    }),
  };
}
