/** What is done with a message that somebody wants to be remembered; nothing where that is not offered. */
import { getContext, setContext } from "svelte";

export type Remember = (text: string) => void;
const REMEMBER = Symbol("remember");

export function provideRemember(remember: Remember): void {
  setContext(REMEMBER, remember);
}

export function useRemember(): Remember | undefined {
  return getContext<Remember | undefined>(REMEMBER);
}
