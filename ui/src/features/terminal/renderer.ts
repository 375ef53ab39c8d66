/** Chooses xterm's renderer: WebGL if a GPU draws it, otherwise the DOM. */

const SOFTWARE = /swiftshader|llvmpipe|softpipe|basic render/i;

/** Whether a renderer of this name runs on the CPU. */
export const isSoftware = (renderer: string): boolean => SOFTWARE.test(renderer);

let known: boolean | undefined;

/**
 * Whether a GPU draws WebGL. In software, WebGL is slower than the DOM renderer. Chromium creates a software
 * context even with `failIfMajorPerformanceCaveat`, so the renderer's name decides.
 */
export function hasFastWebgl(): boolean {
  return (known ??= probe());
}

function probe(): boolean {
  const gl = document.createElement("canvas").getContext("webgl2");
  if (!gl) return false;
  const unmasked = gl.getExtension("WEBGL_debug_renderer_info")?.UNMASKED_RENDERER_WEBGL;
  const renderer = String(gl.getParameter(unmasked ?? gl.RENDERER));
  // Browsers allow only a few contexts at a time, so this one is released.
  gl.getExtension("WEBGL_lose_context")?.loseContext();
  return !isSoftware(renderer);
}
