// Reduces pictures, arranges them on one sheet per scene, and compares them loosely: slightly different font
// rendering passes, but a moved button or a missing colour does not.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import pixelmatch from "pixelmatch";
import { PNG } from "pngjs";

/** The width of a reduced picture, in pixels. */
const SMALL_WIDTH = 160;
/** The step between brightness values in small pictures. This saves a third of the bytes in the repository,
 * without a visible difference. */
const BRIGHTNESS_STEP = 12;
/** The smallest difference between two pixels that counts, from 0 to 1. */
const MIN_DIFFERENCE = 0.1;
/** The share of a picture's pixels that may differ. */
export const ALLOWED = 0.01;

/** A screenshot reduced to `SMALL_WIDTH`: each pixel is the mean of the area that it covers. */
export function reduce(screenshot) {
  const { width, height, data } = PNG.sync.read(screenshot);
  const step = width / SMALL_WIDTH;
  if (!Number.isInteger(step) || height % step !== 0) {
    throw new Error(`${width}×${height} cannot be reduced to a width of ${SMALL_WIDTH}`);
  }
  const picture = new PNG({ width: SMALL_WIDTH, height: height / step });
  for (let y = 0; y < picture.height; y += 1) {
    for (let x = 0; x < SMALL_WIDTH; x += 1) {
      const sum = [0, 0, 0];
      for (let dy = 0; dy < step; dy += 1) {
        for (let dx = 0; dx < step; dx += 1) {
          const at = ((y * step + dy) * width + x * step + dx) * 4;
          for (let c = 0; c < 3; c += 1) sum[c] += data[at + c];
        }
      }
      const to = (y * SMALL_WIDTH + x) * 4;
      for (let c = 0; c < 3; c += 1) picture.data[to + c] = Math.min(255, Math.round(sum[c] / step / step / BRIGHTNESS_STEP) * BRIGHTNESS_STEP);
      picture.data[to + 3] = 255;
    }
  }
  return picture;
}

/** Arranges rows of pictures in one picture. The first row is the widest. */
export function sheet(rows) {
  const height = rows.reduce((sum, row) => sum + row[0].height, 0);
  const result = new PNG({ width: SMALL_WIDTH * rows[0].length, height });
  let top = 0;
  for (const row of rows) {
    for (const [i, picture] of row.entries()) {
      PNG.bitblt(picture, result, 0, 0, SMALL_WIDTH, picture.height, i * SMALL_WIDTH, top);
    }
    top += row[0].height;
  }
  return result;
}

/** The picture at this position of a sheet; null if the sheet has another width or is too short. */
export function pictureAt(sheet, rows, row, column) {
  const top = rows.slice(0, row).reduce((sum, [first]) => sum + first.height, 0);
  const height = rows[row][0].height;
  if (sheet.width !== SMALL_WIDTH * rows[0].length || sheet.height < top + height) return null;
  const picture = new PNG({ width: SMALL_WIDTH, height });
  PNG.bitblt(sheet, picture, column * SMALL_WIDTH, top, SMALL_WIDTH, height, 0, 0);
  return picture;
}

/** The share of pixels that differ noticeably, from 0 to 1. */
export function difference(one, other) {
  const count = pixelmatch(one.data, other.data, undefined, one.width, one.height, { threshold: MIN_DIFFERENCE, includeAA: true });
  return count / (one.width * one.height);
}

/** The picture in a file; null if there is none. */
export function read(path) {
  try {
    return PNG.sync.read(readFileSync(path));
  } catch (error) {
    if (error.code === "ENOENT") return null;
    throw error;
  }
}

export function write(path, picture) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, PNG.sync.write(picture, { colorType: 2, deflateLevel: 9 }));
}
