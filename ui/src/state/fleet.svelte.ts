/** The fleet of one project: its overview and its merge queue, kept right while somebody looks at them. */
import type { FleetAgentNow, FleetOverview, FleetQueueRow, FleetQueueState, MergeRequestId } from "../generated/api";
import { Live } from "./live.svelte";
import type { Call } from "./memories.svelte";

export type AgentFilter = "all" | "active" | "stalled" | "idle";

export class Fleet {
  readonly overview: Live<FleetOverview>;
  readonly queue: Live<FleetQueueState>;
  filter = $state<AgentFilter>("all");
  /** How often something of it may have changed: who shows one part reads that again. */
  changes = $state(0);

  /** Those who get nowhere first, then as the program orders them; the retired are left out. */
  readonly agents: FleetAgentNow[] = $derived.by(() => ordered(this.overview.value?.agents ?? []));
  readonly shown: FleetAgentNow[] = $derived.by(() => this.agents.filter((agent) => this.filter === "all" || agent.identity.status === this.filter));
  readonly idle: FleetAgentNow[] = $derived.by(() => this.agents.filter(({ state }) => state === "idle"));
  /** What is not merged yet, in its order. */
  readonly waiting: FleetQueueRow[] = $derived.by(() => (this.queue.value?.rows ?? []).filter(({ status }) => status !== "merged"));
  readonly merged: FleetQueueRow[] = $derived.by(() => (this.queue.value?.rows ?? []).filter(({ status }) => status === "merged"));

  constructor(call: Call) {
    this.overview = new Live(() => call("fleet.overview", {}));
    this.queue = new Live(() => call("fleet.queue_state", {}));
  }

  /** Somebody looks at all of it, until the answer is called. */
  open(): () => void {
    const closes = [this.overview.open(), this.queue.open()];
    return () => closes.forEach((close) => close());
  }

  /** Something of it may have changed. */
  changed(): void {
    this.changes++;
    this.overview.changed();
    this.queue.changed();
  }

  /** Somebody did something and waits to see it. */
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
    return filter === "all" ? this.agents.length : this.agents.filter(({ identity }) => identity.status === filter).length;
  }
}

function ordered(agents: readonly FleetAgentNow[]): FleetAgentNow[] {
  const there = agents.filter(({ state }) => state !== "terminated");
  const stalled = there.filter(({ identity }) => identity.status === "stalled");
  return [...stalled, ...there.filter(({ identity }) => identity.status !== "stalled")];
}
