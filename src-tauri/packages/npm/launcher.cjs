#!/usr/bin/env node
// Runs the program of this system's package. On Linux and macOS, the installation replaces this file with that program.
// The file stays on Windows, and if installation scripts are disabled.
"use strict";
const { spawn } = require("node:child_process");
const { programs, missing } = require("../platform.cjs");

const found = programs();
if (!found) {
  console.error(missing());
  process.exit(1);
}
const child = spawn(found.program, process.argv.slice(2), { stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => child.kill(signal));
}
child.on("error", (error) => {
  console.error(`beads-console: ${found.program} could not be started: ${error.message}`);
  process.exit(1);
});
child.on("exit", (code, signal) => {
  if (!signal) process.exit(code);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
