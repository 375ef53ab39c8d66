/**
 * An in-memory host with a sample project, for development and tests. It is not shipped.
 * Options in the address:
 * `?fake=1&with=no-beads|uninitialized|no-sessions|no-claude|no-hooks|no-git|no-project|gone|old|tracker-failed|
 * read-only|few-fields|edited-elsewhere|views|cycle|linked|refused-bulk|stale`,
 * and `many=2000`, `connection=lost|refused|revoked`, `terminal=lost|ended|copy`, `messages=2000`;
 * `with` can also be `inbox|plan|questions|limited|no-memories|memory-fallback|changed-hooks`, and the values that
 * other files of this folder name.
 */
import type { Api } from "../../generated/api";
import type { Host } from "../host";
import { commandsOf, refuse } from "./commands";
import { otherNeeds, otherSessions } from "./needs";
import { FakeState } from "./state";
import { fakeNotifier } from "./notifier";
import { fakeTerminal } from "./terminal";

/** The answer of the second project, which has its own sessions and needs; null for other commands. */
function otherAnswer(state: FakeState, method: keyof Api): object | null {
  if (method === "session.list") return { sessions: otherSessions(state), warnings: [] };
  return method === "session.needs" ? { items: otherNeeds(state), warnings: [] } : null;
}

/** The commands that fail in a folder without beads. */
const NEEDS_BEADS = /^(session|bead|memory|fleet|worktree|backup|hooks|search)\.|^project\.metrics$/;

export function fakeHost(options: URLSearchParams = new URLSearchParams()): Host {
  const state = new FakeState(options);
  const commands = commandsOf(state);
  return {
    async call<K extends keyof Api>(method: K, params: Api[K]["params"], project?: string): Promise<Api[K]["result"]> {
      await Promise.resolve();
      const other = project === "sundial" ? otherAnswer(state, method) : null;
      if (other) return structuredClone(other) as Api[K]["result"];
      if (!state.initialized && NEEDS_BEADS.test(method))
        refuse(
          "no_beads",
          "no beads in /home/dv/work/gatehouse",
          "create them with `beads-console init`, or choose another folder with --project DIR",
        );
      return structuredClone(commands[method](params));
    },
    events(_since, handler, connection) {
      const without = options.get("connection");
      connection?.(without === "lost" || without === "refused" || without === "revoked" ? without : "live");
      return state.listen((event) => handler(structuredClone(event)));
    },
    terminal: () => fakeTerminal(options),
    notifier: fakeNotifier(options),
  };
}
