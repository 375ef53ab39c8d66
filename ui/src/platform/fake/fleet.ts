/**
 * The `fleet.*` commands on a sample fleet; some are always refused.
 * `?with=no-fleet|fleet-merging|fleet-paused|fleet-failed|fleet-refused`, and `&agents=50`.
 */
import type {
  AgentRole,
  FleetAgentNow,
  FleetOverview,
  FleetQueueRow,
  FleetQueueState,
  FleetReady,
  FleetSettings,
} from "../../generated/api";
import { refuse, type Commands } from "./commands";
import {
  CHECKING,
  OUTPUT,
  SETTINGS,
  convoyOf,
  dispatchOf,
  identityOf,
  madeAgents,
  madeConvoys,
  madeQueue,
  reviewOf,
} from "./fleet-made";
import { sessionId } from "./sessions";
import type { FakeState } from "./state";

type FleetCommands = Pick<Commands, Extract<keyof Commands, `fleet.${string}`>>;
const warnings: string[] = [];

export function fleetCommands(state: FakeState): FleetCommands {
  const way = state.options.get("with");
  const none = way === "no-fleet" || way === "no-beads" || way === "no-sessions";
  let settings: FleetSettings = structuredClone(SETTINGS);
  let agents = none ? [] : madeAgents(state);
  let convoys = none ? [] : madeConvoys(state.now);
  let rows = none ? [] : madeQueue(state.now, way === "fleet-merging");
  let [paused, queuePaused] = [way === "fleet-paused", false];

  const tell = () => state.tell({ type: "fleet_changed" });
  const agentOf = (id: string) =>
    agents.find((a) => a.identity.id === id) ?? refuse("agent_not_found", `there is no agent "${id}" in the fleet`);
  const put = (id: string, change: Partial<FleetAgentNow>): FleetAgentNow => {
    const before = agentOf(id);
    const now = { ...before, ...change };
    now.identity = identityOf(id, now.state);
    agents = agents.map((a) => (a === before ? now : a));
    tell();
    return now;
  };
  const free = {
    state: "idle",
    bead: null,
    title: null,
    hook: "empty",
    reason: null,
    to_do: null,
    session_id: null,
    last_line: null,
    active_ms: 0,
    tokens: null,
    cost_usd: null,
  } as const;
  const ready = (): FleetReady[] => {
    const held = new Set(agents.flatMap(({ bead }) => bead ?? []));
    const list = state.beads
      .filter((b) => b.ready && !held.has(b.id) && b.issue_type !== "epic")
      .sort((a, b) => a.priority - b.priority);
    const idle = agents.filter((a) => a.state === "idle");
    return list.map((b) => ({
      bead: b.id,
      title: b.title,
      priority: b.priority,
      class: b.priority < 2 ? "P1" : b.priority < 3 ? "P2" : "P3",
      issue_type: b.issue_type,
      created_at: b.created_at ?? null,
      held: b.assignee ? `assigned to ${b.assignee}` : null,
      agent: b.assignee ? null : (idle.shift()?.identity.id ?? null),
    }));
  };
  const give = (agent: string, bead: string) => {
    put(agent, {
      state: "starting",
      bead,
      title: state.bead(bead)?.title ?? null,
      hook: "pending",
      last_line: "The session is starting",
      since: new Date().toISOString(),
    });
    return { agent, bead, session_id: sessionId(3) };
  };
  const overview = (): FleetOverview => {
    if (way === "fleet-failed")
      refuse("io", "cannot read .chipset/state/agents.json, which is left unchanged: Permission denied (os error 13)");
    const list = ready();
    return {
      rig: "gatehouse",
      agents,
      convoys: convoys.map((c) => c.now),
      ready: list.slice(0, 500),
      ready_total: list.length,
      dispatch: dispatchOf(agents, settings, paused),
      warnings,
    };
  };
  const queue = (): FleetQueueState => ({
    rows,
    paused: queuePaused,
    blocked: rows.find((r) => r.status === "conflicted" && !r.skipped)?.id ?? null,
    merging: rows.find((r) => r.status === "merging")?.id ?? null,
    running: rows.some((r) => r.status === "merging"),
    warnings,
  });
  const queued = (bead: string): FleetQueueRow => ({
    ...(madeQueue(state.now, false)[2] as FleetQueueRow),
    id: `merge-${bead}`,
    bead,
    title: state.bead(bead)?.title ?? bead,
  });
  const changed = (next: typeof rows): FleetQueueState => {
    rows = next;
    tell();
    return queue();
  };
  const findConvoy = (id: string) =>
    convoys.find((c) => c.convoy.id === id) ?? refuse("convoy_not_found", `there is no convoy "${id}"`);
  const shown = (id: string) => {
    const { convoy } = findConvoy(id);
    const at = (hours: number) => new Date(state.now - hours * 36e5).toISOString();
    const event = (timestamp: string, message: string, agentId?: string) => ({
      id: timestamp,
      timestamp,
      category: "routing",
      severity: "info",
      convoyId: id,
      message,
      details: {},
      ...(agentId ? { agentId } : {}),
    });
    return {
      convoy,
      events: [
        event(convoy.createdAt, "Convoy created"),
        event(at(7), "BC-097 assigned to polecat-4f1c9a07be", "polecat-4f1c9a07be"),
        event(at(6.9), "polecat-4f1c9a07be started BC-097", "polecat-4f1c9a07be"),
        event(at(2), `${Math.round((convoy.progress ?? 0) * 100)} % done`),
      ],
      warnings,
    };
  };
  const reform = (id: string, change: { name?: string; beads?: string[]; closed?: boolean }) => {
    const before = findConvoy(id);
    const beadIds = change.beads ?? before.convoy.beadIds;
    const name = change.name ?? before.convoy.name;
    const added = Math.max(0, beadIds.length - before.convoy.beadIds.length);
    const closed_at =
      change.closed === undefined ? before.now.closed_at : change.closed ? new Date().toISOString() : null;
    const now = {
      ...before.now,
      name,
      total: beadIds.length,
      closed_at,
      counts: { ...before.now.counts, ready: before.now.counts.ready + added },
    };
    convoys = convoys.map((c) => (c === before ? { convoy: { ...before.convoy, name, beadIds }, now } : c));
    tell();
    return shown(id);
  };
  const only = () => refuse("internal", "The sample fleet does not support this.");

  return {
    "fleet.settings": () => structuredClone(settings),
    "fleet.set_settings": (wanted) => {
      if (wanted.merge_target?.includes(".."))
        refuse("usage", `"${wanted.merge_target}" is not a branch name: it must not contain ..`);
      settings = { ...settings, ...(structuredClone(wanted) as FleetSettings) };
      tell();
      return settings;
    },
    "fleet.overview": overview,
    "fleet.dispatch": ({ pairs = [], all }) => {
      if (way === "fleet-refused") {
        const free = agents.filter((a) => a.state === "idle").map((a) => a.identity.id);
        const wanted = all
          ? ready()
              .slice(0, 4)
              .map(({ bead }, i) => ({ agent: free[i % free.length] ?? "", bead }))
          : pairs;
        return {
          given: [],
          refused: wanted.map((one) => ({
            ...one,
            why:
              "the setup command of worktrees was not run: you have not allowed the current content of these " +
              "repository files: tools/setup.sh",
          })),
          why_not: null,
          warnings,
        };
      }
      const given = pairs.map(({ agent, bead }) => give(agent, bead));
      if (all) for (const { bead, agent } of ready()) if (agent) given.push(give(agent, bead));
      return { given, refused: [], why_not: overview().dispatch.why_not, warnings };
    },
    "fleet.agent_start": ({ id }) => ({ agent: put(id, { state: "working", reason: null, to_do: null }), warnings }),
    "fleet.agent_stop": ({ id }) => ({
      agent: put(id, { state: "paused", reason: "its session is paused", to_do: "Resume it, or reassign its work." }),
      warnings,
    }),
    "fleet.agent_retire": ({ id }) => ({ agent: put(id, { ...free, state: "terminated" }), warnings }),
    "fleet.recover": ({ agent, action }) => ({
      agent: put(agent, action === "resume" ? { state: "working", reason: null, to_do: null } : free),
      warnings,
    }),
    "fleet.pause_all": () => {
      paused = true;
      tell();
      return { paused, agents: agents.filter((a) => a.state === "working").map((a) => a.identity.id), warnings };
    },
    "fleet.go_on": () => {
      paused = false;
      tell();
      return { paused, agents: [], warnings };
    },
    "fleet.broadcast": ({ agents: named = [] }) => ({
      told: named.map((agent) => {
        const { state: is } = agentOf(agent);
        if (is === "idle") return { agent, delivery: null, reason: "it has no active session" };
        return is === "at_prompt"
          ? { agent, delivery: "sent" as const, reason: null }
          : { agent, delivery: "held" as const, reason: "claude is working; the text is sent when the turn ends" };
      }),
    }),
    "fleet.agents": () => ({
      agents: agents.map((a) => a.identity),
      names: agents.map((a) => a.name),
      hooks: [],
      warnings,
    }),
    "fleet.agent": ({ id }) => ({ agent: agentOf(id).identity, name: agentOf(id).name, hook: null, warnings }),
    "fleet.agent_rename": ({ id, name }) => {
      const wanted = name.trim();
      if (wanted === "") refuse("usage", "the name is empty");
      const other = agents.find((a) => a.identity.id !== id && a.name.toLowerCase() === wanted.toLowerCase());
      if (other) refuse("usage", `${other.identity.id} is already named "${wanted}"`);
      const { identity } = put(id, { name: wanted });
      return { agent: identity, name: wanted, hook: null, warnings };
    },
    "fleet.agent_create": ({ role, name: given }) => {
      const id = `${role}-${Math.floor(0x1000000000 + Math.random() * 0xe000000000).toString(16)}`;
      const [like] = madeAgents(state).slice(-1);
      const made: FleetAgentNow = {
        ...(like as FleetAgentNow),
        ...free,
        since: null,
        last_at: null,
        identity: identityOf(id, "idle"),
      };
      made.identity.role = role as AgentRole;
      const word = role === "crew" ? "Crew" : "Agent";
      const numbers = Array.from({ length: agents.length + 1 }, (_, i) => `${word} ${i + 1}`);
      made.name = given ?? numbers.find((name) => !agents.some((a) => a.name === name)) ?? id;
      agents = [...agents, made];
      tell();
      return { agent: made.identity, name: made.name, hook: null, warnings };
    },
    "fleet.agent_status": only,
    "fleet.work_list": () => ({ work: [], warnings }),
    "fleet.work": () => ({ work: null, warnings }),
    "fleet.work_create": only,
    "fleet.work_status": only,
    "fleet.hook": () => ({ hook: null, warnings }),
    "fleet.hook_set": only,
    "fleet.hook_activate": only,
    "fleet.hook_complete": only,
    "fleet.hook_clear": only,
    "fleet.convoys": () => ({ convoys: convoys.map((c) => c.convoy), warnings }),
    "fleet.convoy": ({ id }) => shown(id),
    "fleet.convoy_create": ({ name, beads }) => {
      const id = `convoy-${Math.floor(Math.random() * 1e9).toString(16)}`;
      convoys = [...convoys, convoyOf(id, name, new Date().toISOString(), beads, { ready: beads.length })];
      tell();
      return shown(id);
    },
    "fleet.convoy_progress": ({ id }) => shown(id),
    "fleet.convoy_add": ({ id, beads }) =>
      reform(id, { beads: [...new Set([...findConvoy(id).convoy.beadIds, ...beads])] }),
    "fleet.convoy_remove": ({ id, beads }) =>
      reform(id, { beads: findConvoy(id).convoy.beadIds.filter((b) => !beads.includes(b)) }),
    "fleet.convoy_rename": ({ id, name }) => reform(id, { name }),
    "fleet.convoy_close": ({ id, reopen }) => reform(id, { closed: !reopen }),
    "fleet.queue_state": queue,
    "fleet.queue_add": ({ bead }) => changed([...rows, queued(bead)]),
    "fleet.queue_run": queue,
    "fleet.queue_pause": () => {
      queuePaused = true;
      return changed(rows);
    },
    "fleet.queue_go_on": () => {
      queuePaused = false;
      return changed(rows);
    },
    "fleet.queue_retry": ({ id, follow }) => {
      if (follow) settings = { ...settings, merge_checked_out: "follow" };
      return changed(
        rows.map((r) =>
          r.id === id
            ? {
                ...r,
                status: "merging",
                stage: "check",
                trouble: null,
                skipped: false,
                since: new Date().toISOString(),
              }
            : r,
        ),
      );
    },
    "fleet.queue_skip": ({ id }) => changed(rows.map((r) => (r.id === id ? { ...r, skipped: true } : r))),
    "fleet.queue_cancel": ({ id }) => changed(rows.filter((r) => r.id !== id)),
    "fleet.queue_move": ({ id, before }) => {
      const moved = rows.filter((r) => r.id === id);
      const rest = rows.filter((r) => r.id !== id);
      const open = rest.findIndex((r) => r.status === "merged");
      const at = before ? rest.findIndex((r) => r.id === before) : open < 0 ? rest.length : open;
      return changed([...rest.slice(0, at), ...moved, ...rest.slice(at)]);
    },
    "fleet.queue_send_back": () => ({ session: sessionId(7), how: "started" }),
    "fleet.queue_output": ({ id, from = 0 }) => {
      const row = rows.find((r) => r.id === id);
      const live = row?.status === "merging";
      const text = row?.status === "pending" ? "" : live ? CHECKING : OUTPUT;
      return { text: text.slice(from), next: text.length, more: false, live };
    },
    "fleet.review": ({ bead, ignore_space }) =>
      reviewOf(state, bead, rows.find((r) => r.bead === bead) ?? null, ignore_space),
    "fleet.approve": ({ bead }) =>
      changed(
        rows.some((r) => r.bead === bead)
          ? rows
          : [...rows.filter((r) => r.status !== "merged"), queued(bead), ...rows.filter((r) => r.status === "merged")],
      ),
    "fleet.command_words": ({ lines }) => ({ words: lines.map((line) => line.split(" ").filter(Boolean)) }),
    "fleet.runner_probe": ({ name }) => ({
      name,
      command: ["claude"],
      probe: name === "local" ? null : true,
      reached: true,
      said: "",
      parts: [
        { what: "terminal", there: true, means: "the agent has a terminal" },
        {
          what: "hooks",
          there: name === "local",
          means:
            name === "local"
              ? "claude's hooks reach this machine: prompts, permissions, context and the end of turns"
              : "claude's hooks do not reach this machine: only its terminal is shown live. Install Beads Console " +
                "there (`runners.NAME.console`), and forward the socket with `ssh -R {remote_socket}:{socket}` or " +
                "a volume",
        },
      ],
    }),
    "fleet.request_changes": () => ({ session: sessionId(7), how: "resumed" }),
  };
}
