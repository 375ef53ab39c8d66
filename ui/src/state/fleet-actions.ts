/** What can be done to the fleet from any row, card or menu: each says what became of it. */
import type { BeadId, FleetAgentNow, FleetBroadcasted, FleetRecovery, FleetQueueRow, FleetQueueState, MergeRequestId } from "../generated/api";
import { asCallError, type CallError } from "../platform";
import { plural } from "../words/count";
import { agentName } from "../words/fleet";
import { sentence } from "../words/text";
import type { App } from "./app.svelte";
import type { Project } from "./project.svelte";
import { SessionActions } from "./session-actions";

/** Whether claude runs for it. */
export function hasLiveSession({ state }: Pick<FleetAgentNow, "state">): boolean {
  return ["starting", "working", "at_prompt", "needs_you", "rate_limited", "silent"].includes(state);
}

export class FleetActions {
  readonly #app: App;
  readonly #project: Project;

  constructor(app: App, project: Project) {
    this.#app = app;
    this.#project = project;
  }

  /** Shows the agent's session in the panel, in its terminal where that has to be answered. */
  open({ session_id }: FleetAgentNow): void {
    const session = this.#project.sessions.get(session_id);
    if (session) new SessionActions(this.#app, this.#project).open(session);
    else if (session_id) this.#project.layout.openSession(session_id);
  }

  start(agent: FleetAgentNow): Promise<boolean> {
    return this.#do(async () => this.#told((await this.#project.call("fleet.agent_start", { id: agent.identity.id })).warnings, `${agentName(agent)} started`));
  }

  stop(agent: FleetAgentNow): Promise<boolean> {
    return this.#do(async () => this.#told((await this.#project.call("fleet.agent_stop", { id: agent.identity.id })).warnings, `${agentName(agent)} paused`));
  }

  askRetire(agent: FleetAgentNow): void {
    const holds = agent.bead ? ` It gives back ${agent.bead}; the branch stays.` : "";
    this.#app.dialogs.show({
      kind: "confirm",
      title: `Retire ${agentName(agent)}?`,
      text: `It takes no more work.${holds}`,
      action: "Retire",
      danger: true,
      run: () => void this.#do(async () => this.#told((await this.#project.call("fleet.agent_retire", { id: agent.identity.id })).warnings, `${agentName(agent)} retired`)),
    });
  }

  /** Takes its work from an agent; one whose session lives is stopped in the middle of it, which is asked first. */
  takeWork(agent: FleetAgentNow, action: Exclude<FleetRecovery, "resume">): void {
    if (!hasLiveSession(agent)) return void this.recover(agent, action);
    const then = action === "hand_on" ? "Another agent goes on with its branch." : "The work is nobody's, and given to nobody unasked.";
    const word = action === "hand_on" ? "Hand on" : "Release";
    this.#app.dialogs.show({
      kind: "confirm",
      title: `${word} the work of ${agentName(agent)}?`,
      text: `Its session is closed in the middle of ${agent.bead ?? "what it does"}; what is in its folder stays. ${then}`,
      action: word,
      danger: true,
      run: () => void this.recover(agent, action),
    });
  }

  recover(agent: FleetAgentNow, action: FleetRecovery): Promise<boolean> {
    const done = { resume: "goes on", hand_on: "handed its work on", release: "gave its work back" }[action];
    return this.#do(async () => this.#told((await this.#project.call("fleet.recover", { agent: agent.identity.id, action })).warnings, `${agentName(agent)} ${done}`));
  }

  /** Gives an agent a bead; false where it did not get it. */
  async give(agent: FleetAgentNow, bead: BeadId): Promise<boolean> {
    return (await this.#dispatch({ pairs: [{ agent: agent.identity.id, bead }] })) > 0;
  }

  /** Hands out what is ready to those who are idle, as far as the limits allow. */
  async handOut(): Promise<void> {
    await this.#dispatch({ all: true });
  }

  async #dispatch(params: { pairs?: { agent: string; bead: BeadId }[]; all?: boolean }): Promise<number> {
    let count = 0;
    await this.#do(async () => {
      const { given, refused, why_not, warnings } = await this.#project.call("fleet.dispatch", params);
      count = given.length;
      const [only] = given;
      if (only) this.#app.toasts.done(given.length === 1 ? `${only.bead} is on the hook of ${only.agent}` : `${plural(given.length, "bead")} handed out`);
      for (const { bead, agent, why } of refused) this.#app.toasts.error(new Error(`${bead} was not given to ${agent}: ${sentence(why)}`));
      if (given.length === 0 && refused.length === 0) this.#app.toasts.done(why_not ? sentence(why_not) : "Nothing is to be handed out.");
      warnings.forEach((warning) => this.#app.toasts.done(sentence(warning)));
    });
    return count;
  }

  /** Whether ready work is handed out unasked. */
  auto(on: boolean): Promise<boolean> {
    return this.#do(async () => {
      await this.#project.call("fleet.set_settings", { ...(await this.#project.call("fleet.settings", {})), auto_dispatch: on });
    });
  }

  askPauseAll(): void {
    this.#app.dialogs.show({
      kind: "confirm",
      title: "Pause everything?",
      text: "The sessions of all agents are paused and nothing is handed out. Each goes on where it was.",
      action: "Pause all",
      danger: false,
      run: () => void this.#do(async () => {
        const { agents, warnings } = await this.#project.call("fleet.pause_all", {});
        this.#told(warnings, agents.length > 0 ? `${plural(agents.length, "agent")} paused` : "Paused: nothing is handed out");
      }),
    });
  }

  goOn(resume: boolean): Promise<boolean> {
    return this.#do(async () => {
      const { agents, warnings } = await this.#project.call("fleet.go_on", { resume });
      this.#told(warnings, agents.length > 0 ? `${plural(agents.length, "agent")} resumed` : "Work is handed out again");
    });
  }

  /** Rejects where nobody could be told. */
  async broadcast(agents: string[], text: string): Promise<FleetBroadcasted> {
    const answer = await this.#project.call("fleet.broadcast", { agents, text });
    this.#project.fleet.now();
    return answer;
  }

  /** One of the queue's commands. */
  queue(work: (call: Project["call"]) => Promise<FleetQueueState>, said?: string): Promise<boolean> {
    return this.#do(async () => {
      const call: Project["call"] = (method, params) => this.#project.call(method, params);
      this.#project.fleet.queue.put(await work(call));
      if (said !== undefined) this.#app.toasts.done(said);
    });
  }

  /** `id` comes before the one that is at that place now among what waits. */
  move(id: MergeRequestId, before: MergeRequestId | null): Promise<boolean> {
    return this.queue((call) => call("fleet.queue_move", { id, before }));
  }

  askCancel({ id, bead, source }: FleetQueueRow): void {
    this.#app.dialogs.show({
      kind: "confirm",
      title: `Take ${bead} out of the queue?`,
      text: `${source} is not merged. The branch stays as it is.`,
      action: "Take out",
      danger: true,
      run: () => void this.queue((call) => call("fleet.queue_cancel", { id }), `${bead} is out of the queue`),
    });
  }

  /** The agent, or a new session on the branch, gets the exact output. */
  sendBack({ id }: FleetQueueRow): Promise<boolean> {
    return this.#do(async () => {
      const { session } = await this.#project.call("fleet.queue_send_back", { id });
      this.#project.layout.openSession(session);
    });
  }

  /** Answers why not, where it could not be done; its sheet shows that and keeps what was written. */
  async approve(bead: BeadId, tip: string): Promise<CallError | null> {
    return this.#said(async () => {
      this.#project.fleet.queue.put(await this.#project.call("fleet.approve", { bead, tip }));
      this.#app.toasts.done(`${bead} is in the merge queue`);
    });
  }

  async requestChanges(bead: BeadId, text: string): Promise<CallError | null> {
    return this.#said(async () => {
      const { session, how } = await this.#project.call("fleet.request_changes", { bead, text });
      const told = { told: "The agent was told", resumed: "The session goes on", started: "A new session works on the branch" }[how];
      this.#app.toasts.done(told, { label: "Open", run: () => this.#project.layout.openSession(session) });
    });
  }

  #told(warnings: readonly string[], said: string): void {
    this.#app.toasts.done(said);
    warnings.forEach((warning) => this.#app.toasts.done(sentence(warning)));
  }

  async #said(work: () => Promise<void>): Promise<CallError | null> {
    try {
      await work();
      this.#project.fleet.now();
      return null;
    } catch (thrown) {
      return asCallError(thrown);
    }
  }

  async #do(work: () => Promise<void>): Promise<boolean> {
    const failed = await this.#said(work);
    if (failed) this.#app.toasts.error(failed);
    return failed === null;
  }
}
