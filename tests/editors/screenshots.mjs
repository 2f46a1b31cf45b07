// Takes the pictures that `vscode_pictures.test.mjs` left over into the documentation, each with so few colours that it is small.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { crc32, deflateSync } from "node:zlib";

import { output, playwright, present, rigParts, root } from "./harness/rig.mjs";

const FROM = join(output, "the-pictures-of-the-documentation");
const TO = join(root, "client-vscode", "docs", "images");
const COLOURS = 256;

const { chromium } = playwright();
const browser = await chromium.launch({ executablePath: rigParts().chromium, args: ["--no-sandbox", "--disable-gpu"] });
try {
  const page = await browser.newPage();
  mkdirSync(TO, { recursive: true });
  for (const file of readdirSync(present(FROM, "node --test tests/editors/vscode_pictures.test.mjs"))) {
    const name = /^\d+-(.*\.png)$/.exec(file)?.[1];
    if (!name) continue;
    const picture = await pixels(page, readFileSync(join(FROM, file)));
    const small = png(picture);
    writeFileSync(join(TO, name), small);
    console.log(`${name}: ${picture.width} x ${picture.height}, ${Math.ceil(small.length / 1000)} kB`);
  }
} finally {
  await browser.close();
}

/** A picture's width, height and colours, a number each, row by row. */
async function pixels(page, data) {
  const read = await page.evaluate(async (source) => {
    const image = new Image();
    image.src = source;
    await image.decode();
    const [width, height] = [image.naturalWidth, image.naturalHeight];
    const canvas = new OffscreenCanvas(width, height);
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    const blob = new Blob([context.getImageData(0, 0, width, height).data]);
    const text = await new Promise((done) => {
      const reader = new FileReader();
      reader.onload = () => done(reader.result);
      reader.readAsDataURL(blob);
    });
    return { width, height, text };
  }, `data:image/png;base64,${data.toString("base64")}`);
  const bytes = Buffer.from(read.text.split(",")[1], "base64");
  const colours = Array.from({ length: read.width * read.height }, (_, at) => bytes.readUIntBE(at * 4, 3));
  return { width: read.width, height: read.height, colours };
}

/** A PNG with a palette: the colours that are used most, in whose place the others take the nearest. */
function png({ width, height, colours }) {
  const counts = new Map();
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const palette = [...counts].sort((a, b) => b[1] - a[1]).slice(0, COLOURS).map(([colour]) => colour);
  const places = new Map([...counts.keys()].map((colour) => [colour, nearest(palette, colour)]));
  const rows = Buffer.alloc(height * (width + 1));
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1) rows[row * (width + 1) + 1 + column] = places.get(colours[row * width + column]);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3], 8); // 8 bits, with a palette
  const table = Buffer.concat(palette.map((colour) => Buffer.from([colour >> 16, (colour >> 8) & 255, colour & 255])));
  const chunks = [["IHDR", header], ["PLTE", table], ["IDAT", deflateSync(rows, { level: 9 })], ["IEND", Buffer.alloc(0)]];
  return Buffer.concat([Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]), ...chunks.map(([kind, data]) => chunk(kind, data))]);
}

function chunk(kind, data) {
  const named = Buffer.concat([Buffer.from(kind, "latin1"), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

function nearest(palette, colour) {
  const far = (other) => [16, 8, 0].reduce((sum, shift) => sum + (((colour >> shift) & 255) - ((other >> shift) & 255)) ** 2, 0);
  let best = 0;
  for (let place = 1, least = far(palette[0]); least > 0 && place < palette.length; place += 1) {
    const distance = far(palette[place]);
    if (distance < least) [best, least] = [place, distance];
  }
  return best;
}
