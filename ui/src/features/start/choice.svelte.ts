/** How a session is to be started: what both dialogs ask. The last choice of agent and model is kept. */
import type { ContextChoice, FolderChoice, PermissionMode, SessionStartParams } from "../../generated/api";
import type { App } from "../../state/app.svelte";
import type { Project } from "../../state/project.svelte";

/** Claude itself, without an agent prompt. */
export const NO_AGENT = "";

export class StartChoice {
  agent = $state(NO_AGENT);
  mode = $state<PermissionMode>("manual");
  model = $state("");
  folder = $state<FolderChoice>("auto");
  context = $state<ContextChoice>("automatic");
  simulated = $state(false);
  /** Bypass has to be agreed to each time. */
  agreed = $state(false);
  readonly #slot: string;

  constructor(app: App, project: Project) {
    this.#slot = `start:${project.key}`;
    const kept = (localStorage.getItem(this.#slot) ?? "").split("\n");
    const known = project.agents.some((a) => a.name === kept[0]);
    this.agent = known || kept[0] === NO_AGENT ? (kept[0] ?? NO_AGENT) : (project.agents[0]?.name ?? NO_AGENT);
    if (localStorage.getItem(this.#slot) === null) this.agent = project.agents[0]?.name ?? NO_AGENT;
    this.model = kept[1] ?? "";
    this.simulated = app.info?.claude.state !== "ready" && app.info?.simulated_available === true;
  }

  get allowed(): boolean {
    return this.mode !== "bypassPermissions" || this.agreed;
  }

  keep(): void {
    localStorage.setItem(this.#slot, `${this.agent}\n${this.model}`);
  }

  params(): SessionStartParams {
    const { agent, mode, model, folder, context, simulated } = this;
    return { agent: agent || null, mode, model: model || null, folder, context, simulated };
  }
}
