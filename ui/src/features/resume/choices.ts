/** The user's decisions about a resume, as parameters. */
import type { Obstacle, ResumeChoice, ResumePlace, SessionResumeParams } from "../../generated/api";

const WORDS: Record<ResumeChoice, { name: string; description: string }> = {
  anyway: { name: "Resume anyway", description: "leaves the bead as it is" },
  reclaim: { name: "Reclaim the bead", description: "sets it in progress for this session" },
  restore: { name: "Restore the branch", description: "creates or checks out the branch again" },
  stay: { name: "Keep the current branch", description: "works on what is checked out" },
  worktree: { name: "Use a worktree", description: "gives the branch its own folder" },
  end: { name: "End the session", description: "instead of resuming it" },
};

/** The choices of an obstacle, with labels. */
export function choicesOf(obstacle: Obstacle): { value: ResumeChoice; name: string; description: string }[] {
  return obstacle.choices.map((value) => ({ value, ...WORDS[value] }));
}

/** The default choice of each obstacle: the first one. */
export function defaultsOf(obstacles: readonly Obstacle[]): (ResumeChoice | undefined)[] {
  return obstacles.map((obstacle) => obstacle.choices[0]);
}

type Decided = Pick<SessionResumeParams, "anyway" | "reclaim" | "place">;

/** The parameters of the resume; null if the user chose to end the session. */
export function paramsOf(chosen: readonly (ResumeChoice | undefined)[]): Decided | null {
  if (chosen.includes("end")) return null;
  const place = chosen.find(
    (choice): choice is ResumePlace => choice === "restore" || choice === "stay" || choice === "worktree",
  );
  return { anyway: chosen.includes("anyway"), reclaim: chosen.includes("reclaim"), place: place ?? null };
}
