/** Claude's own conversations of the sample project, and their adoption. */
import type { Conversation, SessionView } from "../../generated/api";
import { refuse, type Commands } from "./commands";
import { NEW_SESSION } from "./sessions";
import type { FakeState } from "./state";

export function adoptCommands(state: FakeState): Pick<Commands, "session.conversations" | "session.adopt"> {
  const at = (hours: number) => new Date(state.now - hours * 3_600_000).toISOString();
  let list: Conversation[] = [
    {
      id: "5e1f7c1a-0b1e-4c7d-9a51-0d6f3c2b7a10",
      title: "Why does the token cache miss after a restart?",
      cwd: "/home/dv/work/gatehouse",
      branch: "main",
      started_at: at(30),
      last_at: at(26),
      bytes: 3_400_000,
      version: "2.1.329",
      in_use: false,
      found: [],
    },
    {
      id: "7a90d3b2-6f7e-4f0c-8d8e-51b0c4e9a2f3",
      title: "Draft the operator grammar",
      cwd: "/home/dv/work/gatehouse",
      branch: "docs/grammar",
      started_at: at(1),
      last_at: at(0.02),
      bytes: 180_000,
      version: "2.1.329",
      in_use: true,
      found: [],
    },
    {
      id: "c3d5a8e4-2f11-4b8e-a9c6-8e2d7f0b1c44",
      title: "Benchmark Argon2 parameters",
      cwd: "/home/dv/work/gatehouse",
      branch: "main",
      started_at: at(240),
      last_at: at(238),
      bytes: 52_000_000,
      version: "2.1.290",
      in_use: false,
      found: [],
    },
  ];
  return {
    "session.conversations": ({ text }) => {
      const searchText = (text ?? "").toLowerCase();
      const found = list.filter(({ title }) => title.toLowerCase().includes(searchText));
      return {
        conversations: found.map((one) => ({ ...one, found: searchText ? [`…${one.title}…`] : [] })),
        warnings: [],
      };
    },
    "session.adopt": ({ conversation, bead_id, title, anyway }) => {
      const adopted = list.find(({ id }) => id === conversation);
      if (!adopted) return refuse("session_not_found", `claude has no conversation ${conversation}`);
      if (adopted.in_use && !anyway) {
        refuse("confirmation_needed", "a running claude seems to write the conversation", "exit that claude first");
      }
      list = list.filter(({ id }) => id !== conversation);
      const session: SessionView = {
        ...NEW_SESSION,
        id: crypto.randomUUID(),
        status: "paused",
        pause_reason: "exited",
        created_at: adopted.started_at,
        started_at: adopted.started_at,
        paused_at: adopted.last_at,
        last_activated_at: adopted.started_at,
        title: title || adopted.title,
        claude_sessions: [{ id: adopted.id, started_at: adopted.started_at, prompted: true }],
        active_intervals: [{ start: adopted.started_at, end: adopted.last_at }],
        tokens: { input: 4_000, cache_creation: 60_000, cache_read: 900_000, output: 12_000 },
        total_tokens: 76_000,
        duration_ms: 3_600_000,
        message_count: 2,
        state: "paused",
        live: null,
        cwd: adopted.cwd,
        ...(bead_id ? { bead_id } : {}),
      };
      state.messages.set(session.id, [
        { id: "adopted-1", role: "user", content: adopted.title, timestamp: adopted.started_at },
        {
          id: "adopted-2",
          role: "assistant",
          content: "The key has the process id.",
          timestamp: adopted.last_at,
        },
      ]);
      state.putSession(session);
      return { session, warnings: [] };
    },
  };
}
