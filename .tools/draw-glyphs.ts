// Draws the characters of digests in some fonts with Chromium, and writes them for the reader of
// pictures: `src/client/pictures/glyph-fonts.json`. Its README names the fonts.
//
//     npm run draw-glyphs -- "Roboto Mono=roboto-mono-latin-600-normal.woff2" …

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ALPHABET } from "../src/core/grouping/encode-digest.ts";
import { packFont, readFont } from "../src/core/pictures/digest/glyph-font.ts";
import { toGrayPicture } from "../src/core/pictures/gray-picture.ts";
import { launchChromium } from "../tests/support/browser/chromium.ts";
import { parseWords, quit } from "./command/command-line.ts";
import { root } from "./install.mjs";

const PITCH = 80;
const HEIGHT = 200;

const words = parseWords();
if (words.length === 0 || !words.every((word) => /^[^=]+=./.test(word)))
  quit("Expected fonts, such as “Roboto Mono=roboto-mono-latin-600-normal.woff2”.");
const browser = await launchChromium();
const page = await browser.newPage();
const fonts: Record<string, string> = {};
for (const [name = "", file = ""] of words.map((one) => one.split("="))) {
  const drawn = (await page.evaluate(`(async () => {
    const source = "url(data:font/woff2;base64,${readFileSync(file).toString("base64")})";
    document.fonts.add(await new FontFace("drawn", source, { weight: "100 900" }).load());
    const canvas = new OffscreenCanvas(${PITCH * ALPHABET.length}, ${HEIGHT});
    const context = canvas.getContext("2d");
    context.fillStyle = "#fff";
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.fillStyle = "#000";
    context.textAlign = "center";
    context.font = "600 100px drawn";
    for (const [n, letter] of [..."${ALPHABET}"].entries())
      context.fillText(letter, (n + 0.5) * ${PITCH}, 140);
    document.fonts.clear();
    return [...context.getImageData(0, 0, canvas.width, canvas.height).data];
  })()`)) as number[];
  const picture = toGrayPicture(Uint8Array.from(drawn), PITCH * ALPHABET.length, HEIGHT);
  const font = readFont(picture, PITCH);
  if (font === undefined) throw new Error(`${file} has not all characters.`);
  fonts[name] = packFont(font);
}
await browser.close();
const target = join(root, "src/client/pictures/glyph-fonts.json");
writeFileSync(target, `${JSON.stringify(fonts, null, 2)}\n`);
