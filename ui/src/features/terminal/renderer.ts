/** Selects xterm's renderer: WebGL on a GPU, otherwise the DOM. */

const SOFTWARE = /swiftshader|llvmpipe|softpipe|basic render/i;

/** Whether a renderer of this name runs on the CPU. */
export const isSoftware = (renderer: string): boolean => SOFTWARE.test(renderer);

let known: boolean | undefined;

/**
 * Whether WebGL is drawn by a graphics processor. In software it is slower than the DOM renderer; Chromium grants
 * `failIfMajorPerformanceCaveat` even then, so the renderer's name decides.
 */
export function hasFastWebgl(): boolean {
  return (known ??= probe());
}

function probe(): boolean {
  const gl = document.createElement("canvas").getContext("webgl2");
  if (!gl) return false;
  const unmasked = gl.getExtension("WEBGL_debug_renderer_info")?.UNMASKED_RENDERER_WEBGL;
  const renderer = String(gl.getParameter(unmasked ?? gl.RENDERER));
  // Browsers allow few contexts at a time.
  gl.getExtension("WEBGL_lose_context")?.loseContext();
  return !isSoftware(renderer);
}
