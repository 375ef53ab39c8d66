/** The window's size, where a layout depends on it and a media query is not enough. */
export const NARROW = 900;

export class Viewport {
  width = $state(window.innerWidth);
  height = $state(window.innerHeight);
  readonly narrow = $derived(this.width < NARROW);

  constructor() {
    window.addEventListener("resize", () => {
      this.width = window.innerWidth;
      this.height = window.innerHeight;
    });
  }
}
