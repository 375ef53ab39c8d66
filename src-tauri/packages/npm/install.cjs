// Replaces the launcher with the program, so that a command starts without Node. If that fails, the launcher stays and
// starts the program.
"use strict";
const fs = require("node:fs");
const path = require("node:path");
const { programs } = require("./platform.cjs");

/**
 * Puts a program in place: as a hard link if possible, which takes no space, or else as a copy. The rename at the end
 * ensures that a killed installation leaves a complete file.
 */
function put(from, to) {
  const part = `${to}.part`;
  fs.rmSync(part, { force: true });
  try {
    fs.linkSync(from, part);
  } catch {
    fs.copyFileSync(from, part);
    fs.chmodSync(part, 0o755);
  }
  fs.renameSync(part, to);
}

// On Windows, npm's command files start Node with the launcher, so it must stay.
const found = process.platform === "win32" ? null : programs();
if (found) {
  const bin = path.join(__dirname, "bin");
  try {
    put(found.simulated, path.join(bin, "beads-console-sim"));
    const lib = path.join(__dirname, "lib");
    fs.rmSync(lib, { force: true });
    fs.symlinkSync(found.lib, lib, "dir");
    put(found.program, path.join(bin, "beads-console"));
  } catch (error) {
    console.warn(`beads-console: the launcher is used, because the program could not be linked: ${error.message}`);
  }
}
