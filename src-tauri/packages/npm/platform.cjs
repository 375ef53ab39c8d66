// The package with the programs for this system.
"use strict";
const path = require("node:path");

const name = `beads-console-${process.platform}-${process.arch}`;
const end = process.platform === "win32" ? ".exe" : "";

/** The paths of the programs; null if the package for this system is not installed. */
function programs() {
  try {
    const folder = path.dirname(require.resolve(`${name}/package.json`));
    const bin = path.join(folder, "bin");
    return {
      program: path.join(bin, `beads-console${end}`),
      simulated: path.join(bin, `beads-console-sim${end}`),
      /** The folder with the static programs for places. */
      lib: path.join(folder, "lib"),
    };
  } catch {
    return null;
  }
}

/** The message for a missing package: the reason and the next step. */
function missing() {
  const known = Object.keys(require("./package.json").optionalDependencies).includes(name);
  return known
    ? `beads-console: the package ${name} is not installed. Reinstall without --omit=optional.`
    : `beads-console: there is no package for ${process.platform} on ${process.arch}. Build it from source instead.`;
}

module.exports = { programs, missing };
