/** The window's width below which layouts are narrow, in pixels. */
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
