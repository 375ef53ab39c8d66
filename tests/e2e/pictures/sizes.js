/** The sizes of a scene: the usual window, the smallest comfortable one, and the smallest supported one. */
export const USUAL = { width: 1280, height: 800 };
export const NARROW = { width: 800, height: 600 };
export const SMALLEST = { width: 640, height: 400 };
export const TWO = [USUAL, NARROW];
export const THREE = [USUAL, NARROW, SMALLEST];
