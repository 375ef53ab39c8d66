// The UI with sample data. It is built separately, because the shipped build has no sample host, and is served to the
// browser from disk, without a port, a server or another program.

import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "..");
const ui = join(root, "ui");
const built = join(process.env.CARGO_TARGET_DIR ?? join(root, "target"), "pictures", "ui");
/** An origin that browsers trust like a local server. No request reaches the network. */
export const ORIGIN = "http://localhost";
/** The date and time in all pictures, a Friday. */
export const NOW = new Date("2026-11-20T11:42:00Z");

let building;

/** Builds the UI once per process. */
export function build() {
  building ??= promisify(execFile)(process.execPath, [join(ui, "node_modules", "vite", "bin", "vite.js"), "build", "--mode", "made-up", "--outDir", built, "--emptyOutDir", "--logLevel", "warn"], { cwd: ui });
  return building;
}

/** The reason why no pictures can be taken on this machine, or null. */
export function missing() {
  return existsSync(join(ui, "node_modules", "vite")) ? null : "the packages of ui/ are not installed (npm ci)";
}

/** Answers a browser context's requests with the built files. Requests to other origins fail. */
export async function serveTo(context) {
  await context.route("**/*", (route) => {
    const url = new URL(route.request().url());
    const path = normalize(join(built, url.pathname === "/" ? "index.html" : url.pathname));
    if (url.origin !== ORIGIN || !path.startsWith(built) || !existsSync(path)) return route.abort();
    return route.fulfill({ path });
  });
}
