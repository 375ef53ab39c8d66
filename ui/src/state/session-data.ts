/** Data of a session that its transcript loads on demand. */
import type { Message, SessionImage, SessionView, ShellOutput } from "../generated/api";
import type { App } from "./app.svelte";
import type { Project } from "./project.svelte";

interface SessionDataCalls {
  image: (name: string) => Promise<SessionImage>;
  output: (background: string | null) => Promise<ShellOutput>;
  live: () => boolean;
  whole: (message: string) => Promise<void>;
}

/** `upsert` replaces a shortened message with its whole text. A failed load is reported as a toast. */
export function sessionDataOf(
  app: Pick<App, "toasts">,
  project: Project,
  session: () => SessionView,
  upsert: (message: Message) => void,
): SessionDataCalls {
  return {
    image: (name) => project.call("session.image", { id: session().id, name }),
    output: (background) => project.call("session.shell_output", { id: session().id, background }),
    live: () => session().status === "active",
    whole: async (message) => {
      try {
        upsert(await project.call("session.message", { id: session().id, message }));
      } catch (thrown) {
        app.toasts.error(thrown);
      }
    },
  };
}
