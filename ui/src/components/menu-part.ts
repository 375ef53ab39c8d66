/** The code of menus. It is loaded after the board is first shown, or when a menu is opened. */
import { Part } from "./part.svelte";

export const MENU = new Part(() => import("./MenuShown.svelte"));
