// Access belongs to the tab in which a link was opened, and to tabs that this tab opens.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { journey, waitUntil } from "../sandbox.js";
import { card } from "../actions.js";

const NO_ACCESS = "This tab has no access";

/** A server of another program on this machine. It records the requests that it receives. */
async function otherServer(port = 0, answer = () => "<!doctype html><title>Stranger</title>") {
  const seen = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (bytes) => (body += bytes));
    request.on("end", () => {
      seen.push(JSON.stringify({ url: request.url, headers: request.headers, body }));
      response.setHeader("content-type", "text/html").end(answer());
    });
  });
  server.on("upgrade", (request, socket) => {
    seen.push(JSON.stringify({ url: request.url, headers: request.headers }));
    socket.destroy();
  });
  await new Promise((ready, failed) => server.once("error", failed).listen(port, ready));
  const end = () => new Promise((ended) => server.close(ended).closeAllConnections());
  return { seen, port: server.address().port, end };
}

const tokenOf = (page) => page.evaluate(() => sessionStorage.getItem("access"));

journey("a link works once and leaves no trace; a tab without one shows how to get it", {}, async (sandbox) => {
  await sandbox.serve();
  const page = await sandbox.open();
  assert.equal(page.url(), `${sandbox.origin}/`, "the token stays in the address");
  assert.deepEqual(await page.context().cookies(), []);
  assert.ok(await tokenOf(page));
  const link = new URL(sandbox.link).hash.split("=")[1];
  assert.ok(page.requested.every((url) => !url.includes(link)), "the link's token was sent in an address");

  const late = await (await sandbox.visitor()).newPage();
  await late.goto(sandbox.link);
  await late.getByRole("heading", { name: NO_ACCESS }).waitFor();
  await late.getByText("This link no longer works").waitFor();
  await late.getByText("beads-console serve --link", { exact: true }).waitFor();
  assert.equal(await tokenOf(late), null);

  // A new tab of the same browser: first without a link, then with one.
  const fresh = await page.context().newPage();
  await fresh.goto(sandbox.origin);
  await fresh.getByRole("heading", { name: NO_ACCESS }).waitFor();
  await fresh.goto(await sandbox.takeLink());
  await fresh.getByRole("tab", { name: "Board" }).waitFor();
  assert.deepEqual(page.errors, []);
});

journey("a tab keeps its access when it is reloaded, left, revisited and duplicated", {}, async (sandbox) => {
  const id = await sandbox.bead("Stays in sight");
  await sandbox.serve();
  const page = await sandbox.open();
  const other = await otherServer();
  try {
    await page.reload();
    await card(page, id).waitFor();
    await page.goto(`http://127.0.0.1:${other.port}/`);
    await page.goBack();
    await card(page, id).waitFor();
    await page.goForward();
    await page.waitForURL(`http://127.0.0.1:${other.port}/`);
    await page.goBack();
    await card(page, id).waitFor();
    // Opening the used link in a tab that has access does not end the access.
    await page.goto(sandbox.link);
    await card(page, id).waitFor();
    const [duplicate] = await Promise.all([
      page.waitForEvent("popup"),
      page.evaluate(() => void window.open(location.href)),
    ]);
    await card(duplicate, id).waitFor();
    assert.equal(await tokenOf(duplicate), await tokenOf(page));
  } finally {
    await other.end();
  }
});

