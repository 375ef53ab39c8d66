/** The sessions of one project. Command answers and events both replace a session's record. */
import type { ProjectKey, SessionId, SessionView, Status } from "../generated/api";
import { asCallError, type Host } from "../platform";
import { needsYou } from "../words/session";
import { LOADING, READY, type Phase } from "./phase";

export type SessionFilter = "all" | Exclude<Status, "draft">;

/** A session record and when it was received, for live durations. */
interface Received {
  session: SessionView;
  at: number;
}

export class Sessions {
  phase = $state.raw<Phase>(LOADING);
  warnings = $state.raw<string[]>([]);
  filter = $state<SessionFilter>("all");
  #requested = false;
  #received = $state.raw<ReadonlyMap<SessionId, Received>>(new Map());

  /** Newest first. */
  readonly list = $derived([...this.#received.values()].map((h) => h.session).sort(byMoment));
  /** In sidebar order: first those that need the user, then active, paused, draft and closed ones. The end of a
   * turn does not move a row. */
  readonly shown = $derived(
    this.list.filter((s) => this.filter === "all" || s.status === this.filter).sort((a, b) => rank(a) - rank(b)),
  );
  readonly anyActive = $derived(this.list.some((s) => s.status === "active"));
  /** For each bead, its newest session that is not closed. */
  readonly ofBead = $derived.by(() => {
    const map = new Map<string, SessionView>();
    for (const session of this.list) {
      if (session.bead_id && session.status !== "closed" && !map.has(session.bead_id))
        map.set(session.bead_id, session);
    }
    return map;
  });

  readonly #host: Host;
  readonly #key: ProjectKey;

  constructor(host: Host, key: ProjectKey) {
    this.#host = host;
    this.#key = key;
  }

  get(id: SessionId | null | undefined): SessionView | undefined {
    return id ? this.#received.get(id)?.session : undefined;
  }

  /** Active time up to `now`, in milliseconds. */
  durationOf(session: SessionView, now: number): number {
    const received = this.#received.get(session.id);
    const since = session.status === "active" && received ? Math.max(0, now - received.at) : 0;
    return session.duration_ms + since;
  }

  async loadOnce(): Promise<void> {
    if (this.#requested) return;
    await this.reload();
  }

  async reload(): Promise<void> {
    this.#requested = true;
    try {
      const { sessions, warnings } = await this.#host.call("session.list", {}, this.#key);
      const at = Date.now();
      this.#received = new Map(sessions.map((session) => [session.id, { session, at }]));
      this.warnings = warnings;
      this.phase = READY;
    } catch (thrown) {
      const error = asCallError(thrown);
      // A folder without beads has no sessions, which is not a failure.
      this.phase = error.code === "no_beads" ? READY : { state: "failed", error };
    }
  }

  put(session: SessionView): SessionView {
    this.#received = new Map(this.#received).set(session.id, { session, at: Date.now() });
    return session;
  }

  remove(id: SessionId): void {
    const next = new Map(this.#received);
    next.delete(id);
    this.#received = next;
  }
}

function byMoment(a: SessionView, b: SessionView): number {
  return Date.parse(momentOf(b)) - Date.parse(momentOf(a));
}

/** When a session was last activated, or else started or created; for sorting. */
export function momentOf(session: SessionView): string {
  return session.last_activated_at ?? session.started_at ?? session.created_at;
}

function rank(session: SessionView): number {
  if (needsYou(session)) return 0;
  return { active: 1, paused: 2, draft: 3, closed: 4 }[session.status];
}
