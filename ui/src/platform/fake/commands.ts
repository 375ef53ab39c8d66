/** All commands of the contract, for the fake host. A missing command is a type error. */
import type { Api, ErrorCode, HeldText, ProjectSettings, SettingsInForce } from "../../generated/api";
import { CallError } from "../host";
import { checkpointCommands } from "./checkpoints";
import { adoptCommands } from "./conversations";
import { changeCommands } from "./changes";
import { changesOf } from "./diffs";
import { askCommands } from "./bead-queries";
import { editCommands } from "./bead-edits";
import { projectMetricsOf, sessionMetricsOf } from "./metrics";
import { cleanedUp, deleteMany, endPreviewOf, staleOf, trash, trashOf } from "./session-end";
import { findOf, pageOf, searchOf } from "./search";
import { backupCommands } from "./backups";
import { fleetCommands } from "./fleet";
import { hookCommands } from "./hooks";
import { lists } from "./bead-list";
import { memoryCommands } from "./memories";
import { liveOf } from "./sessions";
import { packOf } from "./context-pack";
import { previewOf } from "./resume-preview";
import { checkOf, keptPlace } from "./places";
import { planOf, startSession } from "./session-start";
import { needsOf } from "./needs";
import type { FakeState } from "./state";
import { PICTURE, shellOutput } from "./tool-calls";
import { timelineOf } from "./timeline";
import { injectionsOf } from "./injections";
import { teachingCommands } from "./agent-files";
import { worktreeCommands } from "./worktrees";
import { answers, writes } from "./replies";

/** The queue after moving one text before another one, or to the end. */
function moved(held: HeldText[], text: string, before: string | null): HeldText[] {
  const one = held.find(({ id }) => id === text);
  if (!one || before === text) return held;
  const rest = held.filter(({ id }) => id !== text);
  const at = before === null ? rest.length : rest.findIndex(({ id }) => id === before);
  return [...rest.slice(0, at), one, ...rest.slice(at)];
}

export type Commands = { [K in keyof Api]: (params: Api[K]["params"]) => Api[K]["result"] };

export function refuse(code: ErrorCode, message: string, hint?: string): never {
  throw CallError.from({ code, message, ...(hint === undefined ? {} : { hint }) });
}

