/** Reads the codes in a picture, in the browser: no byte of it is sent anywhere. */
import { ALPHABET } from "../../core/grouping/encode-digest.ts";
import { readFont, unpackFont } from "../../core/pictures/digest/glyph-font.ts";
import type { GlyphFont } from "../../core/pictures/digest/match-digest.ts";
import { readDigests } from "../../core/pictures/digest/read-digests.ts";
import { type GrayPicture, toGrayPicture } from "../../core/pictures/gray-picture.ts";
import { readQrCodes } from "../../core/pictures/qr/read-qr-codes.ts";
import { readReceiptAddress, readShownDigests } from "../../core/pictures/read-texts.ts";
import type { Digest } from "../../core/report.ts";
import packedFonts from "./glyph-fonts.json";

/** What a picture says. */
export interface PictureCodes {
  /** Digests whose check character is right, and that nothing else resembles. */
  readonly digests: readonly Digest[];
  /** If there are none: what the picture may say. */
  readonly suggestions: readonly Digest[];
}

/** Larger pictures are made smaller. */
const MAX_PIXELS = 12_000_000;
const MAX_SUGGESTIONS = 4;

/** The platform's detectors (Shape Detection API), where they exist. */
interface Detector {
  readonly detect: (image: ImageBitmap) => Promise<readonly { readonly rawValue: string }[]>;
}
type DetectorClass = new (options?: object) => Detector;

/** Reads a picture. Rejects if the browser cannot open it. */
export async function decodePicture(file: Blob): Promise<PictureCodes> {
  const bitmap = await createImageBitmap(file);
  const picture = drawPicture(bitmap);
  const addresses = await detect("BarcodeDetector", bitmap, { formats: ["qr_code"] });
  const urls = addresses.length > 0 ? addresses : readQrCodes(picture);
  const receipts = urls.flatMap((url) => readReceiptAddress(url) ?? []);
  if (receipts.length > 0) return { digests: [...new Set(receipts)], suggestions: [] };
  // The page shows its progress in between.
  await new Promise((resolve) => setTimeout(resolve));
  const shown = (await detect("TextDetector", bitmap)).flatMap(readShownDigests);
  if (shown.length > 0) return { digests: [...new Set(shown)], suggestions: [] };
  const readings = readDigests(picture, loadFonts());
  return {
    digests: [...new Set(readings.flatMap(({ digest }) => digest ?? []))],
    suggestions: [...new Set(readings.flatMap(({ suggestions }) => suggestions))].slice(
      0,
      MAX_SUGGESTIONS,
    ),
  };
}

function drawPicture(bitmap: ImageBitmap): GrayPicture {
  const scale = Math.min(1, Math.sqrt(MAX_PIXELS / (bitmap.width * bitmap.height)));
  const width = Math.max(1, Math.round(bitmap.width * scale));
  const height = Math.max(1, Math.round(bitmap.height * scale));
  return readCanvas(width, height, (context) => context.drawImage(bitmap, 0, 0, width, height));
}

function readCanvas(
  width: number,
  height: number,
  draw: (context: CanvasRenderingContext2D) => void,
): GrayPicture {
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (context === null) return { width: 0, height: 0, pixels: new Uint8Array() };
  draw(context);
  return toGrayPicture(context.getImageData(0, 0, width, height).data, width, height);
}

/** What a detector reads; nothing where it does not exist or fails. */
async function detect(
  name: "BarcodeDetector" | "TextDetector",
  bitmap: ImageBitmap,
  options?: object,
): Promise<readonly string[]> {
  const Class = (globalThis as unknown as Partial<Record<typeof name, DetectorClass>>)[name];
  if (Class === undefined) return [];
  try {
    const found = await new Class(options).detect(bitmap);
    return found.map(({ rawValue }) => rawValue);
  } catch {
    // The system may not have what the browser's interface needs.
    return [];
  }
}

/** Fonts of notices and of error pages: those of this system may be those of the picture. */
const SYSTEM_FONTS = [
  ...["monospace", "ui-monospace", "Menlo", "Consolas", "Courier New"],
  ...["system-ui", "sans-serif"],
] as const;
const FONT_PX = 64;
const PITCH = 48;

let fonts: readonly GlyphFont[] | undefined;

function loadFonts(): readonly GlyphFont[] {
  fonts ??= [
    ...Object.values(packedFonts).map(unpackFont),
    ...SYSTEM_FONTS.map(drawFont).filter((font) => font !== undefined),
  ];
  return fonts;
}

/** The alphabet as this system draws it. */
function drawFont(name: string): GlyphFont | undefined {
  const width = PITCH * ALPHABET.length;
  const picture = readCanvas(width, 2 * FONT_PX, (context) => {
    context.fillStyle = "#fff";
    context.fillRect(0, 0, width, 2 * FONT_PX);
    context.fillStyle = "#000";
    context.textAlign = "center";
    context.font = `600 ${FONT_PX}px ${/^[a-z-]+$/.test(name) ? name : `"${name}", monospace`}`;
    for (const [n, letter] of [...ALPHABET].entries())
      context.fillText(letter, (n + 0.5) * PITCH, 1.5 * FONT_PX);
  });
  return readFont(picture, PITCH);
}
