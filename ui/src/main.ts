import "@fontsource-variable/inter/wght.css";
import "@fontsource-variable/jetbrains-mono/wght.css";
import "./styles/tokens.css";
import "./styles/base.css";
import { mount } from "svelte";
import { chooseHost } from "./platform";
import { App } from "./state/app.svelte";
import { startTheme } from "./state/theme";
import Root from "./views/Root.svelte";

startTheme();
const target = document.getElementById("app");
if (target) {
  const app = new App(await chooseHost());
  app.start();
  mount(Root, { target, props: { app } });
}
