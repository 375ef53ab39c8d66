/** The bead commands on the sample state, with the main checks of the engine. */
import type { Api, AuditEvent, Bead, BeadChange, BeadId, BeadShown } from "../../generated/api";
import { cycleOf } from "../../state/cycles";
import { applyChange, fieldsOf, FIELDS, valueOf, type Version } from "../../words/bead-fields";
import { oneLine } from "../../words/text";
import { derived, detailOf } from "./beads";
import { refuse, type Commands } from "./commands";
import type { FakeState } from "./state";

type Editing =
  | "bead.show"
  | "bead.create"
  | "bead.claim"
  | "bead.comment"
  | "bead.submit"
  | "bead.close"
  | "bead.update"
  | "bead.approve"
  | "bead.reject"
  | "bead.reopen"
  | "bead.delete"
  | "bead.undelete"
  | "bead.dep_add"
  | "bead.dep_remove"
  | "bead.capabilities"
  | "bead.audit";

const ME = "Dana Voss";
const MOST = 500;

export function editCommands(state: FakeState): Pick<Commands, Editing> {
  const beadOf = (id: BeadId): Bead => state.bead(id) ?? refuse("bead_not_found", `there is no bead ${id}`);
  const shown = (id: BeadId): BeadShown => ({
    bead: detailOf(beadOf(id), state),
    sessions: state.sessions.filter((s) => s.bead_id === id),
  });
  const writable = () => {
    const reason = state.capabilities.read_only;
    if (reason !== undefined) refuse("tracker_read_only", reason);
  };
  const note = (id: BeadId, event: Omit<AuditEvent, "at" | "actor">, actor: string | null | undefined) => {
    const events = state.audit.get(id) ?? [];
    state.audit.set(id, [...events, { at: state.stamp(), actor: actor ?? ME, ...event }]);
  };
  /** Stores a bead, and recomputes the states of beads that depend on it. */
  const put = (bead: Version): BeadShown => {
    const { description, design, acceptance_criteria, notes, external_ref, ...lean } = bead;
    const texts = { description, design, acceptance_criteria, notes, external_ref };
    if (description !== undefined) state.details.set(bead.id, { ...state.details.get(bead.id), ...texts });
    const one: Bead = { ...lean, updated_at: state.stamp() };
    const known = state.beads.some((other) => other.id === bead.id);
    const beads = known ? state.beads.map((other) => (other.id === one.id ? one : other)) : [...state.beads, one];
    state.beads = derived(beads, state.edges, state.now);
    state.tell({ type: "beads_changed" });
    return shown(bead.id);
  };
  const toStatus = (id: BeadId, status: string, kind: string, actor: string | null | undefined, more = {}) => {
    writable();
    const before = beadOf(id);
    note(id, { kind, from: before.status, to: status }, actor);
    const { closed_at: _, ...open } = before;
    const closing = status === "closed" ? { closed_at: state.stamp() } : {};
    return put({ ...open, status, ...closing, ...more });
  };
  const close = ({ id, reason, actor }: Api["bead.close"]["params"]) => {
    if (beadOf(id).status === "closed") refuse("bead_state", `${id} is closed already`);
    state.details.set(id, { ...state.details.get(id), close_reason: reason ?? "" });
    return toStatus(id, "closed", "closed", actor);
  };
  const comment = (id: BeadId, text: string, actor: string | null | undefined) => {
    const made = { id: `${state.stamp()}`, author: actor ?? ME, text, created_at: state.stamp() };
    const { comments } = detailOf(beadOf(id), state);
    state.details.set(id, { ...state.details.get(id), comments: [...comments, made] });
    note(id, { kind: "comment", to: oneLine(text) }, actor);
  };
  const check = (change: BeadChange) => {
    if (change.title !== undefined && change.title !== null) {
      if (change.title.trim() === "") refuse("usage", "a title cannot be empty");
      if ([...change.title].length > MOST) refuse("usage", `a title has at most ${MOST} characters`);
    }
    for (const field of fieldsOf(change)) {
      const why = state.capabilities.unsupported.find((one) => one.field === field)?.why;
      if (why !== undefined) refuse("tracker_unsupported", why);
    }
    const { issue_type: type, parent } = change;
    if (type && !state.capabilities.types.includes(type)) refuse("usage", `${type} is no type of this tracker`);
    if (parent) beadOf(parent);
  };

  /** For picture tests: a `fake:elsewhere` event changes the bead as another program would. */
  const onElsewhere = (event: Event) => {
    const { detail: id } = event as CustomEvent<BeadId>;
    const { description } = detailOf(beadOf(id), state);
    const change = {
      title: "Use __Host- for the session cookie",
      description: description.replace("- [ ] Drop", "- [x] Drop"),
    };
    commands["bead.update"]({ id, change, actor: "ann" });
  };
  if (state.options.get("with") === "edited-elsewhere") window.addEventListener("fake:elsewhere", onElsewhere);

  const commands: Pick<Commands, Editing> = {
    "bead.show": ({ id }) => shown(id),
    "bead.capabilities": () => state.capabilities,
    "bead.audit": ({ id }) => {
      const { id: known, created_at, status } = beadOf(id);
      const begun: AuditEvent[] = [{ at: created_at ?? "", actor: "Mara Klein", kind: "created" }];
      const session = state.sessions.find((s) => s.bead_id === known && s.started_at);
      if (session?.started_at)
        begun.push({
          at: session.started_at,
          actor: session.actor ?? ME,
          session: session.id,
          kind: "claimed",
          from: "open",
          to: status,
        });
      return { id, events: [...begun, ...(state.audit.get(id) ?? [])] };
    },
    "bead.create": (params) => {
      writable();
      const { title, priority, issue_type, labels = [], blocked_by = [], description = "", design = "" } = params;
      check({ title, issue_type: issue_type ?? "task" });
      const id = `BC-${150 + state.beads.length}`;
      const now = state.stamp();
      state.edges = [...state.edges, ...blocked_by.map((to) => ({ from: id, to, kind: "blocks" }))];
      const bare: Version = {
        id,
        title,
        status: "open",
        priority: priority ?? 2,
        issue_type: issue_type ?? "task",
        labels,
        blocked_by: [],
        unblocks: [],
        ready: true,
        created_at: now,
        ...{ description, design, acceptance_criteria: params.acceptance_criteria ?? "", notes: params.notes ?? "" },
      };
      const { assignee, due, defer, estimated_minutes, external_ref, parent } = params;
      const more: BeadChange = Object.fromEntries(
        Object.entries({ assignee, due, defer, estimated_minutes, external_ref, parent }).filter(([, value]) => value),
      );
      state.details.set(id, { comments: [], created_by: ME });
      note(id, { kind: "created" }, params.actor);
      return put(applyChange(bare, more, state.now));
    },
    "bead.update": ({ id, change, expected, actor }) => {
      writable();
      if (id === "BC-118" && state.options.get("with") === "refused-bulk")
        refuse("tracker_failed", "bd update failed: the database is locked by another process");
      const before = detailOf(beadOf(id), state);
      if (expected && expected !== before.updated_at)
        refuse("bead_changed", `${id} changed at ${before.updated_at} since it was read`);
      check(change);
      const after = applyChange(before, change, state.now);
      const changed = FIELDS.filter((field) => valueOf(before, field) !== valueOf(after, field));
      for (const field of changed)
        note(
          id,
          { kind: "field", field, from: oneLine(valueOf(before, field)), to: oneLine(valueOf(after, field)) },
          actor,
        );
      return put(after);
    },
    "bead.claim": ({ id, actor }) =>
      toStatus(id, "in_progress", "claimed", actor, { assignee: actor ?? ME, ready: false }),
    "bead.submit": ({ id, actor }) => toStatus(id, "in_review", "status", actor),
    "bead.close": close,
    "bead.approve": (params) => {
      if (beadOf(params.id).status !== "in_review") refuse("bead_state", `${params.id} is not in review`);
      return close(params);
    },
    "bead.reject": ({ id, text, actor }) => {
      if (beadOf(id).status !== "in_review") refuse("bead_state", `${id} is not in review`);
      comment(id, text, actor);
      return toStatus(id, "in_progress", "reopened", actor);
    },
    "bead.reopen": ({ id, reason, actor }) => {
      if (beadOf(id).status !== "closed") refuse("bead_state", `${id} is not closed`);
      if (reason) comment(id, reason, actor);
      return toStatus(id, "open", "reopened", actor);
    },
    "bead.comment": ({ id, text, actor }) => {
      writable();
      if (text.trim() === "") refuse("usage", "a comment cannot be empty");
      comment(id, text, actor);
      return put(beadOf(id));
    },
    "bead.delete": ({ id }) => {
      writable();
      const bead = beadOf(id);
      const { delete: support } = state.capabilities;
      if (support === "no") refuse("tracker_unsupported", "this tracker cannot delete beads");
      state.deleted.set(id, bead);
      state.beads = derived(
        state.beads.filter((b) => b.id !== id),
        state.edges,
        state.now,
      );
      state.tell({ type: "beads_changed" });
      return { id, can_undo: support === "undoable" };
    },
    "bead.undelete": ({ id }) => {
      const bead = state.deleted.get(id) ?? refuse("bead_not_found", `${id} was not deleted`);
      state.deleted.delete(id);
      return put(bead);
    },
    "bead.dep_add": ({ id, depends_on, kind, actor }) => {
      writable();
      const bead = beadOf(id);
      beadOf(depends_on);
      const cycle = cycleOf(new Map(state.beads.map((b) => [b.id, b])), id, depends_on, kind ?? "blocks");
      if (cycle)
        refuse("dependency_cycle", `${id} cannot depend on ${depends_on}: ${[...cycle, id].join(" depends on ")}`);
      const edge = { from: id, to: depends_on, kind: kind ?? "blocks" };
      if (state.edges.some((e) => e.from === id && e.to === depends_on && e.kind === edge.kind))
        refuse("bead_state", `${id} depends on ${depends_on} already`);
      note(id, { kind: "dependency", to: depends_on }, actor);
      if (edge.kind === "parent-child") return put({ ...bead, parent: depends_on });
      state.edges = [...state.edges, edge];
      return put(bead);
    },
    "bead.dep_remove": ({ id, depends_on, actor }) => {
      writable();
      const bead = beadOf(id);
      note(id, { kind: "dependency", from: depends_on }, actor);
      state.edges = state.edges.filter((e) => e.from !== id || e.to !== depends_on);
      const { parent, ...rest } = bead;
      return put(parent === depends_on ? rest : bead);
    },
  };
  return commands;
}
