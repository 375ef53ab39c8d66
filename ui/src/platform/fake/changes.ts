/** Reverts, commits, publishing and comments of the sample changes. */
import type { ChangeComment, KeptRevert, SessionChanges } from "../../generated/api";
import { changesOf } from "./diffs";
import type { FakeState } from "./state";
import { refuse, type Commands } from "./commands";

type Method =
  | "session.file_lines"
  | "session.revert"
  | "session.reverts"
  | "session.undo_revert"
  | "session.commit_preview"
  | "session.commit"
  | "session.publish_preview"
  | "session.push"
  | "session.pull_request"
  | "session.open_file"
  | "session.comments"
  | "session.set_comments";

/** The reverted and committed files, and the comments. */
export class ChangeState {
  readonly reverts = new Map<string, KeptRevert[]>();
  readonly comments = new Map<string, ChangeComment[]>();
  readonly committed = new Set<string>();

  shown(changes: SessionChanges): SessionChanges {
    const gone = new Set([...this.reverts.values()].flat().flatMap(({ path, hunk }) => (hunk === null ? [path] : [])));
    return {
      ...changes,
      files: changes.files.filter(({ path }) => !gone.has(path)),
      uncommitted: changes.uncommitted.filter((path) => !this.committed.has(path) && !gone.has(path)),
    };
  }
}

export function changeCommands(state: FakeState): Pick<Commands, Method> {
  const { reverts, comments, committed } = state.changes;
  const of = (id: string) => {
    const session = state.session(id) ?? refuse("session_not_found", `There is no session ${id}.`, "");
    return state.changes.shown(changesOf(session, state.now, false));
  };
  const sourceLine = (n: number) => (n % 7 === 0 ? "" : `    let step_${n} = store.step(${n})?;`);
  return {
    "session.file_lines": ({ from, to }) => {
      const last = Math.min(to, 160);
      return {
        lines: Array.from({ length: Math.max(0, last - from + 1) }, (_, i) => sourceLine(from + i)),
        total: 160,
      };
    },
    "session.revert": ({ id, path, hunk }) => {
      const kept: KeptRevert = {
        revert: `${Date.now()}-${(reverts.get(id)?.length ?? 0) + 1}`,
        path,
        hunk: hunk == null ? null : "@@ -36,10 +36,13 @@",
        at: new Date(state.now).toISOString(),
        undoable: true,
      };
      reverts.set(id, [kept, ...(reverts.get(id) ?? [])]);
      return kept;
    },
    "session.reverts": ({ id }) => ({ reverts: reverts.get(id) ?? [] }),
    "session.undo_revert": ({ id, revert }) => {
      reverts.set(
        id,
        (reverts.get(id) ?? []).filter((one) => one.revert !== revert),
      );
      return { reverts: reverts.get(id) ?? [] };
    },
    "session.commit_preview": ({ id }) => ({
      message: "Implement login validation (BC-097)",
      branch: "feat/BC-097-login",
      author: "Dana Voss",
      files: of(id).uncommitted.map((path) => ({ path, change: "modified" })),
      skipped_hooks: ["pre-commit"],
      unsigned: false,
    }),
    "session.commit": ({ message, paths }) => {
      for (const path of paths ?? []) committed.add(path);
      const subject = message.trim().split("\n")[0] ?? "";
      return { hash: "c91f0be4d20a07be4f1c9a07be9d2c1f04be19c7", subject, files: paths?.length ?? 0 };
    },
    "session.publish_preview": ({ id }) => ({
      branch: "feat/BC-097-login",
      remote: "origin",
      base: "main",
      unpushed: of(id).commits.length,
      uncommitted: of(id).uncommitted.length,
      gh: true,
      title: "Implement login validation",
      body: "Validates email and password before the store is touched.\n\nBead: BC-097",
    }),
    "session.push": () => ({ remote: "origin", branch: "feat/BC-097-login" }),
    "session.pull_request": () => ({ url: "https://github.com/example/gatehouse/pull/42", existed: false }),
    "session.open_file": () => refuse("editor_missing", "no editor is chosen", "choose an editor in Settings"),
    "session.comments": ({ id }) => ({ comments: comments.get(id) ?? [] }),
    "session.set_comments": ({ id, put, remove }) => {
      const all = (comments.get(id) ?? []).filter(({ comment }) => !remove?.includes(comment));
      for (const { sent_at = null, ...rest } of put ?? []) {
        const one = { ...rest, sent_at };
        const at = all.findIndex(({ comment }) => comment === one.comment);
        if (at >= 0) all[at] = one;
        else all.push(one);
      }
      comments.set(id, all);
      state.tell({ type: "viewed_changed", id });
      return { comments: all };
    },
  };
}
