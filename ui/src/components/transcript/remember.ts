/** The action that opens the dialog to save a message as a memory, if the view offers it. */
import { createContext } from "svelte";

export type Remember = (text: string) => void;
const [remember, provideRemember, hasRemember] = createContext<Remember>();
export { provideRemember };

export function useRemember(): Remember | undefined {
  return hasRemember() ? remember() : undefined;
}
