import "@fontsource-variable/inter/wght.css";
import "@fontsource-variable/jetbrains-mono/wght.css";
import "./styles/tokens.css";
import "./styles/base.css";
import { mount } from "svelte";
import { copyText } from "./components/copy";
import { CallError, chooseHost, settleInWindow } from "./platform";
import { App } from "./state/app.svelte";
import { watchPageErrors } from "./state/page-errors";
import { startTheme } from "./state/theme";
import { fetchFor } from "./views/parts.svelte";
import Root from "./views/Root.svelte";

/** How long the first frame waits for its content, in milliseconds. */
const FIRST_FRAME_MS = 250;

// Called without a top-level `await`: lazily loaded modules can import this one, and would wait for it forever.
async function begin(target: HTMLElement): Promise<void> {
  const app = new App(await chooseHost());
  app.start();
  const reportUnopened = (address: string) => {
    const error = new CallError(
      "io",
      `Nothing on this machine opens ${address}`,
      "Set up a browser, or copy the address.",
    );
    app.toasts.error(error, { label: "Copy", run: () => void copyText(address) });
  };
  const open = (folder: string) => void app.open(folder).catch((thrown: unknown) => app.toasts.error(thrown));
  void settleInWindow(reportUnopened, open);
  await app.beginning(FIRST_FRAME_MS);
  if (app.project) await fetchFor(app.project.layout);
  app.host.draws?.();
  mount(Root, { target, props: { app } });
}

watchPageErrors(window);
startTheme();
const target = document.getElementById("app");
if (target) void begin(target);
