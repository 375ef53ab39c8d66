// The server behind a reverse proxy with TLS: the console works at its public address, and at no other.

import assert from "node:assert/strict";
import { request as overTls } from "node:https";
import { request } from "node:http";
import { freePort } from "../environment.js";
import { noNginx, startNginx } from "../nginx.js";
import { journey, noBrowser } from "../sandbox.js";
import { atPrompt, card, chatText, command, newSession, screen, sendPrompt, tab } from "../actions.js";

const place = () => noBrowser() ?? noNginx();

/** The HTTP status of a request with these headers. The connection always goes to 127.0.0.1. */
const status = (address, headers, method = "GET", body = "") =>
  new Promise((done, failed) => {
    const send = address.startsWith("https:") ? overTls : request;
    const options = { method, headers, rejectUnauthorized: false, lookup: loopback, agent: false };
    const sent = send(address, options, (answer) => done(answer.resume().statusCode));
    sent.once("upgrade", (answer, socket) => {
      socket.destroy();
      done(answer.statusCode);
    });
    sent.once("error", failed).end(body);
  });

const loopback = (name, { all }, found) => (all ? found(null, [{ address: "127.0.0.1", family: 4 }]) : found(null, "127.0.0.1", 4));

journey("behind a reverse proxy, the console works at its public address and only there", { needs: ["bd", "claude"], place }, async (sandbox) => {
  const id = await sandbox.bead("Seen from afar");
  const port = await freePort();
  const origin = await startNginx(sandbox, port);
  const options = ["--port", String(port), "--origin", origin];
  await sandbox.serve(...options);
  assert.ok(sandbox.link.startsWith(`${origin}/open#token=`), sandbox.link);

  // The certificate is self-signed.
  const page = await sandbox.open(await sandbox.visitor({ ignoreHTTPSErrors: true }));
  await card(page, id).waitFor();
  // A change elsewhere arrives over the events' WebSocket.
  const other = await sandbox.bead("Made meanwhile");
  await card(page, other).waitFor();
  await newSession(page, { title: "Through the proxy", objective: "[[say:I am here]]" });
  await chatText(page, "I am here").waitFor();
  await atPrompt(page);
  await page.keyboard.press("Control+`");
  await screen(page).getByText("I am here").last().waitFor();
  await page.keyboard.type("typed afar");
  await screen(page).getByText("typed afar").waitFor();
  await page.keyboard.press("Control+u");
  await page.reload();
  await screen(page).getByText("I am here").last().waitFor();

  // A further link also has the public address.
  await command(page, "another browser");
  const field = page.getByRole("dialog").getByRole("textbox", { name: "Link" });
  await page.waitForFunction((input) => input.value !== "", await field.elementHandle());
  assert.equal(new URL(await field.inputValue()).origin, origin);
  await page.keyboard.press("Escape");

  // The valid token is refused at other addresses and from pages of other origins.
  const token = await page.evaluate(() => sessionStorage.getItem("access"));
  const { host } = new URL(origin);
  const own = { host, origin, authorization: `Bearer ${token}`, "content-type": "application/json" };
  const rpc = `${origin}/rpc/app.info`;
  assert.equal(await status(rpc, own, "POST", "{}"), 200);
  for (const wrong of ["evil.example", "console.localhost", `127.0.0.1:${port}`]) {
    assert.equal(await status(rpc, { ...own, host: wrong }, "POST", "{}"), 403, wrong);
    assert.equal(await status(rpc, { ...own, host: wrong, "x-forwarded-host": host }, "POST", "{}"), 403, wrong);
  }
  const socket = { ...own, connection: "Upgrade", upgrade: "websocket", "sec-websocket-version": "13", "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==", "sec-websocket-protocol": `beads-console, access.${token}` };
  assert.equal(await status(`${origin}/events`, socket), 101);
  for (const wrong of ["https://evil.example", origin.replace("https", "http"), `http://127.0.0.1:${port}`, "null"]) {
    assert.equal(await status(rpc, { ...own, origin: wrong }, "POST", "{}"), 403, wrong);
    assert.equal(await status(`${origin}/events`, { ...socket, origin: wrong }), 403, wrong);
  }
  assert.equal(await status(rpc, { ...own, authorization: "Bearer 0.0" }, "POST", "{}"), 401);
  // The server's loopback address is refused.
  const direct = `http://127.0.0.1:${port}`;
  assert.equal(await status(`${direct}/`, {}), 403);
  assert.equal(await status(`${direct}/rpc/app.info`, { ...own, host: `127.0.0.1:${port}`, origin: direct }, "POST", "{}"), 403);

  // While the server is stopped, the page shows the lost connection, although the proxy still answers.
  await sandbox.stopServer();
  const lost = page.getByRole("status").getByText("Connection lost.").first();
  await lost.waitFor();
  await sandbox.serve(...options);
  await lost.waitFor({ state: "detached" });
  await tab(page, "Chat").click();
  await sendPrompt(page, "[[say:back again]]");
  await chatText(page, "back again").waitFor();

  // Access is bound to the address: the token is not valid at the loopback address.
  await sandbox.stopServer();
  await sandbox.serve("--port", String(port));
  assert.equal(new URL(sandbox.link).origin, direct);
  assert.equal(await status(`${direct}/rpc/app.info`, { ...own, host: `127.0.0.1:${port}`, origin: direct }, "POST", "{}"), 401);
});