journey("a page of another server on this machine has no access", {}, async (sandbox) => {
  await sandbox.bead("Not for others");
  await sandbox.serve();
  const page = await sandbox.open();
  const context = page.context();
  // An earlier version kept a valid token in a cookie. Browsers send cookies to all ports of a host.
  const token = await tokenOf(page);
  const name = `beads_console_${sandbox.port}`;
  await context.addCookies([{ name, value: token, domain: "127.0.0.1", path: "/", httpOnly: true, sameSite: "Strict" }]);
  const before = await sandbox.console("settings", "inactivity_minutes");
  const other = await otherServer();
  try {
    for (const host of ["127.0.0.1", "localhost"]) {
      await context.addCookies([{ name, value: token, domain: host, path: "/", httpOnly: true, sameSite: "Strict" }]);
      const hostile = await context.newPage();
      await hostile.goto(`http://${host}:${other.port}/`);
      const origin = sandbox.origin.replace("127.0.0.1", host);
      const params = { inactivity_minutes: 99 };
      const results = await hostile.evaluate(attack, { origin, method: "app.set_settings", params });
      assert.deepEqual(results, {
        cors: "failed", simple: "failed", preflighted: "failed", proof: "failed", socket: "closed", offered: "closed",
        stream: "closed", image: "failed", script: "failed", frame: "unreadable", popup: "unreadable", kept: null,
      });
      assert.equal(await hostile.evaluate(() => document.cookie), "");
      await hostile.close();
    }
    // Browsers let a page submit a form to another origin without asking that origin.
    const form = await context.newPage();
    await form.goto(`http://127.0.0.1:${other.port}/`);
    const [answered] = await Promise.all([
      form.waitForResponse((response) => response.url().includes("/rpc/")),
      form.evaluate((origin) => {
        const form = Object.assign(document.createElement("form"), { action: `${origin}/rpc/app.set_settings`, method: "post", enctype: "text/plain" });
        const field = Object.assign(document.createElement("input"), { name: '{"params":{"inactivity_minutes":98},"x":"', value: '"}' });
        form.append(field);
        document.body.append(form);
        form.submit();
      }, sandbox.origin),
    ]);
    assert.equal(answered.status(), 403);

    assert.equal(await sandbox.console("settings", "inactivity_minutes"), before);
    // The first request with the old cookie removes it.
    await page.reload();
    await page.getByRole("tab", { name: "Board" }).waitFor();
    assert.deepEqual((await context.cookies(sandbox.origin)).filter((cookie) => cookie.name === name), []);
    await other.end();
    const again = await otherServer(other.port);
    const after = await context.newPage();
    await after.goto(`http://127.0.0.1:${again.port}/`);
    await again.end();
    assert.doesNotMatch(again.seen.join(), new RegExp(token.split(".")[1]));
  } finally {
    await other.end().catch(() => {});
  }
});

/** Runs in the page: sends cross-origin requests of several kinds and returns each result. */
async function attack({ origin, method, params }) {
  const url = `${origin}/rpc/${method}`;
  const body = JSON.stringify({ params });
  const failing = (promise) => promise.then(() => "answered", () => "failed");
  const socket = (...offered) =>
    new Promise((done) => {
      const socket = new WebSocket(`${origin.replace("http", "ws")}/events`, ...offered);
      socket.onopen = () => done("open");
      socket.onclose = () => done("closed");
    });
  const loading = (tag) =>
    new Promise((done) => {
      const element = Object.assign(document.createElement(tag), { src: url });
      element.onload = () => done("loaded");
      element.onerror = () => done("failed");
      document.body.append(element);
    });
  const readable = (view) => {
    try {
      return view.sessionStorage.getItem("access") ?? "empty";
    } catch {
      return "unreadable";
    }
  };
  const framed = () =>
    new Promise((done) => {
      const frame = Object.assign(document.createElement("iframe"), { src: `${origin}/` });
      frame.onload = () => done(readable(frame.contentWindow));
      document.body.append(frame);
    });
  const stream = new Promise((done) => {
    const source = new EventSource(`${origin}/events`, { withCredentials: true });
    source.onopen = () => done("open");
    source.onerror = () => {
      source.close();
      done("closed");
    };
  });
  const popup = window.open(`${origin}/`);
  const found = {
    cors: await failing(fetch(url, { method: "POST", credentials: "include", headers: { "content-type": "application/json" }, body })),
    simple: await fetch(url, { method: "POST", mode: "no-cors", credentials: "include", body }).then((answer) => answer.type, () => "failed"),
    preflighted: await failing(fetch(url, { method: "POST", credentials: "include", headers: { authorization: "Bearer 0.0" }, body })),
    proof: await failing(fetch(`${origin}/prove`, { method: "POST", headers: { "content-type": "application/json" }, body: "{}" })),
    socket: await socket(),
    offered: await socket(["beads-console", "access.0.0"]),
    stream: await stream,
    image: await loading("img"),
    script: await loading("script"),
    frame: await framed(),
    popup: readable(popup),
    kept: sessionStorage.getItem("access"),
  };
  popup?.close();
  return found;
}

