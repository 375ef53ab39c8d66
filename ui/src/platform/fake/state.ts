/** The state of the sample server and its events. */
import { atPlaces, madePlaces } from "./places";
import type {
  AppInfo,
  AuditEvent,
  ClaudeState,
  Bead,
  BeadCapabilities,
  BeadId,
  Event,
  EventEnvelope,
  GraphEdge,
  Message,
  OpenProject,
  PersonAccess,
  Place,
  ProjectSettings,
  SessionView,
  SessionViewed,
  Settings,
} from "../../generated/api";
import { DEFAULT_SETTINGS } from "../../state/default-settings";
import { KINDS } from "../../words/needs";
import { CAPABILITIES, derived, madeBeads, madeDetails, madeEdges, type Details } from "./beads";
import { ChangeState } from "./changes";
import { viewed } from "./view-samples";
import { madeKinds, madeMany, madeMessages } from "./messages";
import { madeToolViews } from "./tool-calls";
import { liveOf, madeSessions, requestsOf, sessionId, stateOf } from "./sessions";

export class FakeState {
  readonly now = Date.now();
  readonly options: URLSearchParams;
  beads: Bead[];
  /** Dependencies other than parents. */
  edges: GraphEdge[] = madeEdges();
  readonly details: Map<BeadId, Details>;
  readonly deleted = new Map<BeadId, Bead>();
  readonly audit = new Map<BeadId, AuditEvent[]>();
  capabilities: BeadCapabilities;
  sessions: SessionView[];
  readonly trash = new Map<string, SessionView>();
  readonly messages = new Map<string, Message[]>();
  readonly changes = new ChangeState();
  readonly drafts = new Map<string, string>();
  readonly viewed = new Map<string, Record<string, string>>();
  projects: OpenProject[];
  places: Place[];
  people: PersonAccess[] = [
    { name: "Dana Voss", tabs: 1, unused_link: false, owner: true, you: true },
    { name: "Ana", tabs: 2, unused_link: false, owner: false, you: false },
    { name: "Ben Okafor", tabs: 0, unused_link: true, owner: false, you: false },
  ];
  settings: Settings = { ...DEFAULT_SETTINGS, notify: KINDS.map(({ kind }) => kind) };
  projectSettings: ProjectSettings = {
    single_active: null,
    inactivity_minutes: null,
    comment_commits: null,
    comment_files: null,
    checkpoint_comments: null,
    remind_after_turns: null,
    backup_at_end: null,
    backup_push: null,
    backup_transcripts: null,
    reviews: null,
    auto_next: null,
  };
  initialized: boolean;
  /** Whether a repository without commits has since got its first commit. */
  hasCommit = false;
  #seq = 0;
  #stamped = 0;
  readonly #listeners = new Set<(event: EventEnvelope) => void>();

  constructor(options: URLSearchParams) {
    this.places = madePlaces(options);
    this.options = options;
    const way = options.get("with");
    const empty = way === "no-beads";
    this.initialized = way !== "uninitialized";
    this.details = madeDetails();
    this.capabilities = {
      ...CAPABILITIES,
      ...(way === "read-only"
        ? { read_only: "This copy of the beads is older than its tracker and cannot be changed here.", delete: "no" }
        : {}),
      ...(way === "few-fields"
        ? {
            unsupported: [
              { field: "estimated_minutes", why: "br does not store estimates" },
              { field: "external_ref", why: "br does not store external references" },
            ],
            delete: "permanent",
          }
        : {}),
    };
    const made = empty ? [] : madeBeads(this.now, Number(options.get("many") ?? 0));
    const { beads, edges, layout } = viewed(made, this.edges, way);
    this.edges = edges;
    this.beads = derived(beads, edges, this.now);
    this.sessions = atPlaces(empty || way === "no-sessions" ? [] : madeSessions(this.now), options);
    if (way === "old") this.#age();
    if (way === "your-turn" || way === "inbox") this.#endTurn();
    this.#asks(way);
    this.projects =
      way === "no-project"
        ? []
        : [
            {
              key: "gatehouse",
              name: "gatehouse",
              root: "/home/dv/work/gatehouse",
              available: way !== "gone",
              sample: false,
              layout,
            },
            {
              key: "sundial",
              name: "sundial",
              root: "/home/dv/work/sundial",
              available: true,
              sample: true,
              layout: null,
            },
          ];
    for (const session of this.sessions) this.messages.set(session.id, this.#conversation(session));
  }

  /** Makes pauses twelve days old, and puts a session into the trash. */
  #age(): void {
    const long = new Date(this.now - 12 * 864e5).toISOString();
    this.sessions = this.sessions.map((s) => (s.status === "paused" ? { ...s, paused_at: long } : s));
    const deleted = this.sessions.find((s) => s.id === sessionId(9));
    if (deleted) this.trash.set(deleted.id, deleted);
    this.sessions = this.sessions.filter((s) => s !== deleted);
  }