export function commandsOf(state: FakeState): Commands {
  const listing = lists(() => state.beads);
  const beadOf = (id: string) => state.bead(id) ?? refuse("bead_not_found", `there is no bead ${id}`);
  const sessionOf = (id: string) =>
    state.session(id) ??
    refuse("session_not_found", `there is no session ${id}; list the sessions to find the right one`);
  const heldOf = (id: string, text: string, change: (held: HeldText[]) => HeldText[]) => {
    const session = sessionOf(id);
    if (!session.live?.held.some((one) => one.id === text))
      refuse("session_state", "no such text is queued; it may have been sent");
    return state.putSession({ ...session, live: { ...session.live, held: change(session.live.held) } });
  };
  const project = () => ({
    project_id: "gatehouse",
    name: "gatehouse",
    root: "/home/dv/work/gatehouse",
    tracker: { kind: "bd" as const, version: "1.3.0", writable: true, note: null, submit_needs_consent: false },
    branch: state.options.get("with") === "no-git" && !state.hasCommit ? null : "main",
    has_commit: state.options.get("with") !== "no-git" || state.hasCommit,
  });
  const projectSettings = () => {
    const own = state.projectSettings;
    const given = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== null));
    const all = { ...state.settings, reviews: true, auto_next: 0, ...given };
    const inForce = Object.entries(all).filter(([name]) => name in own);
    return { own, in_force: Object.fromEntries(inForce) as unknown as SettingsInForce };
  };
  const hooks = hookCommands(state.now, state.options.get("with"));
  return {
    "app.info": () => state.info,
    "app.projects": () => ({ projects: state.projects, recent: ["/home/dv/work/lantern"] }),
    "app.open_project": ({ path }) => {
      if (path.includes("missing")) refuse("project_not_found", `There is no folder ${path}.`, "Check the path.");
      const name = path.split("/").filter(Boolean).pop() ?? path;
      const opened = { key: name, name, root: path, available: true, sample: false, layout: null };
      if (!state.projects.some((p) => p.key === name)) state.projects = [...state.projects, opened];
      return opened;
    },
    "app.open_sample": () => {
      const known = state.projects.find(({ sample }) => sample);
      const opened = known ?? {
        key: "sample",
        name: "gatehouse",
        root: "/tmp/beads-console-sample/gatehouse",
        available: true,
        sample: true,
        layout: null,
      };
      if (!known) state.projects = [...state.projects, opened];
      return opened;
    },
    "app.folders": ({ path }) => {
      const end = path.lastIndexOf("/") + 1;
      const [before, begun] = [path.slice(0, end), path.slice(end)];
      const known = {
        gatehouse: [true, true],
        gateway: [true, false],
        lantern: [true, true],
        notes: [false, false],
        sundial: [true, true],
        ".config": [false, false],
      };
      const names = Object.entries(known).filter(
        ([name]) => end > 0 && name.startsWith(begun) && (begun.startsWith(".") || !name.startsWith(".")),
      );
      return {
        folders: names.map(([name, [repository, beads]]) => ({
          path: before + name,
          name,
          repository: repository === true,
          beads: beads === true,
        })),
        more: false,
      };
    },
    "app.close_project": ({ project: key }) => {
      state.projects = state.projects.filter((p) => p.key !== key);
      return { projects: state.projects, recent: [] };
    },
    "app.settings": () => state.settings,
    "app.set_settings": (change) => {
      const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== null));
      return (state.settings = { ...state.settings, ...given });
    },
    "app.keep_layout": ({ project: key, layout }) => {
      state.projects = state.projects.map((p) => (p.key === key ? { ...p, layout } : p));
      return {};
    },
    "app.link": () => ({
      url: "http://127.0.0.1:45619/open#token=5c1f0e2d9b8a7c6e5f4d3c2b1a09f8e7d6c5b4a39281706f5e4d3c2b1a0f9e8d",
    }),
    "app.people": () => ({ people: state.people }),
    "app.add_person": ({ name }) => {
      if (name.trim() === "") refuse("usage", "a name has 1 to 40 characters");
      const added = { name: name.trim(), tabs: 0, unused_link: true, owner: false, you: false };
      state.people = [...state.people.filter((person) => person.name !== added.name), added];
      return { url: "https://console.example.org/open#token=7d1f0e2d9b8a7c6e5f4d3c2b1a09f8e7d6c5b4a39281706f" };
    },
    "app.revoke_person": ({ name }) => {
      state.people = state.people.filter((person) => person.owner || person.name !== name);
      return { people: state.people };
    },
    "app.places": () => ({ places: state.places, warnings: [] }),
    "app.add_place": (place) => {
      if (state.places.some(({ name }) => name === place.name))
        refuse("usage", `a place named "${place.name}" exists already`);
      state.places = [...state.places, keptPlace(place)].sort((a, b) => a.name.localeCompare(b.name));
      return { places: state.places, warnings: [] };
    },
    "app.change_place": (place) => {
      state.places = state.places.map((known) => (known.name === place.name ? keptPlace(place) : known));
      return { places: state.places, warnings: [] };
    },
    "app.remove_place": ({ name }) => {
      state.places = state.places.filter((place) => place.name !== name);
      return { places: state.places, warnings: [] };
    },
    "app.test_place": ({ name }) => checkOf(state.places.find((place) => place.name === name)),
    "app.check_version": () => {
      const source = state.settings.update_source;
      if (source === "") refuse("usage", "there is no address to check for new versions");
      return { version: state.info.version, latest: "0.2.0", newer: true, source };
    },
    "app.licences": () => ({
      text:
        "Beads Console 0.1.0\n\nserde 1.0.229: MIT OR Apache-2.0\n    https://github.com/serde-rs/serde\n\n" +
        "Permission is hereby granted, free of charge, to any person obtaining a copy of this software\n",
    }),
    "app.report": () => ({
      file_name: "beads-console-report-20261123-142500.zip",
      entries: [
        {
          name: "README.txt",
          bytes: 812,
          tail: "Beads Console problem report\n\nMade on this machine by its user; nothing was sent anywhere.",
        },
        { name: "system.json", bytes: 402, tail: '{\n  "version": "0.1.0",\n  "os": "linux"\n}' },
        { name: "doctor.json", bytes: 1_304, tail: '{\n  "ok": true\n}' },
        { name: "sessions.json", bytes: 5_120, tail: "[]" },
        {
          name: "logs/host-2026-11-23.log",
          bytes: 48_211,
          tail:
            '{"time":"2026-11-23T14:24:58.120+01:00","level":"INFO","process":"host","pid":4127,"message":"activity ' +
            'changed","activity":"Idle"}',
        },
        {
          name: "logs/window-2026-11-23.log",
          bytes: 9_870,
          tail:
            '{"time":"2026-11-23T14:20:02.004+01:00","level":"INFO","process":"window","pid":4101,"message":"window ' +
            'opens"}',
        },
      ],
      secrets_removed: 1,
      archive: "UEsFBgAAAAAAAAAAAAAAAAAAAAAAAA==",
    }),
    "project.setup": () => ({
      root: "/home/dv/work/gatehouse",
      has_beads: state.initialized,
      prefix: "gatehouse",
      trackers: [
        { tracker: "embedded", version: null, problem: null },
        { tracker: "bd", version: "1.3.0", problem: null },
      ],
      git: project().has_commit && state.initialized ? "ready" : "no_repository",
      author: state.options.get("author") === "none" ? null : "Dana Voss <dana@example.org>",
      files: 214,
    }),
    "project.init": ({ tracker, git_init, first_commit }) => {
      if (state.initialized && tracker !== "keep") refuse("bead_state", "there are beads already");
      if (git_init && first_commit) state.hasCommit = true;
      state.initialized = true;
      state.tell({ type: "beads_changed" });
      return project();
    },
    "project.info": project,
    "project.settings": () => projectSettings(),
    "project.set_settings": ({ set, unset }) => {
      const given = Object.fromEntries(
        Object.entries(set ?? {}).filter(([, value]) => value !== null && value !== undefined),
      );
      const own: ProjectSettings = { ...state.projectSettings, ...given };
      for (const name of unset ?? []) own[name] = null;
      state.projectSettings = own;
      return projectSettings();
    },
    "agent.list": () => ({
      agents: [
        { name: "hlstc-executor", description: "writes code and tests", source: "project" },
        { name: "hlstc-planner", description: "plans first, edits nothing", source: "project" },
        { name: "hlstc-researcher", description: "reads code and docs", source: "user" },
      ],
    }),
    "bead.list": (params) => {
      if (!state.initialized)
        refuse(
          "no_beads",
          "no beads in /home/dv/work/gatehouse",
          "create them with `beads-console init`, or choose another folder with --project DIR",
        );
      if (state.options.get("with") === "tracker-failed") {
        refuse(
          "tracker_failed",
          "the beads in /home/dv/work/gatehouse/.beads are locked by another process (database is locked); try again",
        );
      }
      return listing(params);
    },
    "bead.ready": () => ({ beads: state.beads.filter((b) => b.ready), warnings: [] }),
    "bead.blocked": () => ({ beads: state.beads.filter((b) => b.blocked_by.length > 0), warnings: [] }),
    ...editCommands(state),
    ...askCommands(state),
    "recovery.show": ({ bead }) => {
      const text = bead ? `## Resuming ${bead}: ${beadOf(bead).title}` : "Claim a bead before you begin.";
      return { text, bytes: text.length, bead_id: bead ?? null, because: bead ? "named" : "nothing" };
    },
    ...memoryCommands(state.now, state.options),
    "session.plan": (params) => planOf(state, params),
    "session.context_pack": (params) => packOf(params),
    ...adoptCommands(state),
    "session.start": (params) => startSession(state, params),
    "session.started": ({ id }) => ({ session: sessionOf(id), warnings: [] }),
    "session.list": () => ({ sessions: [...state.sessions], warnings: [] }),
    "session.needs": () => ({ items: needsOf(state), warnings: [] }),
    "session.show": ({ id }) => sessionOf(id),
    "session.transcript": ({ id }) => {
      writes(state, id);
      return { messages: state.messages.get(sessionOf(id).id) ?? [] };
    },
    "session.page": (params) => {
      writes(state, params.id);
      return pageOf(state, params);
    },
    "session.message": ({ id, message }) =>
      state.messages.get(sessionOf(id).id)?.find((one) => one.id === message) ??
      refuse("usage", `the conversation has no message ${message}`),
    "session.find": (params) => findOf(state, params),
    "session.timeline": ({ id }) => timelineOf(state, sessionOf(id)),
    "session.changes": ({ id, ignore_space }) => {
      const asks = hooks["hooks.list"]({}).files.some((file) => file.scope === "git" && file.state === "new");
      if (asks)
        refuse(
          "programs_not_allowed",
          "/home/dv/work/gatehouse/.git/config makes git run programs that you have not allowed " +
            "(filter.notebook.clean): nothing was run",
          "review and allow them with `beads-console hooks trust /home/dv/work/gatehouse/.git/config`, " +
            "or remove these settings",
        );
      return state.changes.shown(changesOf(sessionOf(id), state.now, ignore_space ?? false));
    },
    ...checkpointCommands(state, sessionOf),
    ...changeCommands(state),
    "session.viewed": ({ id }) => ({ files: { ...state.viewed.get(sessionOf(id).id) } }),
    "session.set_viewed": ({ id, path, content }) => state.setViewed(sessionOf(id).id, path, content ?? null),
    "session.search": (query) => searchOf(state, query),
    "session.metrics": ({ id }) => sessionMetricsOf(state, sessionOf(id)),
    "project.metrics": (params) => projectMetricsOf(state, params),
    ...backupCommands(state.now, state.options.get("with")),
    ...fleetCommands(state),
    ...worktreeCommands(state),
    ...hooks,
    ...teachingCommands(state.options.get("with") === "broken-settings"),
    "session.hook_runs": ({ id }) => ({ runs: sessionOf(id) && [], warnings: [] }),
    "session.injections": ({ id }) => ({ injections: injectionsOf(sessionOf(id)), warnings: [] }),
    "session.export": ({ id, format }) => {
      const { title = "session" } = sessionOf(id);
      const text = (state.messages.get(id) ?? []).map((m) => `## ${m.role}\n\n${m.content}\n`).join("\n");
      return {
        file_name: `${title.toLowerCase().replace(/\W+/g, "-")}.${format ?? "md"}`,
        text: `# ${title}\n\n${text}`,
        secrets_removed: 0,
      };
    },
    "session.send": ({ id, text }) => {
      const session = sessionOf(id);
      if (session.live?.activity !== "idle") {
        const held = { id: `held-${Date.now()}`, text, at: new Date().toISOString(), state: "waiting" as const };
        if (session.live)
          state.putSession({ ...session, live: { ...session.live, held: [...session.live.held, held] } });
        return { delivery: "held", reason: session.live?.hold ?? null };
      }
      answers(state, session, text);
      return { delivery: "sent", reason: null };
    },
    "session.retry": ({ id, text }) =>
      heldOf(id, text, (held) => held.map((one) => (one.id === text ? { ...one, state: "waiting" as const } : one))),
    "session.forget": ({ id, text }) => heldOf(id, text, (held) => held.filter((one) => one.id !== text)),
    "session.edit_queued": ({ id, text, content }) =>
      heldOf(id, text, (held) => held.map((one) => (one.id === text ? { ...one, text: content } : one))),
    "session.move_queued": ({ id, text, before }) => heldOf(id, text, (held) => moved(held, text, before ?? null)),
    "session.send_now": ({ id, text }) => heldOf(id, text, (held) => moved(held, text, held[0]?.id ?? null)),
    "session.draft": ({ id }) => ({ text: state.drafts.get(id) ?? "" }),
    "session.set_draft": ({ id, text }) => {
      state.drafts.set(id, text);
      return { text };
    },
    "session.attach": ({ id, name, data }) => {
      const path = `/home/dv/work/gatehouse/.beads/sessions/${id}/person/attachments/0a1b2c3d-${name}`;
      return { mention: path.includes(" ") ? `@"${path}"` : `@${path}`, path, bytes: (data.length / 4) * 3 };
    },
    "session.image": () => ({ media: "image/png", data: PICTURE }),
    "session.shell_output": ({ background }) => ({ text: shellOutput(background ?? null), omitted: 0 }),
    "session.completions": () => ({
      commands: [
        { name: "release", about: "Make a release as this project does it", origin: "project" },
        { name: "compact", about: "Free up context by summarizing the conversation so far", origin: "claude" },
        { name: "context", about: "Show what fills the context", origin: "claude" },
        { name: "code-review", about: "Review the current diff or a PR for bugs", origin: "claude" },
        { name: "model", about: "Switch model", origin: "claude" },
      ],
      files: [
        "Cargo.toml",
        "README.md",
        "src/auth/login.rs",
        "src/auth/mod.rs",
        "src/auth/validate.rs",
        "src/store/user.rs",
        "tests/login_timing.rs",
      ],
      more_files: 0,
    }),
    "session.mode": ({ id, mode }) => {
      const session = sessionOf(id);
      if (session.live?.activity !== "idle")
        refuse(
          "session_state",
          `the mode can only be changed while claude is at its prompt: ${session.live?.hold ?? "it has ended"}`,
        );
      const cycle = ["manual", "acceptEdits", "plan", "auto"] as const;
      const next = cycle[(cycle.indexOf(session.mode as "manual") + 1) % cycle.length];
      return state.putSession({ ...session, mode: mode ?? next ?? "manual" });
    },
    "session.permission": ({ id, request }) => {
      const session = sessionOf(id);
      if (!session.live) refuse("session_state", "the session's host is not running");
      const permissions = session.live.permissions.filter((p) => p.id !== request);
      return state.putSession({
        ...session,
        live: liveOf({
          ...session.live,
          permissions,
          activity: "working",
          hold: "claude is working; the text is sent when the turn ends",
        }),
      });
    },
    "session.interrupt": ({ id }) => state.putSession({ ...sessionOf(id), live: liveOf({ activity: "idle" }) }),
    "session.pause": ({ id }) =>
      state.putSession({
        ...sessionOf(id),
        status: "paused",
        pause_reason: "user",
        paused_at: new Date().toISOString(),
        live: null,
      }),
    "session.resume_preview": ({ id }) => {
      const session = sessionOf(id);
      return previewOf(session, state.bead(session.bead_id), state.now);
    },
    "session.resume": ({ id, anyway, reclaim, place }) => {
      const [first] = previewOf(sessionOf(id), undefined, state.now).obstacles;
      if (first && !(anyway || reclaim || place))
        refuse("confirmation_needed", first.message, "`--anyway` resumes anyway.");
      const { pause_reason: _reason, paused_at: _at, ...rest } = sessionOf(id);
      return {
        session: state.putSession({ ...rest, status: "active", live: liveOf({ activity: "idle" }) }),
        warnings: [],
      };
    },
    "session.end": ({ id, review, log }) => {
      const session = sessionOf(id);
      const bead = state.bead(session.bead_id);
      if (review && bead) state.putBead({ ...bead, status: "in_review" });
      const closed = { ...session, status: "closed" as const, closed_at: new Date().toISOString(), live: null };
      return {
        session: state.putSession(closed),
        bead_status: review ? "in_review" : (bead?.status ?? null),
        log_saved: review === true && log !== "",
        warnings: [],
      };
    },
    "session.end_preview": ({ id }) => endPreviewOf(state, sessionOf(id)),
    "session.delete": ({ id }) => {
      trash(state, sessionOf(id));
      return {};
    },
    "session.delete_many": (params) => deleteMany(state, params),
    "session.trash": () => trashOf(state),
    "session.stale": () => staleOf(state),
    "session.cleanup": () => cleanedUp(state),
    "session.restore": ({ id }) => {
      const session = state.trash.get(id) ?? refuse("session_not_found", "The session is not in the trash.");
      state.trash.delete(id);
      return state.putSession(session);
    },
  };
}
