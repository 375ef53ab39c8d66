/** The keyboard cursor of the overview, on an agent or a ready bead, and the selected agents. */
import { SvelteSet } from "svelte/reactivity";
import type { FleetAgentId, FleetAgentNow } from "../../generated/api";
import type { App } from "../../state/app.svelte";
import { FleetActions } from "../../state/fleet-actions";
import type { Project } from "../../state/project.svelte";
import { recoveryActionsOf } from "../../words/fleet";
import { runRecovery } from "./agent-menu";

export type Place = `agent:${string}` | `ready:${string}`;

export class Cursor {
  at = $state<Place | null>(null);
  readonly marked = new SvelteSet<FleetAgentId>();
  readonly #app: App;
  readonly #project: Project;

  constructor(app: App, project: Project) {
    this.#app = app;
    this.#project = project;
  }

  /** All positions of the cursor, from top to bottom. */
  get places(): Place[] {
    const { shown, overview } = this.#project.fleet;
    return [
      ...shown.map(({ identity }): Place => `agent:${identity.id}`),
      ...(overview.value?.ready ?? []).map(({ bead }): Place => `ready:${bead}`),
    ];
  }

  /** Moves the cursor; from no position, to the first one. Returns the new position. */
  step(by: number): Place | null {
    const places = this.places;
    const now = this.at === null ? -1 : places.indexOf(this.at);
    this.at = places[now < 0 ? 0 : Math.min(Math.max(now + by, 0), places.length - 1)] ?? null;
    return this.at;
  }

  agent(): FleetAgentNow | undefined {
    return this.at?.startsWith("agent:") ? this.#project.fleet.agent(this.at.slice(6)) : undefined;
  }

  bead(): string | undefined {
    return this.at?.startsWith("ready:") ? this.at.slice(6) : undefined;
  }

  mark(id: FleetAgentId): void {
    if (!this.marked.delete(id)) this.marked.add(id);
  }

  unmark(): void {
    this.marked.clear();
  }

  /** Opens the agent's session or bead; without either, assigns work. */
  openAgent(agent: FleetAgentNow): void {
    this.at = `agent:${agent.identity.id}`;
    if (agent.session_id) new FleetActions(this.#app, this.#project).open(agent);
    else if (agent.bead) this.#app.dialogs.showBead(agent.bead);
    else this.#app.dialogs.show({ kind: "fleet-assign", agent: agent.identity.id });
  }

  open(): void {
    const [agent, bead] = [this.agent(), this.bead()];
    if (agent) this.openAgent(agent);
    else if (bead) this.#app.dialogs.showBead(bead);
  }

  /**
   * Runs the row's main action: recovers a stuck agent, assigns work to an idle one, or assigns a bead to the
   * next idle agent.
   */
  act(): void {
    const [agent, bead] = [this.agent(), this.bead()];
    const [first] = agent ? recoveryActionsOf(agent) : [];
    if (agent && first) runRecovery(this.#app, this.#project, agent, first);
    else if (agent?.state === "idle") this.openAgent(agent);
    else if (bead) void this.#assign(bead);
  }

  /** Assigns a bead to the agent that would get it next, or to another idle one. */
  async #assign(bead: string): Promise<void> {
    const { fleet } = this.#project;
    const named = fleet.overview.value?.ready.find((one) => one.bead === bead)?.agent;
    const agent = fleet.idle.find(({ identity }) => identity.id === named) ?? fleet.idle[0];
    if (agent) await new FleetActions(this.#app, this.#project).give(agent, bead);
    else
      this.#app.toasts.done("No idle agent is available.", {
        label: "Add agent…",
        run: () => this.#app.dialogs.show({ kind: "fleet-agent" }),
      });
  }
}
