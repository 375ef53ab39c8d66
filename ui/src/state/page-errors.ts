/** Errors in this page, for problem reports. Only the newest ones are kept, in memory. */

const MAX = 100;
const errors: string[] = [];

/** Records an error with its stack, if it has one. */
export function notePageError(thrown: unknown, now = new Date()): void {
  const text = thrown instanceof Error ? (thrown.stack ?? `${thrown.name}: ${thrown.message}`) : String(thrown);
  errors.push(`${now.toISOString()} ${text}`);
  if (errors.length > MAX) errors.shift();
}

/** All recorded errors, oldest first. */
export function pageErrors(): string[] {
  return [...errors];
}

/** Records uncaught errors. Returns a function that stops it. */
export function watchPageErrors(target: Window): () => void {
  const failed = (event: ErrorEvent) => notePageError(event.error ?? event.message);
  const rejected = (event: PromiseRejectionEvent) => notePageError(event.reason);
  target.addEventListener("error", failed);
  target.addEventListener("unhandledrejection", rejected);
  return () => {
    target.removeEventListener("error", failed);
    target.removeEventListener("unhandledrejection", rejected);
  };
}
