import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

// Relative addresses: the same bundle is served by the server and by the desktop window.
export default defineConfig({
  base: "./",
  plugins: [svelte()],
  build: {
    target: "es2022",
    // The content security policy allows `data:` only for images, so fonts and other assets must be files.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 900,
    // One chunk for the code of the first board, so that the browser discovers no further imports while it loads.
    rolldownOptions: {
      output: { codeSplitting: { groups: [{ name: "board", tags: ["$initial"], entriesAware: false }] } },
    },
  },
  // Tests read the sample transcripts of the decoder.
  server: { host: "127.0.0.1", fs: process.env["VITEST"] ? { allow: [".."] } : {} },
  resolve: process.env["VITEST"] ? { conditions: ["browser"] } : {},
  // One DOM for all files: a separate one costs each of them a second.
  test: {
    environment: "jsdom",
    include: ["src/**/*.test.ts"],
    isolate: false,
    maxWorkers: 2,
    setupFiles: ["src/testing/setup.ts"],
    // A busy machine takes long; only a test that hangs should reach this.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
