/** Reads the digests in a picture. */
import { findMarks } from "../find-marks.ts";
import { findInk, type GrayPicture, scalePicture } from "../gray-picture.ts";
import { type DigestPlace, findDigestPlaces } from "./find-digest-places.ts";
import { type Glyph, readGlyph } from "./glyph.ts";
import { type DigestReading, type GlyphFont, matchDigest } from "./match-digest.ts";

/** Characters are found if they are between 7 and 90 pixels high in one of these sizes. */
const SCALES = [1, 0.5, 2, 0.25] as const;
const MAX_SIDE = 90;
/** Other sizes of the picture are not searched after such a reading. */
const CLEAR_LIKENESS = 0.93;
/** Readings that are less like a digest than the best by more than this are other texts. */
const MAX_LAG = 0.06;
/** Small pictures only: of others, small letters are large enough. */
const MAX_ENLARGED_PIXELS = 1_500_000;

/** The readings of the picture, each digest once, certain ones first. */
export function readDigests(
  picture: GrayPicture,
  fonts: readonly GlyphFont[],
): readonly DigestReading[] {
  const readings: DigestReading[] = [];
  for (const scale of SCALES) {
    if (scale > 1 && picture.width * picture.height > MAX_ENLARGED_PIXELS) continue;
    const scaled = scale === 1 ? picture : scalePicture(picture, scale);
    for (const isLight of [false, true]) {
      const marks = findMarks(findInk(scaled, isLight), MAX_SIDE);
      for (const place of findDigestPlaces(marks)) {
        const reading = readPlace(scaled, place, isLight, fonts);
        // A text of this form with another check character is not a digest.
        if (reading?.digest !== undefined || reading?.suggestions.length) readings.push(reading);
      }
    }
    if (readings.some((reading) => reading.likeness > CLEAR_LIKENESS && reading.digest)) break;
  }
  // A text that only looks like a digest is less like one than a digest beside it.
  const best = Math.max(...readings.map(({ likeness }) => likeness));
  return readings
    .filter(({ likeness }) => likeness > best - MAX_LAG)
    .sort((a, b) => rank(b) - rank(a));
}

function rank({ digest, likeness }: DigestReading): number {
  return likeness + (digest === undefined ? 0 : 1);
}

function readPlace(
  picture: GrayPicture,
  { top, bottom, letters }: DigestPlace,
  isLight: boolean,
  fonts: readonly GlyphFont[],
): DigestReading | undefined {
  const glyphs = letters.map(({ center, width }) =>
    readGlyph(picture, { top, bottom, pitch: width, center }, isLight),
  );
  return glyphs.every((glyph): glyph is Glyph => glyph !== undefined)
    ? matchDigest(glyphs, fonts)
    : undefined;
}
