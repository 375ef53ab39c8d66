/** Data of a session that tool views load on demand. A transcript without a session has none. */
import { createContext } from "svelte";
import type { SessionImage, ShellOutput } from "../../generated/api";

export interface SessionData {
  /** An image of the conversation; rejects if it was not recorded. */
  image: (name: string) => Promise<SessionImage>;
  /** The output so far of a background command, or, with null, of the running command. */
  output: (background: string | null) => Promise<ShellOutput>;
  /** Whether Claude is running, so that an output can still grow. */
  live: () => boolean;
  /** Loads the whole text of a shortened message. */
  whole: (message: string) => Promise<void>;
  /** Puts a sent message back into the composer; null if there is no composer. */
  resend: ((text: string) => void) | null;
}

const [sessionData, provideSessionData, hasSessionData] = createContext<SessionData>();
export { provideSessionData };

export function useSessionData(): SessionData | undefined {
  return hasSessionData() ? sessionData() : undefined;
}
