/** Backups of the sample project: one after the last session, not pushed yet. */
import type { BackupStatus, Restore, RestoreCounts } from "../../generated/api";
import { refuse, type Commands } from "./commands";

type BackupCommands = Pick<
  Commands,
  "backup.status" | "backup.run" | "backup.preview" | "backup.restore" | "backup.sync_tracker"
>;

const COMMIT = "4be1a9c07d22f35e8f01b6a4c9d3e7f851206ab9";
const NONE: RestoreCounts = { added: 0, changed: 0, kept: 0, same: 0 };

/** `how`: `no-backup`, no backup yet and no remote; `push-failed`, the last push was refused; `backup-failed`. */
export function backupCommands(now: number, how: string | null): BackupCommands {
  const none = how === "no-backup";
  const counts = { beads: 21, memories: 9, sessions: 8, transcripts: 0 };
  let made = !none;
  let ahead = none ? 0 : 2;
  let restored = false;
  let pushError: string | null =
    how === "push-failed" ? "remote rejected the push: protected branch hook declined" : null;
  const status = (tracker: boolean): BackupStatus => ({
    local: { tracker: "bd", sessions: 8, problem: null },
    branch: {
      at_end: true,
      push: false,
      transcripts: false,
      branch: "beads-backup",
      last_at: made ? new Date(now - 14 * 60_000).toISOString() : null,
      commit: made ? COMMIT : null,
      counts: made ? counts : null,
      remote: none ? null : "origin",
      ahead,
      behind: 0,
      last_push_at: made ? new Date(now - 26 * 3_600_000).toISOString() : null,
      push_error: pushError,
      problem: null,
    },
    tracker: {
      possible: true,
      remotes: !tracker
        ? null
        : none
          ? []
          : [{ name: "origin", url: "git+ssh://git@example.org/gatehouse/gatehouse.git" }],
      problem: null,
    },
  });
  const plan = (): Restore => ({
    from: [COMMIT],
    made_at: new Date(now - 14 * 60_000).toISOString(),
    counts,
    items: restored
      ? [{ kind: "bead", key: "BC-108", title: "Audit log of sign-ins", change: "kept" }]
      : [
          { kind: "bead", key: "BC-131", title: "Sign out everywhere when a key is revoked", change: "added" },
          { kind: "bead", key: "BC-104", title: "Rotate signing keys", change: "changed" },
          { kind: "bead", key: "BC-108", title: "Audit log of sign-ins", change: "kept" },
          {
            kind: "memory",
            key: "sessions-live-in-redis",
            title: "Sessions live in Redis, for eight hours",
            change: "added",
          },
          {
            kind: "session",
            key: "7c1f02aa-55d1-4c57-9a8e-1f2f9d3c4b5a",
            title: "Try the key store on the laptop",
            change: "added",
          },
        ],
    beads: restored ? { ...NONE, kept: 1, same: 20 } : { added: 1, changed: 1, kept: 1, same: 18 },
    memories: restored ? { ...NONE, same: 9 } : { ...NONE, added: 1, same: 8 },
    sessions: restored ? { ...NONE, same: 8 } : { ...NONE, added: 1, same: 7 },
    fresh_tracker: false,
    warnings: [],
  });
  return {
    "backup.status": ({ tracker }) => status(tracker ?? false),
    "backup.run": ({ push }) => {
      if (how === "backup-failed")
        refuse(
          "branch_in_use",
          "the branch beads-backup is checked out in /home/dv/work/gatehouse: work there, or choose another branch",
          "backups are written to that branch: check out another branch in that folder",
        );
      made = true;
      if (push) {
        ahead = 0;
        pushError = null;
      } else ahead += none ? 1 : 0;
      return {
        changed: true,
        commit: COMMIT,
        counts,
        secrets_removed: 0,
        push: push ? { state: "done", remote: "origin" } : { state: "not_wanted" },
        warnings: [],
      };
    },
    "backup.preview": () => {
      if (none && !made)
        refuse(
          "backup_not_found",
          "the branch beads-backup contains no backup of this project",
          "ask the remote, or name a branch with a backup",
        );
      return plan();
    },
    "backup.restore": () => {
      const done = plan();
      restored = true;
      return done;
    },
    "backup.sync_tracker": ({ direction }) => ({ said: direction === "push" ? "Push complete" : "Pull complete" }),
  };
}
