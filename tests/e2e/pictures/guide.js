// Creates the guide's pictures: reduces pictures of target/pictures to a size that can be committed. Run it after the
// picture tests:
// node pictures/guide.js
//
// The pictures are those that docs/guide/README.md shows. Each gets a width of 960 pixels and a palette of 64
// colours.

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { crc32, deflateSync } from "node:zlib";
import { PNG } from "pngjs";

const WIDTH = 960;
const COLOURS = 64;

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "..");
const from = join(process.env.CARGO_TARGET_DIR ?? join(root, "target"), "pictures");
const to = join(root, "docs", "guide", "pictures");

const guide = readFileSync(join(root, "docs", "guide", "README.md"), "utf8");
const names = new Set([...guide.matchAll(/pictures\/([\w-]+)\.png/g)].map(([, name]) => name));
mkdirSync(to, { recursive: true });
readdirSync(to).forEach((file) => rmSync(join(to, file)));
for (const name of names) {
  const full = PNG.sync.read(readFileSync(join(from, `${name}-1280.png`)));
  const small = reduced(full, WIDTH);
  writeFileSync(join(to, `${name}.png`), indexed(small, COLOURS));
}
console.log(`${names.size} pictures`);

/** The picture reduced to this width: each pixel is the mean of the area that it covers. */
function reduced({ width, height, data }, wide) {
  const high = Math.round((height * wide) / width);
  const [across, down] = [width / wide, height / high];
  const pixels = new Uint8Array(wide * high * 3);
  for (let y = 0; y < high; y++) {
    for (let x = 0; x < wide; x++) mean(data, width, [x * across, y * down, (x + 1) * across, (y + 1) * down], pixels, (y * wide + x) * 3);
  }
  return { width: wide, height: high, pixels };
}

function mean(data, width, [left, top, right, bottom], into, at) {
  const sums = [0, 0, 0];
  let area = 0;
  for (let y = Math.floor(top); y < Math.ceil(bottom - 1e-9); y++) {
    for (let x = Math.floor(left); x < Math.ceil(right - 1e-9); x++) {
      const share = (Math.min(x + 1, right) - Math.max(x, left)) * (Math.min(y + 1, bottom) - Math.max(y, top));
      sums.forEach((_, c) => (sums[c] += data[(y * width + x) * 4 + c] * share));
      area += share;
    }
  }
  sums.forEach((sum, c) => (into[at + c] = Math.round(sum / area)));
}

/** Divides the colours into at most `most` groups: repeatedly splits the group with the greatest variance in
 * a channel at that channel's mean. */
function groups(pixels, most) {
  const counts = new Map();
  for (let at = 0; at < pixels.length; at += 3) {
    const key = (pixels[at] << 16) | (pixels[at + 1] << 8) | pixels[at + 2];
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  // Rare colours belong to letters and icons; the square root gives them a fair share.
  const colours = [...counts].map(([key, count]) => ({ key, count, weight: Math.sqrt(count), rgb: [key >> 16, (key >> 8) & 255, key & 255] }));
  const found = [measured(colours)];
  while (found.length < most) {
    found.sort((a, b) => b.variance - a.variance);
    const [{ colours: wide, channel, middle, variance }] = found;
    if (variance === 0) break;
    const low = wide.filter(({ rgb }) => rgb[channel] <= middle);
    const high = wide.filter(({ rgb }) => rgb[channel] > middle);
    found.splice(0, 1, measured(low), measured(high));
  }
  return found.map(({ colours }) => colours);
}

function measured(colours) {
  const weight = colours.reduce((sum, colour) => sum + colour.weight, 0);
  const channels = [0, 1, 2].map((channel) => {
    const middle = colours.reduce((sum, { rgb, weight: own }) => sum + rgb[channel] * own, 0) / weight;
    const variance = colours.reduce((sum, { rgb, weight: own }) => sum + own * (rgb[channel] - middle) ** 2, 0);
    return { channel, middle, variance };
  });
  return { colours, ...channels.reduce((a, b) => (b.variance > a.variance ? b : a)) };
}

/** The colour of a group: the colour of more than half its pixels, so that surfaces stay unchanged; otherwise
 * the mean. */
function colourOf(colours) {
  const all = colours.reduce((sum, { count }) => sum + count, 0);
  const most = colours.reduce((a, b) => (b.count > a.count ? b : a));
  if (most.count > all / 2) return most.rgb;
  return [0, 1, 2].map((c) => Math.round(colours.reduce((sum, { rgb, count }) => sum + rgb[c] * count, 0) / all));
}

/** Encodes a PNG with a palette, which pngjs cannot do. */
function indexed({ width, height, pixels }, most) {
  const found = groups(pixels, most);
  const places = new Map(found.flatMap((colours, place) => colours.map(({ key }) => [key, place])));
  const rows = Buffer.alloc((width + 1) * height);
  for (let at = 0; at < width * height; at++) {
    const key = (pixels[at * 3] << 16) | (pixels[at * 3 + 1] << 8) | pixels[at * 3 + 2];
    rows[Math.floor(at / width) * (width + 1) + 1 + (at % width)] = places.get(key);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3], 8); // Eight bits per pixel, with a palette.
  const palette = Buffer.from(found.flatMap(colourOf));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk("IHDR", header), chunk("PLTE", palette), chunk("IDAT", deflateSync(rows, { level: 9 })), chunk("IEND", Buffer.alloc(0))]);
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
