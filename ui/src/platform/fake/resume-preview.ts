/** Previews of resuming sample sessions. An interrupted session needs decisions. */
import type { BeadDetail, Obstacle, ResumePreview, SessionView } from "../../generated/api";

export function previewOf(
  session: SessionView,
  bead: Pick<BeadDetail, "id" | "title" | "status" | "assignee"> | undefined,
  now: number,
): ResumePreview {
  const troubled = session.pause_reason === "interrupted";
  const title = bead?.title ?? session.title ?? "";
  const obstacles: Obstacle[] = troubled
    ? [
        {
          kind: "bead_reassigned",
          message: `${bead?.id ?? ""} is now claimed by Mara Klein, and in progress`,
          choices: ["reclaim", "anyway", "end"],
        },
        {
          kind: "other_branch",
          message:
            "/home/dv/work/gatehouse has main checked out; " +
            `the session worked on ${session.branch ?? "another branch"}`,
          choices: ["worktree", "stay"],
        },
      ]
    : [];
  const commit = (n: number, subject: string, author: string) => ({
    hash: `${n}be19c70a4d3`,
    subject,
    author,
    at: new Date(now - n * 36e5).toISOString(),
  });
  return {
    prompt: [
      "You are resuming a paused session.",
      "",
      "Session Context:",
      `- Bead: ${title} (${bead?.status ?? "no bead"})`,
      `- Objective: ${session.objective ?? "none"}`,
      "- Last message: assistant: All 42 tests pass; the property test was being written.",
      "- Files touched: src/auth/login.rs, src/auth/validate.rs",
      `- Paused at: ${session.paused_at ?? "unknown"}`,
      "- Changes since pause: commit 3be19c70 Trim the audit log on rotation (Jo Reyes)",
      "",
      "Please acknowledge and continue from where we left off.",
    ].join("\n"),
    bead_status: bead?.status ?? null,
    warnings: troubled ? ["claude no longer has this conversation: a new one starts with the recorded history"] : [],
    obstacles,
    bead: bead ? { id: bead.id, title: bead.title, status: bead.status, assignee: bead.assignee ?? null } : null,
    changes: {
      unknown: null,
      commits: [commit(3, "Trim the audit log on rotation", "Jo Reyes")],
      user_commits: [],
      base: "main",
      base_commits: [
        commit(5, "Replace lazy_static with LazyLock", "Mara Klein"),
        commit(6, "Pin the base image of the release build", "Jo Reyes"),
      ],
      files: [
        { path: "src/auth/login.rs", change: "modified" },
        { path: "src/auth/legacy.rs", change: "deleted" },
      ],
      tree: [{ path: "Cargo.lock", change: "modified", before_pause: false }],
    },
    folder: {
      cwd: session.cwd ?? "/home/dv/work/gatehouse",
      branch: session.branch ?? null,
      worktree: session.worktree === true,
      action: null,
    },
    conversation: troubled ? "primed" : "continues",
  };
}
