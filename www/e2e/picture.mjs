// Reads screenshots: how many colours they hold, how much two of them differ.
import { PNG } from "pngjs";

/** @param {Buffer} png */
export function colours(png) {
  const { data } = PNG.sync.read(png);
  const seen = new Set();
  for (let i = 0; i < data.length; i += 4) seen.add((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]);
  return seen.size;
}

/**
 * The share of pixels that differ by more than a shade.
 * @param {Buffer} first
 * @param {Buffer} second
 */
export function difference(first, second) {
  const a = PNG.sync.read(first);
  const b = PNG.sync.read(second);
  if (a.width !== b.width || a.height !== b.height) throw new Error(`sizes differ: ${a.width}×${a.height}, ${b.width}×${b.height}`);
  let differing = 0;
  for (let i = 0; i < a.data.length; i += 4) {
    const far = [0, 1, 2].some((channel) => Math.abs(a.data[i + channel] - b.data[i + channel]) > 8);
    if (far) differing += 1;
  }
  return differing / (a.width * a.height);
}