journey("a tab continues after a server restart at the same port, with its draft and its view", { long: true }, async (sandbox) => {
  for (let n = 0; n < 12; n += 1) await sandbox.bead(`Bead ${n} of a long column`);
  await sandbox.serve();
  const page = await sandbox.open(await sandbox.visitor({ viewport: { width: 1280, height: 500 } }));
  const outside = await page.context().newPage();
  await outside.goto(sandbox.origin);
  await outside.getByRole("heading", { name: NO_ACCESS }).waitFor();
  const filter = page.getByRole("textbox", { name: "Filter beads" });
  await filter.fill("bead");
  await page.evaluate(() => (window.same = true));
  const scrolled = () => page.evaluate(() => Math.max(0, ...[...document.querySelectorAll("main *")].map((e) => e.scrollTop)));
  await page.getByText("12 of 12 beads").waitFor();
  // The position is set directly, because wheel events take effect late. It must hold for 30 frames, because
  // a late answer to the filter moves the column to its top.
  await page.getByRole("article").first().evaluate(async (card) => {
    let column = card.parentElement;
    while (column.scrollHeight < column.clientHeight + 300) column = column.parentElement;
    for (let kept = 0; kept < 30; kept += 1) {
      if (column.scrollTop !== 300) kept = 0;
      column.scrollTop = 300;
      await new Promise((drawn) => requestAnimationFrame(drawn));
    }
  });
  assert.equal(await scrolled(), 300);
  const port = sandbox.port;

  let beads = 12;
  for (const stop of ["stopServer", "killServer"]) {
    await sandbox[stop]();
    await page.getByRole("status").getByText("Connection lost. Reconnecting… Sessions keep running; nothing is lost.").waitFor();
    await sandbox.bead(`Bead made after ${stop}`);
    beads += 1;
    // Without `--port`, the server first tries the project's last port.
    await sandbox.serve();
    assert.equal(sandbox.port, port);
    await page.getByRole("status").getByText("Connection lost.").waitFor({ state: "detached" });
    await page.getByText(`${beads} of ${beads} beads`).waitFor();
  }
  assert.equal(await page.evaluate(() => window.same), true, "the page was loaded again");
  assert.equal(await filter.inputValue(), "bead");
  assert.equal(await scrolled(), 300);
  await page.reload();
  await page.getByRole("tab", { name: "Board" }).waitFor();
  // The tab that had no access still has none.
  await outside.reload();
  await outside.getByRole("heading", { name: NO_ACCESS }).waitFor();
  assert.deepEqual(page.errors, []);
});

journey("a program that takes over a stopped server's port does not receive the token", {}, async (sandbox) => {
  const id = await sandbox.bead("Seen before and after");
  await sandbox.serve();
  const page = await sandbox.open();
  await card(page, id).waitFor();
  const token = await tokenOf(page);
  // Waits until the page has loaded its last part, Insight.
  await page.waitForFunction(() => ["js", "css"].every((kind) => performance.getEntriesByType("resource").some(({ name, responseEnd }) => responseEnd > 0 && new RegExp(`/InsightView-.*\\.${kind}$`).test(name))));
  await sandbox.killServer();
  await page.getByRole("status").getByText("Connection lost.").waitFor();
  const answers = ['{"proof":"0000"}', '{"access":"0.0"}', "", "<html>", "null"];
  let count = 0;
  const other = await otherServer(sandbox.port, () => answers[count++ % answers.length]);
  try {
    await waitUntil(() => other.seen.length >= answers.length);
    // A user action sends no request to the unproven server either.
    await page.getByRole("tab", { name: "History" }).click();
    await page.getByRole("status").getByText("Connection lost.").waitFor();
  } finally {
    await other.end();
  }
  assert.doesNotMatch(other.seen.join(), new RegExp(token.split(".")[1]));
  assert.ok(other.seen.every((request) => JSON.parse(request).url === "/prove"), other.seen.join("\n"));
  await sandbox.serve("--port", String(sandbox.port));
  await page.getByRole("tab", { name: "Board" }).click();
  await card(page, id).waitFor();
  await page.getByRole("status").getByText("Connection lost.").waitFor({ state: "detached" });
  assert.deepEqual(page.errors, []);
});
