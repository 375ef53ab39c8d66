/** The choices of the setup dialog, and the parameters of its command. Pure. */
import type { FirstCommitContent, InitParams, InitTracker, ProjectSetup } from "../../generated/api";

export interface Wanted {
  tracker: InitTracker;
  prefix: string;
  gitInit: boolean;
  commit: boolean;
  content: FirstCommitContent;
  /** The author of the first commit, if git has none configured. */
  name: string;
  email: string;
}

const TRACKERS: Record<Exclude<InitTracker, "keep">, { name: string; description: string }> = {
  embedded: {
    name: "Built-in",
    description: "One file in the folder, with nothing to install. bd and br can take it over later.",
  },
  bd: {
    name: "bd",
    description: "The bd program with its own database: for large projects, and for syncing with other machines.",
  },
};

/** The choices for the tracker: those that are installed and usable. */
export function trackersOf({ trackers }: Pick<ProjectSetup, "trackers">) {
  return trackers.flatMap(({ tracker, version, problem }) =>
    problem === null && tracker !== "keep" ? [{ value: tracker, ...TRACKERS[tracker], end: version ?? undefined }] : [],
  );
}

/** The parameters of the setup: only what the folder lacks. */
export function paramsOf({ git, author, has_beads }: ProjectSetup, wanted: Wanted): InitParams {
  const creates = git === "no_repository" && wanted.gitInit;
  const commits = wanted.commit && (creates || git === "no_commit");
  const named = author === null ? { name: wanted.name.trim(), email: wanted.email.trim() } : null;
  return {
    tracker: has_beads ? "keep" : wanted.tracker,
    prefix: has_beads ? null : wanted.prefix.trim() || null,
    git_init: creates,
    first_commit: commits ? { content: wanted.content, author: named } : null,
  };
}
