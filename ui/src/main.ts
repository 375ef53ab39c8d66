import "@fontsource-variable/inter/wght.css";
import "@fontsource-variable/jetbrains-mono/wght.css";
import "./styles/tokens.css";
import "./styles/base.css";
import { mount } from "svelte";
import { copyText } from "./components/copy";
import { CallError, chooseHost, settleInWindow } from "./platform";
import { App } from "./state/app.svelte";
import { startTheme } from "./state/theme";
import { fetchFor } from "./views/parts.svelte";
import Root from "./views/Root.svelte";

/** So long the first picture waits for what is to be in it, in milliseconds: drawn once, it is there sooner. */
const PATIENCE = 250;

// Not awaited here: what is fetched on the way stands on this very file, and would wait for its end.
async function begin(target: HTMLElement): Promise<void> {
  const app = new App(await chooseHost());
  app.start();
  void settleInWindow((address) => {
    const error = new CallError("io", `Nothing on this machine opens ${address}`, "Set a browser up, or copy the address.");
    app.toasts.error(error, { label: "Copy", run: () => void copyText(address) });
  });
  await app.beginning(PATIENCE);
  if (app.project) await fetchFor(app.project.layout);
  app.host.draws?.();
  mount(Root, { target, props: { app } });
}

startTheme();
const target = document.getElementById("app");
if (target) void begin(target);
