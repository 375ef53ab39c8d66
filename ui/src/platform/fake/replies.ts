/** A simulated Claude that streams a message first and records it afterwards. */
import type { SessionView } from "../../generated/api";
import { WRITING } from "./messages";
import { liveOf, sessionId } from "./sessions";
import type { FakeState } from "./state";

const PIECE = 24;
const EVERY = 120;
const written = new WeakSet<FakeState>();

/** At the start, the first session is in the middle of a reply. */
export function writes(state: FakeState, id: string): void {
  if (id !== sessionId(1) || written.has(state)) return;
  written.add(state);
  setTimeout(
    () =>
      state.tell({
        type: "stream_delta",
        session_id: id,
        message_id: WRITING.id,
        index: 0,
        text: WRITING.text,
        final: false,
      }),
    0,
  );
}

/** Records the prompt, streams a reply and records it. */
export function answers(state: FakeState, session: SessionView, text: string): void {
  const { id } = session;
  const now = () => new Date().toISOString();
  state.putSession({ ...session, live: liveOf({ activity: "working" }) });
  setTimeout(() => state.say(id, { id: `u-${Date.now()}`, role: "user", content: text, timestamp: now() }), 300);
  const unfinished = "While the verifier works I am adding the property test that compares the two";
  const answer = `You said: ${text}\n\n${WRITING.text.replace(unfinished, "That is all.")}`;
  const message_id = `a-${Date.now()}`;
  let at = 0;
  const timer = setInterval(() => {
    if (state.session(id)?.live?.activity !== "working") {
      clearInterval(timer);
      state.say(id, {
        id: `i-${Date.now()}`,
        role: "system",
        kind: "interrupted",
        content: "Request interrupted by user",
        timestamp: now(),
      });
      return;
    }
    const piece = answer.slice(at, at + PIECE);
    const index = at / PIECE;
    at += PIECE;
    if (piece !== "")
      state.tell({ type: "stream_delta", session_id: id, message_id, index, text: piece, final: at >= answer.length });
    if (at < answer.length) return;
    clearInterval(timer);
    state.say(id, { id: message_id, role: "assistant", content: answer, timestamp: now(), latency_ms: 900 });
    const last = state.session(id);
    if (last) state.putSession({ ...last, live: liveOf({ activity: "idle" }) });
  }, EVERY);
}
