/** Sample places, and the results of their tests. */
import type { Api, Place, PlaceCheck, SessionView } from "../../generated/api";
import { CallError } from "../host";

const USUAL = {
  folder: "beads-console",
  program: "beads-console",
  capacity: null,
  labels: [] as string[],
  draining: false,
  dolt_server: null,
};

function place(name: string, host: string): Place {
  return { name, kind: "ssh", host, ...USUAL };
}

function container(name: string, image: string): Place {
  const limits = { mounts: [], memory: "4g", cpus: "2", options: [] };
  return {
    name,
    kind: "container",
    engine: "podman",
    image,
    ...limits,
    ...USUAL,
  };
}

/** The sample places; none without the `places` option, so that other scenes do not show them. */
export function madePlaces(options: URLSearchParams): Place[] {
  return options.has("places")
    ? [
        { ...place("build-1", "build-1"), capacity: 4 },
        { ...place("build-2", "ana@build-2"), capacity: 2, labels: ["gpu"] },
        place("lab", "lab.example.org"),
        { ...container("boxes", "team/dev:12"), capacity: 8, draining: true },
      ]
    : [];
}

/** A place as the settings store it. */
export function keptPlace(place: Api["app.add_place"]["params"]): Place {
  const kept = { ...place, capacity: place.capacity ?? null, dolt_server: place.dolt_server ?? null };
  switch (kept.kind) {
    case "ssh":
      return kept;
    case "container":
      return { ...kept, memory: kept.memory ?? null, cpus: kept.cpus ?? null };
    case "kubernetes":
      return {
        ...kept,
        context: kept.context ?? null,
        namespace: kept.namespace ?? null,
        memory: kept.memory ?? null,
        cpus: kept.cpus ?? null,
        service_account: kept.service_account ?? null,
        volume: kept.volume ?? null,
      };
  }
}

/** The sessions; with the `places` option, the last two live ones are at places, the second of which is
 * unreachable. With `places=all`, the other live ones are at a place, too. */
export function atPlaces(sessions: SessionView[], options: URLSearchParams): SessionView[] {
  if (!options.has("places")) return sessions;
  const since = new Date(Date.now() - 300_000).toISOString();
  const all = options.get("places") === "all";
  const live = sessions.filter((session) => session.live).slice(-2);
  return sessions.map((session) => {
    if (session === live[0] || (all && session.live && session !== live[1])) return { ...session, place: "build-1" };
    const at = session === live[1] && session.live;
    return at ? { ...session, place: "build-2", live: { ...at, unreachable_since: since } } : session;
  });
}

export function checkOf(found: Place | undefined): PlaceCheck {
  if (!found) throw CallError.from({ code: "place_not_found", message: "unknown place" });
  if (found.name === "lab")
    throw CallError.from({
      code: "machine_unreachable",
      message: "the connection to lab.example.org failed: Connection timed out",
      hint: "check that `ssh lab.example.org` works",
    });
  const part = (what: PlaceCheck["parts"][number]["what"], means: string, ok = true) => ({
    what,
    ok,
    required: what !== "bd",
    version: null,
    means,
  });
  return {
    place: found,
    ok: true,
    parts: [
      part("program", "Beads Console 0.1.0"),
      part("claude", "Claude Code 2.1.329"),
      part("git", "git 2.39.5"),
      part("bd", "bd was not found", found.name !== "build-2"),
      part("folder", "a file was written"),
    ],
    clock: { ahead_ms: 120, within_ms: 8 },
    free: 412_000_000_000,
  };
}