  /** Ends the turn of the working session. */
  #endTurn(): void {
    const live = liveOf({ activity: "idle", activity_since: new Date(this.now - 3 * 60_000).toISOString() });
    this.sessions = this.sessions.map((s) => (s.id === sessionId(3) ? { ...s, live, state: "your_turn" } : s));
  }

  /** For `plan` and `questions`, replaces the planner's request; for `limited`, makes another session wait for a usage
   * limit. */
  #asks(what: string | null): void {
    const { plan, questions } = requestsOf(this.now);
    const asked = what === "plan" ? plan : what === "questions" ? questions : null;
    const live = (session: SessionView): SessionView["live"] => {
      if (asked && session.id === sessionId(2) && session.live) return { ...session.live, permissions: [asked] };
      if (what !== "limited" || session.id !== sessionId(3)) return session.live;
      const until = new Date(this.now + 40 * 60_000).toISOString();
      const message = "5-hour limit reached";
      return liveOf({
        activity: "idle",
        failure: { kind: "rate_limit", message, at: new Date(this.now - 22 * 60_000).toISOString(), until },
      });
    };
    this.sessions = this.sessions.map((session) => {
      const now = { ...session, live: live(session) };
      return now.live === session.live ? session : { ...now, state: stateOf(now) };
    });
  }

  #conversation({ id, status }: SessionView): Message[] {
    if (status === "draft") return [];
    const many = Number(this.options.get("messages") ?? 2000);
    if (id === sessionId(3) && this.options.get("with") === "tool-views") return madeToolViews(this.now);
    if (id === sessionId(3)) return madeMany(this.now, 12);
    if (id === sessionId(4)) return madeKinds(this.now);
    return id === sessionId(8) ? madeMany(this.now, many) : madeMessages(this.now);
  }

  get info(): AppInfo {
    return {
      version: "0.1.0",
      claude: this.#claude,
      simulated_available: true,
      display_name: "Dana Voss",
      serves_browsers: true,
    };
  }

  get #claude(): ClaudeState {
    switch (this.options.get("with")) {
      case "no-claude":
        return {
          state: "missing",
          hint:
            "install Claude Code (npm install -g @anthropic-ai/claude-code) or name it in BEADS_CONSOLE_CLAUDE; " +
            "looked at PATH and /home/dv/.local/bin/claude",
        };
      case "no-hooks":
        return {
          state: "hooks_disabled",
          version: "2.1.329",
          hint: 'remove "disableAllHooks" from /home/dv/.claude/settings.json',
        };
      default:
        return { state: "ready", version: "2.1.329" };
    }
  }

  listen(handler: (event: EventEnvelope) => void): () => void {
    this.#listeners.add(handler);
    return () => this.#listeners.delete(handler);
  }

  tell(event: Event, project: string | null = "gatehouse"): void {
    const envelope: EventEnvelope = { seq: ++this.#seq, event, ...(project === null ? {} : { project }) };
    this.#listeners.forEach((listener) => listener(envelope));
  }

  bead(id: BeadId | null | undefined): Bead | undefined {
    return this.beads.find((b) => b.id === id);
  }

  session(id: string): SessionView | undefined {
    return this.sessions.find((s) => s.id === id);
  }

  putSession(changed: SessionView): SessionView {
    const session = { ...changed, state: stateOf(changed) };
    const at = this.sessions.findIndex((s) => s.id === session.id);
    if (at < 0) this.sessions.unshift(session);
    else this.sessions[at] = session;
    this.tell({ type: "session_changed", session });
    return session;
  }

  /** The current time, always later than at the last call. */
  stamp(): string {
    this.#stamped = Math.max(Date.now(), this.#stamped + 1);
    return new Date(this.#stamped).toISOString();
  }

  putBead(bead: Bead): Bead {
    const at = this.beads.findIndex((b) => b.id === bead.id);
    if (at < 0) this.beads.push(bead);
    else this.beads[at] = bead;
    this.tell({ type: "beads_changed" });
    return bead;
  }

  setViewed(id: string, path: string, content: string | null): SessionViewed {
    const files = { ...this.viewed.get(id) };
    if (content === null) delete files[path];
    else files[path] = content;
    this.viewed.set(id, files);
    this.tell({ type: "viewed_changed", id });
    return { files };
  }

  say(id: string, message: Message): void {
    this.messages.set(id, [...(this.messages.get(id) ?? []), message]);
    this.tell({ type: "message_upserted", session_id: id, message });
  }
}
