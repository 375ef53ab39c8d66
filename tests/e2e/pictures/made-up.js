// The UI over its made-up project: built by itself, since what ships has no made-up host in it, and handed to
// the browser from the disk. No port, no server, no other program.

import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "..");
const ui = join(root, "ui");
const built = join(process.env.CARGO_TARGET_DIR ?? join(root, "target"), "pictures", "ui");
/** A place that a browser trusts like a server of this machine. Nothing is asked of it. */
export const ORIGIN = "http://localhost";
/** The day on which everything in the pictures happens: a Friday. */
export const NOW = new Date("2026-11-20T11:42:00Z");

let building;

/** Builds it, once a process. */
export function build() {
  building ??= promisify(execFile)(process.execPath, [join(ui, "node_modules", "vite", "bin", "vite.js"), "build", "--mode", "made-up", "--outDir", built, "--emptyOutDir", "--logLevel", "warn"], { cwd: ui });
  return building;
}

/** Why there are no pictures here; null if there are. */
export function lacking() {
  return existsSync(join(ui, "node_modules", "vite")) ? null : "the packages of ui/ are not installed (npm ci)";
}

/** Answers every request of a browser's context from the disk, and none from elsewhere. */
export async function serveTo(context) {
  await context.route("**/*", (route) => {
    const url = new URL(route.request().url());
    const path = normalize(join(built, url.pathname === "/" ? "index.html" : url.pathname));
    if (url.origin !== ORIGIN || !path.startsWith(built) || !existsSync(path)) return route.abort();
    return route.fulfill({ path });
  });
}
