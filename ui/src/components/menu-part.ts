/** The code of menus: not a part of the first board. */
import { Part } from "./part.svelte";

export const MENU = new Part(() => import("./MenuShown.svelte"));
