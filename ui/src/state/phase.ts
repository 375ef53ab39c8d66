/** The loading state of a resource. */
import type { CallError } from "../platform";

export type Phase = { state: "loading" } | { state: "ready" } | { state: "failed"; error: CallError };

export const LOADING: Phase = { state: "loading" };
export const READY: Phase = { state: "ready" };
