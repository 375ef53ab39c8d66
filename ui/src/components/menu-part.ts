/** The code of menus, loaded after the first board. */
import { Part } from "./part.svelte";

export const MENU = new Part(() => import("./MenuShown.svelte"));
