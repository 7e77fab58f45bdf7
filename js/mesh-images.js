// Decodes the images of a surface in the worker: PNG and JPEG bytes become RGBA texels that a texture takes as they are.

/** As large as every GPU's textures may be. */
const LARGEST = 4096;

/** @typedef {{ mime?: string, width?: number, height?: number, data: Uint8Array | Uint8ClampedArray }} Image */
/** @typedef {{ triangles: number, image?: number }} Part */

/** @param {Uint8ClampedArray} texels */
function hasAlpha(texels) {
  for (let n = 3; n < texels.length; n += 4) if (texels[n] !== 255) return true;
  return false;
}

/**
 * The texels with their colours. A 2D canvas keeps colours multiplied by alpha, so that they are lost where alpha is small,
 * and surfaces are drawn opaque; WebGL hands out what it was given.
 * @param {Blob} blob
 * @param {ImageBitmapOptions} size
 * @returns {Promise<Uint8ClampedArray<ArrayBuffer> | undefined>} none without WebGL
 */
async function plainTexels(blob, size) {
  const gl = new OffscreenCanvas(1, 1).getContext("webgl");
  if (!gl) return undefined;
  const bitmap = await createImageBitmap(blob, { ...size, colorSpaceConversion: "none", premultiplyAlpha: "none" });
  try {
    gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, bitmap);
    gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, gl.getParameter(gl.TEXTURE_BINDING_2D), 0);
    const texels = new Uint8Array(4 * bitmap.width * bitmap.height);
    gl.readPixels(0, 0, bitmap.width, bitmap.height, gl.RGBA, gl.UNSIGNED_BYTE, texels);
    return gl.getError() === gl.NO_ERROR ? new Uint8ClampedArray(texels.buffer) : undefined;
  } finally {
    bitmap.close();
    // A page has few contexts, and the garbage collector takes its time.
    gl.getExtension("WEBGL_lose_context")?.loseContext();
  }
}

/** @param {Image} image */
async function decoded({ mime = "", data }) {
  const blob = new Blob([/** @type {Uint8Array<ArrayBuffer>} */ (data)], { type: mime });
  // The texels as stored: neither the display's profile nor alpha may change them.
  const bitmap = await createImageBitmap(blob, { colorSpaceConversion: "none", premultiplyAlpha: "none" });
  try {
    const shrink = Math.min(1, LARGEST / Math.max(bitmap.width, bitmap.height));
    const width = Math.max(1, Math.round(bitmap.width * shrink));
    const height = Math.max(1, Math.round(bitmap.height * shrink));
    const context = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
    if (!context) throw new Error("no 2D canvas");
    context.imageSmoothingQuality = "high";
    context.drawImage(bitmap, 0, 0, width, height);
    let texels = context.getImageData(0, 0, width, height).data;
    if (hasAlpha(texels)) {
      const size = shrink < 1 ? { resizeWidth: width, resizeHeight: height, resizeQuality: /** @type {const} */ ("high") } : {};
      texels = (await plainTexels(blob, size)) ?? texels;
    }
    return { image: { width, height, data: texels }, from: shrink < 1 ? `${bitmap.width} × ${bitmap.height}` : undefined };
  } finally {
    bitmap.close();
  }
}

/**
 * Replaces encoded images by decoded ones. One that cannot be decoded is left out with a note; its parts keep their colour.
 * @param {{ images?: Image[], parts?: Part[] }} surface
 * @param {string[]} notes
 */
export async function decodeImages(surface, notes) {
  if (!surface.images) return;
  /** @type {Image[]} */
  const kept = [];
  /** @type {Map<number, number>} */
  const numbers = new Map();
  for (const [index, image] of surface.images.entries()) {
    try {
      const { image: done, from } = image.mime === undefined ? { image, from: undefined } : await decoded(image);
      if (from) notes.push(`image ${index} was reduced from ${from} to ${done.width} × ${done.height} texels`);
      numbers.set(index, kept.length);
      kept.push(done);
    } catch (thrown) {
      const message = thrown instanceof Error ? thrown.message : String(thrown);
      notes.push(`image ${index} (${image.mime}) could not be decoded and is left out: ${message}`);
    }
  }
  for (const part of surface.parts ?? []) {
    const number = part.image === undefined ? undefined : numbers.get(part.image);
    if (number === undefined) delete part.image;
    else part.image = number;
  }
  if (kept.length > 0) surface.images = kept;
  else delete surface.images;
}
