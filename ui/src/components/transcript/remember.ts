/** The action that opens the dialog to save a message as a memory, if the view offers it. */
import { getContext, setContext } from "svelte";

export type Remember = (text: string) => void;
const REMEMBER = Symbol("remember");

export function provideRemember(remember: Remember): void {
  setContext(REMEMBER, remember);
}

export function useRemember(): Remember | undefined {
  return getContext<Remember | undefined>(REMEMBER);
}
