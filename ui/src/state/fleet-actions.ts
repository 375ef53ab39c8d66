/** Fleet actions for rows, cards and menus. Most report their result as a toast. */
import type {
  BeadId,
  FleetAgentNow,
  FleetBroadcasted,
  FleetRecovery,
  FleetRefused,
  FleetQueueRow,
  FleetQueueState,
  MergeRequestId,
} from "../generated/api";
import { asCallError, CallError } from "../platform";
import { plural } from "../words/count";
import { notice } from "../words/errors";
import { agentName } from "../words/fleet";
import { oneLine, sentence } from "../words/text";
import type { App } from "./app.svelte";
import type { Project } from "./project.svelte";
import { SessionActions } from "./session-actions";

/** Toast groups: failed assignments, and other failures. */
export const REFUSED = "fleet.refused";
const FAILED = "fleet.failed";
/** The maximum number of beads named in a message. */
const MAX_NAMED = 2;

/** Whether Claude is running for the agent. */
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

  /** Opens the agent's session in the panel. */
  open({ session_id }: FleetAgentNow): void {
    const session = this.#project.sessions.get(session_id);
    if (session) new SessionActions(this.#app, this.#project).open(session);
    else if (session_id) this.#project.layout.openSession(session_id);
  }

  start(agent: FleetAgentNow): Promise<boolean> {
    const { id } = agent.identity;
    return this.#act(() => this.#project.call("fleet.agent_start", { id }), `${agentName(agent)} started`);
  }

  stop(agent: FleetAgentNow): Promise<boolean> {
    const { id } = agent.identity;
    return this.#act(() => this.#project.call("fleet.agent_stop", { id }), `${agentName(agent)} paused`);
  }

  askRetire(agent: FleetAgentNow): void {
    const { id } = agent.identity;
    const holds = agent.bead ? ` ${agent.bead} is released; its branch is kept.` : "";
    this.#app.dialogs.show({
      kind: "confirm",
      title: `Retire ${agentName(agent)}?`,
      text: `The agent takes no more work.${holds}`,
      action: "Retire",
      danger: true,
      run: () => void this.#act(() => this.#project.call("fleet.agent_retire", { id }), `${agentName(agent)} retired`),
    });
  }

  /** Takes the work from an agent. If its session is running, asks for confirmation. */
  takeWork(agent: FleetAgentNow, action: Exclude<FleetRecovery, "resume">): void {
    if (!hasLiveSession(agent)) return void this.recover(agent, action);
    const then =
      action === "reassign"
        ? "Another agent continues on its branch."
        : "The bead becomes unassigned and is not assigned automatically.";
    const word = action === "reassign" ? "Reassign" : "Release";
    this.#app.dialogs.show({
      kind: "confirm",
      title: `${word} ${agentName(agent)}'s work?`,
      text:
        `Its session is closed while it works on ${agent.bead ?? "its task"}. ` +
        `Files in its folder are kept. ${then}`,
      action: word,
      danger: true,
      run: () => void this.recover(agent, action),
    });
  }

  recover(agent: FleetAgentNow, action: FleetRecovery): Promise<boolean> {
    const done = { resume: "resumed", reassign: "handed over its work", release: "released its work" }[action];
    const { id } = agent.identity;
    return this.#act(() => this.#project.call("fleet.recover", { agent: id, action }), `${agentName(agent)} ${done}`);
  }

  /** Assigns a bead to an agent. Returns false if it was refused. */
  async give(agent: FleetAgentNow, bead: BeadId): Promise<boolean> {
    return (await this.#dispatch({ pairs: [{ agent: agent.identity.id, bead }] })) > 0;
  }

  /** Assigns ready beads to idle agents, within the fleet's limits. */
  async assignAll(): Promise<void> {
    await this.#dispatch({ all: true });
  }

  async #dispatch(params: { pairs?: { agent: string; bead: BeadId }[]; all?: boolean }): Promise<number> {
    let count = 0;
    await this.#run(async () => {
      const titles = this.#titles();
      const { given, refused, why_not, warnings } = await this.#project.call("fleet.dispatch", params);
      count = given.length;
      const [only] = given;
      if (only)
        this.#app.toasts.done(
          given.length === 1
            ? `${titles(only.bead)} assigned to ${this.#nameOf(only.agent)}`
            : `${plural(given.length, "bead")} assigned`,
        );
      this.#refuse(refused, titles);
      if (given.length === 0 && refused.length === 0)
        this.#app.toasts.done(why_not ? sentence(why_not) : "No ready work to assign.");
      this.#warn(warnings);
    });
    return count;
  }

  /** Shows refused assignments as one toast; if there are none, removes the earlier toast. */
  #refuse(refused: readonly FleetRefused[], titles: (bead: BeadId) => string): void {
    const { fleet } = this.#project;
    fleet.refused = refused.map(({ bead }) => bead);
    const [first] = refused;
    if (!first) return this.#app.toasts.clear(REFUSED);
    const plain = ({ why, agent, bead }: FleetRefused) =>
      sentence(why.replaceAll(agent, this.#nameOf(agent)).replaceAll(bead, titles(bead)));
    const reasons = [...new Set(refused.map(plain))];
    const what =
      refused.length === 1
        ? titles(first.bead)
        : refused.length <= MAX_NAMED
          ? refused.map(({ bead }) => titles(bead)).join(", ")
          : plural(refused.length, "bead");
    const more = reasons.length > 1 ? ` And ${plural(reasons.length - 1, "other reason")}.` : "";
    this.#app.toasts.error(
      new CallError("hook_state", `${what} not assigned`, `${reasons[0]}${more}`),
      undefined,
      REFUSED,
    );
  }

  /** Returns a function that quotes titles. It uses the ready list as it was before the dispatch, which removes
   * assigned beads from the list. */
  #titles(): (bead: BeadId) => string {
    const ready = new Map((this.#project.fleet.overview.value?.ready ?? []).map(({ bead, title }) => [bead, title]));
    return (bead) => {
      const title = this.#project.beads.get(bead)?.title ?? ready.get(bead);
      return title === undefined ? bead : `“${oneLine(title)}”`;
    };
  }

  #nameOf(id: string): string {
    const agent = this.#project.fleet.agent(id);
    return agent ? agentName(agent) : id;
  }

  /** Turns automatic assignment on or off. */
  auto(on: boolean): Promise<boolean> {
    return this.#run(async () => {
      await this.#project.call("fleet.set_settings", {
        ...(await this.#project.call("fleet.settings", {})),
        auto_dispatch: on,
      });
    });
  }

  askPauseAll(): void {
    this.#app.dialogs.show({
      kind: "confirm",
      title: "Pause everything?",
      text: "All agent sessions are paused and no work is assigned. Each session can resume where it stopped.",
      action: "Pause all",
      danger: false,
      run: () =>
        void this.#act(
          () => this.#project.call("fleet.pause_all", {}),
          ({ agents }) =>
            agents.length > 0 ? `${plural(agents.length, "agent")} paused` : "Paused. No work is assigned.",
        ),
    });
  }

  resumeFleet(resume: boolean): Promise<boolean> {
    return this.#act(
      () => this.#project.call("fleet.go_on", { resume }),
      ({ agents }) => (agents.length > 0 ? `${plural(agents.length, "agent")} resumed` : "Work is assigned again"),
    );
  }

  /** Sends a text to agents. Each agent has its own result; rejects only if the command itself fails. */
  async broadcast(agents: string[], text: string): Promise<FleetBroadcasted> {
    const answer = await this.#project.call("fleet.broadcast", { agents, text });
    this.#project.fleet.now();
    return answer;
  }

  /** Runs a merge queue command. */
  queue(work: (call: Project["call"]) => Promise<FleetQueueState>, said?: string): Promise<boolean> {
    return this.#run(async () => {
      this.#project.fleet.queue.put(await work(this.#project.call));
      if (said !== undefined) this.#app.toasts.done(said);
    });
  }

  /** Moves `id` before another waiting request; null moves it to the end. */
  move(id: MergeRequestId, before: MergeRequestId | null): Promise<boolean> {
    return this.queue((call) => call("fleet.queue_move", { id, before }));
  }

  askCancel({ id, bead, source }: FleetQueueRow): void {
    this.#app.dialogs.show({
      kind: "confirm",
      title: `Remove ${bead} from the merge queue?`,
      text: `${source} will not be merged. The branch is kept.`,
      action: "Remove",
      danger: true,
      run: () => void this.queue((call) => call("fleet.queue_cancel", { id }), `${bead} removed from the merge queue`),
    });
  }

  /** Sends a failed merge back to the agent, or to a new session on the branch, and opens that session. */
  sendBack({ id }: FleetQueueRow): Promise<boolean> {
    return this.#run(async () => {
      const { session } = await this.#project.call("fleet.queue_send_back", { id });
      this.#project.layout.openSession(session);
    });
  }

  /** Approves a reviewed bead for the merge queue. Returns the error, so that the sheet can show it and keep the
   * draft. */
  async approve(bead: BeadId, tip: string): Promise<CallError | null> {
    return this.#errorOf(async () => {
      this.#project.fleet.queue.put(await this.#project.call("fleet.approve", { bead, tip }));
      this.#app.toasts.done(`${bead} added to the merge queue`);
    });
  }

  async requestChanges(bead: BeadId, text: string): Promise<CallError | null> {
    return this.#errorOf(async () => {
      const { session, how } = await this.#project.call("fleet.request_changes", { bead, text });
      const outcome = {
        told: "Sent to the agent",
        resumed: "Session resumed",
        started: "New session started on the branch",
      }[how];
      this.#app.toasts.done(outcome, { label: "Open", run: () => this.#project.layout.openSession(session) });
    });
  }

  /** Runs a command and reports its result and warnings. `said` is the result in words. */
  #act<T extends { warnings: string[] }>(
    command: () => Promise<T>,
    said: string | ((answer: T) => string),
  ): Promise<boolean> {
    return this.#run(async () => {
      const answer = await command();
      this.#app.toasts.done(typeof said === "string" ? said : said(answer));
      this.#warn(answer.warnings);
    });
  }

  /** Shows warnings as one toast; identical warnings of several agents are merged. */
  #warn(warnings: readonly string[]): void {
    const plain = warnings.map((warning) => {
      const agent = this.#project.fleet.agents.find(({ identity }) => warning.startsWith(`${identity.id}: `));
      return agent
        ? { who: agentName(agent), text: warning.slice(agent.identity.id.length + 2) }
        : { who: null, text: warning };
    });
    const [first] = plain;
    if (!first) return;
    const same = plain.filter(({ text }) => text === first.text);
    const who = same.length > 1 ? plural(same.length, "agent") : first.who;
    const more = warnings.length > same.length ? ` And ${plural(warnings.length - same.length, "more warning")}.` : "";
    this.#app.toasts.done(`${who ? `${who}: ` : ""}${notice(first.text)}${more}`);
  }

  async #errorOf(work: () => Promise<void>): Promise<CallError | null> {
    try {
      await work();
      this.#project.fleet.now();
      return null;
    } catch (thrown) {
      return asCallError(thrown);
    }
  }

  async #run(work: () => Promise<void>): Promise<boolean> {
    const failed = await this.#errorOf(work);
    if (failed) this.#app.toasts.error(failed, undefined, FAILED);
    else this.#app.toasts.clear(FAILED);
    return failed === null;
  }
}
