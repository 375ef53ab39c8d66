// The checks of the window test's page. DESKTOP is the address of the UI's own desktop bridge.
const PERIOD = 251;
const FLOOD = 64 * 1024 * 1024;
const report = {};
const failed = (error) =>
  window.__TAURI_INTERNALS__.invoke("rpc", {
    method: "report",
    project: null,
    params: { ...report, failed: `${error?.stack ?? ""} ${error}` },
  });
window.addEventListener("error", ({ error, message }) => failed(error ?? message));
window.addEventListener("unhandledrejection", ({ reason }) => failed(reason));

const { desktopHost } = await import("DESKTOP");
const host = desktopHost();
const text = (bytes) => new TextDecoder().decode(bytes);
const bytes = (string) => new TextEncoder().encode(string);

report.echo = await host.call("echo", { text: "ä\0☃" }, "p1");
report.error = await host.call("bead.show", {}, "p1").catch(({ code, message, hint }) => ({ code, message, hint }));

const events = { count: 0, in_order: true };
await new Promise((resolve) => {
  host.events(
    null,
    (event) => {
      events.count += 1;
      events.in_order &&= event.seq === events.count;
      if (events.count === 2000) resolve();
    },
    (state) => {
      if (state === "live") void host.call("publish", { count: 2000 });
    },
  );
});
report.events = events;

const terminal = host.terminal("p1", "6b0e6c0e-0000-4000-8000-000000000001");
let onEvent = () => {};
terminal.subscribe((event) => {
  if (event.bytes) terminal.ack(event.offset + event.bytes.length);
  onEvent(event);
});
/** Acts, then passes events to `until` until it returns a value. */
const waitFor = (act, until) =>
  new Promise((resolve) => {
    onEvent = (event) => {
      const found = until(event);
      if (found !== undefined) resolve(found);
    };
    act();
  });

await waitFor(
  () => terminal.resize(80, 24),
  (event) => (event.type === "screen" && text(event.bytes) === "screen" ? true : undefined),
);
let typed = "";
report.typed = await waitFor(
  () => [..."abcdefghijklmnopqrstuvwxyz"].forEach((key) => terminal.input(bytes(key))),
  (event) => {
    typed += text(event.bytes);
    return typed.length >= 26 ? typed : undefined;
  },
);
const flood = { bytes: 0, right: true };
report.flood = await waitFor(
  () => terminal.input(bytes("!")),
  ({ bytes }) => {
    for (let at = 0; at < bytes.length; at++) flood.right &&= bytes[at] === (flood.bytes + at) % PERIOD;
    flood.bytes += bytes.length;
    return flood.bytes >= FLOOD || !flood.right ? flood : undefined;
  },
);
report.shown_again = await waitFor(
  () => {
    terminal.visible(false);
    terminal.visible(true);
  },
  (event) => event.type,
);
report.ended = await waitFor(
  () => terminal.input(bytes("\x04")),
  (event) => event.type,
);

report.inline_script_ran = window.inlineRan === true;
try {
  report.eval_ran = (0, eval)("true");
} catch {
  report.eval_ran = false;
}
report.fetch_blocked_by = await new Promise((resolve) => {
  document.addEventListener("securitypolicyviolation", ({ blockedURI, effectiveDirective }) => {
    if (blockedURI.includes("127.0.0.1:9")) resolve(effectiveDirective);
  });
  void fetch("http://127.0.0.1:9/").catch(() => {});
});
const commands = [
  "plugin:opener|open_url",
  "plugin:opener|open_path",
  "plugin:window|close",
  "plugin:window-state|save_window_state",
  "plugin:event|listen",
  "plugin:path|resolve_directory",
  "plugin:app|version",
  "plugin:resources|close",
  "no_such_command",
];
const allowed = commands.map((command) =>
  window.__TAURI_INTERNALS__.invoke(command, { url: "about:blank", path: "/" }).then(
    () => command,
    (error) => (/not allowed|not found/i.test(String(error)) ? null : `${command}: ${error}`),
  ),
);
report.other_commands = (await Promise.all(allowed)).filter((command) => command !== null);
report.global_tauri = "__TAURI__" in window;
await host.call("report", report);
