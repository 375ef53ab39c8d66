/** The fleet of one project: overview and merge queue, kept up to date while they are displayed. */
import type {
  BeadId,
  FleetAgentNow,
  FleetOverview,
  FleetQueueRow,
  FleetQueueState,
  MergeRequestId,
} from "../generated/api";
import { LiveQuery } from "./live-query.svelte";
import type { Call } from "../platform";

export type AgentFilter = "all" | "active" | "stalled" | "idle";

export class Fleet {
  readonly overview: LiveQuery<FleetOverview>;
  readonly queue: LiveQuery<FleetQueueState>;
  filter = $state<AgentFilter>("all");
  /** The beads of the last refused assignments. */
  refused = $state.raw<readonly BeadId[]>([]);
  /** Incremented on every change; components that show one part reload it. */
  changes = $state(0);

  /** Stalled agents first, then in the engine's order. Retired agents are left out. */
  readonly agents: FleetAgentNow[] = $derived.by(() => ordered(this.overview.value?.agents ?? []));
  readonly shown: FleetAgentNow[] = $derived.by(() =>
    this.agents.filter((agent) => this.filter === "all" || agent.identity.status === this.filter),
  );
  readonly idle: FleetAgentNow[] = $derived.by(() => this.agents.filter(({ state }) => state === "idle"));
  /** Unmerged requests, in queue order. */
  readonly waiting: FleetQueueRow[] = $derived.by(() =>
    (this.queue.value?.rows ?? []).filter(({ status }) => status !== "merged"),
  );
  readonly merged: FleetQueueRow[] = $derived.by(() =>
    (this.queue.value?.rows ?? []).filter(({ status }) => status === "merged"),
  );

  constructor(call: Call) {
    this.overview = new LiveQuery(() => call("fleet.overview", {}));
    this.queue = new LiveQuery(() => call("fleet.queue_state", {}));
  }

  /** Keeps the overview and the queue up to date until the returned function is called. */
  open(): () => void {
    const closes = [this.overview.open(), this.queue.open()];
    return () => closes.forEach((close) => close());
  }

  /** Reloads soon, because something may have changed. */
  changed(): void {
    this.changes++;
    this.overview.changed();
    this.queue.changed();
  }

  /** Reloads at once, after a user action. */
  now(): void {
    this.changes++;
    this.overview.now();
    this.queue.now();
  }

  agent(id: string): FleetAgentNow | undefined {
    return this.overview.value?.agents.find(({ identity }) => identity.id === id);
  }

  request(id: MergeRequestId): FleetQueueRow | undefined {
    return this.queue.value?.rows.find((row) => row.id === id);
  }

  count(filter: AgentFilter): number {
    return filter === "all"
      ? this.agents.length
      : this.agents.filter(({ identity }) => identity.status === filter).length;
  }
}

function ordered(agents: readonly FleetAgentNow[]): FleetAgentNow[] {
  const current = agents.filter(({ state }) => state !== "terminated");
  const stalled = current.filter(({ identity }) => identity.status === "stalled");
  return [...stalled, ...current.filter(({ identity }) => identity.status !== "stalled")];
}
