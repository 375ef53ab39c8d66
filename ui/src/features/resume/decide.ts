/** What was decided about what stands in the way of a resume, as parameters of it. */
import type { Obstacle, ResumeChoice, ResumePlace, SessionResumeParams } from "../../generated/api";

const WORDS: Record<ResumeChoice, { name: string; says: string }> = {
  anyway: { name: "Resume all the same", says: "the bead stays as it is" },
  reclaim: { name: "Take the bead again", says: "in progress, for this session" },
  restore: { name: "As it was", says: "the branch is made or checked out again" },
  stay: { name: "As it is now", says: "on the branch that is checked out" },
  worktree: { name: "In a worktree", says: "the branch gets a folder of its own" },
  end: { name: "End the session", says: "instead of resuming it" },
};

/** An obstacle's choices with their words. */
export function choicesOf(obstacle: Obstacle): { value: ResumeChoice; name: string; says: string }[] {
  return obstacle.choices.map((value) => ({ value, ...WORDS[value] }));
}

/** What is taken of each obstacle until somebody says otherwise: the usual one, which comes first. */
export function usual(obstacles: readonly Obstacle[]): (ResumeChoice | undefined)[] {
  return obstacles.map((obstacle) => obstacle.choices[0]);
}

type Decided = Pick<SessionResumeParams, "anyway" | "reclaim" | "place">;

/** The parameters for these choices; null if the session is to be ended instead. */
export function decided(chosen: readonly (ResumeChoice | undefined)[]): Decided | null {
  if (chosen.includes("end")) return null;
  const place = chosen.find((choice): choice is ResumePlace => choice === "restore" || choice === "stay" || choice === "worktree");
  return { anyway: chosen.includes("anyway"), reclaim: chosen.includes("reclaim"), place: place ?? null };
}
