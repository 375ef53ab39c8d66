/** Data of a session that tool views load on demand; a transcript without a session offers none. */
import { getContext, setContext } from "svelte";
import type { SessionImage, ShellOutput } from "../../generated/api";

export interface SessionData {
  /** An image of the conversation; rejects if it was not recorded. */
  image: (name: string) => Promise<SessionImage>;
  /** The output so far of a background command, or of the command that runs now. */
  output: (background: string | null) => Promise<ShellOutput>;
  /** Whether claude runs, so that an output can grow. */
  live: () => boolean;
  /** Loads all of a message whose long texts are shortened. */
  whole: (message: string) => Promise<void>;
  /** Puts a sent message back into the composer; null if there is none. */
  resend: ((text: string) => void) | null;
}

const DATA = Symbol("session data");

export function provideSessionData(data: SessionData): void {
  setContext(DATA, data);
}

export function useSessionData(): SessionData | undefined {
  return getContext<SessionData | undefined>(DATA);
}
