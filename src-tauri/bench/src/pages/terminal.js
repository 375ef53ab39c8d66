// Runs in both pages before their own scripts: finds the page's xterm.js and measures it.
(() => {
  const bench = (window.__bench = { terminal: null, took: [] });
  let pressed = null;

  // The public terminal object of every xterm.js version keeps its core in this property.
  Object.defineProperty(Object.prototype, "_core", {
    configurable: true,
    set(value) {
      Object.defineProperty(this, "_core", { value, configurable: true, enumerable: true, writable: true });
      if (!bench.terminal && "onRender" in this && "buffer" in this) {
        bench.terminal = this;
        queueMicrotask(() => this.onRender(rendered));
      }
    },
  });

  // Measures from the browser's key event to the frame in which the renderer has drawn the key's glyph.
  window.addEventListener("keydown", (event) => (pressed = { key: event.key, at: event.timeStamp }), true);
  function rendered() {
    if (!pressed || beforeCursor() !== pressed.key) return;
    bench.took.push(performance.now() - pressed.at);
    pressed = null;
  }

  function beforeCursor() {
    const { active } = bench.terminal.buffer;
    return active.getLine(active.baseY + active.cursorY)?.getCell(active.cursorX - 1)?.getChars();
  }

  // Types a request for a flood; returns the milliseconds until its last line is drawn, or null.
  bench.flood = (request, timeout) =>
    new Promise((done) => {
      const started = performance.now();
      let scrolled = false;
      const rendering = bench.terminal.onRender(() => {
        const { active } = bench.terminal.buffer;
        const last = active.getLine(active.baseY + active.cursorY - 1)?.translateToString() ?? "";
        const ended = last.includes("end of the flood");
        // The previous flood's end stays visible until it scrolls away.
        scrolled ||= !ended;
        if (ended && scrolled) finish(performance.now() - started);
      });
      const timer = setTimeout(() => finish(null), timeout);
      function finish(took) {
        clearTimeout(timer);
        rendering.dispose();
        done(took);
      }
      bench.terminal._core.coreService.triggerDataEvent(request, true);
    });
})();
