/** The actions that a row of the inbox offers. */
import type { PermissionAnswer, QuestionAnswer } from "../../generated/api";
import type { App } from "../../state/app.svelte";
import type { InboxItem } from "../../state/inbox.svelte";
import { Permissions } from "../../state/permission.svelte";
import { SessionActions } from "../../state/session-actions";
import { answering } from "../../words/permission";
import { questionsOf, shortChoices } from "../../words/question";

export interface NeedAction {
  label: string;
  look: "solid" | "frame" | "plain";
  /** The key that runs the action while the row has the focus. */
  keys?: string;
  run: () => void | Promise<unknown>;
}

/** The actions of an item, the most likely first. `deny` opens the form that asks for a reason. */
export function actionsOf(app: App, item: InboxItem, permissions: Permissions, deny: () => void): NeedAction[] {
  const { project, need } = item;
  const session = project.sessions.get(need.session);
  const open = () => app.inbox.open(item);
  const opening = (label: string): NeedAction => ({ label, look: "frame", keys: "R", run: open });
  const { request } = need;
  if (request && session) {
    const answer = (given: PermissionAnswer, answers: QuestionAnswer[] = []) =>
      permissions.answer(session, request, given, "", undefined, answers);
    const how = answering(request);
    if (how === "allow")
      return [
        { label: "Allow once", look: "solid", keys: "Y", run: () => answer("allow") },
        { label: "Deny…", look: "frame", keys: "N", run: deny },
      ];
    const question = questionsOf(request)[0];
    const choices = shortChoices(request);
    if (how === "questions" && question && choices.length > 0)
      return [
        ...choices.map((label, i): NeedAction => ({
          label,
          look: "frame",
          keys: String(i + 1),
          run: () => answer("allow", [{ question: question.question, chosen: [label] }]),
        })),
        { label: "Other…", look: "plain", keys: "R", run: open },
      ];
    return [opening(how === "plan" ? "Review…" : "Answer…")];
  }
  switch (need.kind) {
    case "turn":
      return [
        opening("Reply…"),
        {
          label: "End…",
          look: "plain",
          run: () => {
            open();
            if (session) new SessionActions(app, project).askEnd(session);
          },
        },
      ];
    case "merge": {
      const id = need.merge;
      const retry: NeedAction = {
        label: "Retry",
        look: "frame",
        keys: "R",
        run: () => project.call("fleet.queue_retry", { id: id ?? "", follow: false }).catch((e) => app.toasts.error(e)),
      };
      return [...(id ? [retry] : []), { label: "Open queue", look: "plain", run: open }];
    }
    case "review":
      return [opening("Review…")];
    case "login":
    case "trust":
    case "dialog":
      return [opening("Open terminal")];
    default:
      if (session?.state === "interrupted")
        return [{ ...opening("Resume"), run: () => new SessionActions(app, project).resume(session) }];
      return [opening("Open session")];
  }
}
