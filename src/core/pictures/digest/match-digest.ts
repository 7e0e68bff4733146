/**
 * Reads the eight characters of a digest by comparing each with those of known fonts. The check
 * character decides: a reading without a valid one is never certain.
 */
import { ALPHABET, computeCheck, DATA_CHARS, formatDigest } from "../../grouping/encode-digest.ts";
import type { Digest } from "../../report.ts";
import { compareGlyphs, type Glyph } from "./glyph.ts";

/** The characters of the alphabet in one font, in the order of the alphabet. */
export type GlyphFont = readonly Glyph[];

/** What eight characters may be. */
export interface DigestReading {
  /** The digest, if nothing else is likely. */
  readonly digest?: Digest;
  /** Otherwise the likely digests, best first. All have a valid check character. */
  readonly suggestions: readonly Digest[];
  /** 0 to 1: how alike the characters and those of the best font are. */
  readonly likeness: number;
}

/** Below this likeness the place has no digest, but another text. */
const MIN_LIKENESS = 0.75;
/** From this likeness on, what every character is most alike to is certain. */
const SURE_LIKENESS = 0.88;
/** From this likeness on, the check character may correct one near miss. */
const CLEAR_LIKENESS = 0.93;
/** A character that is less alike than the best by no more than this is possible, too. */
const MAX_LOSS = 0.12;
/** A second valid digest this near to the first makes the reading uncertain. */
const MIN_LEAD = 0.05;
const MAX_PER_PLACE = 4;
const MAX_SUGGESTIONS = 3;

/** Reads the characters; undefined if they are not like those of any font. */
export function matchDigest(
  glyphs: readonly Glyph[],
  fonts: readonly GlyphFont[],
): DigestReading | undefined {
  const likeness = fonts.map((font) =>
    glyphs.map((glyph) => font.map((one) => compareGlyphs(glyph, one))),
  );
  // All characters of a digest are in one font: the one that fits best as a whole.
  const totals = likeness.map((places) => sum(places.map((scores) => Math.max(...scores))));
  const bestTotal = Math.max(...totals);
  const best = likeness[totals.indexOf(bestTotal)];
  const average = bestTotal / glyphs.length;
  if (best === undefined || average < MIN_LIKENESS) return undefined;
  const candidates = best.map((scores) => {
    const top = Math.max(...scores);
    return scores
      .map((score, at) => ({ letter: ALPHABET.charAt(at), loss: top - score }))
      .filter(({ loss }) => loss <= MAX_LOSS)
      .sort((a, b) => a.loss - b.loss)
      .slice(0, MAX_PER_PLACE);
  });
  const valid = listValid(candidates);
  const [first, second] = valid;
  if (first === undefined) return { suggestions: [], likeness: average };
  const lead = (second?.loss ?? Number.POSITIVE_INFINITY) - first.loss;
  const needed = first.loss === 0 ? SURE_LIKENESS : CLEAR_LIKENESS;
  const isCertain = average >= needed && lead >= MIN_LEAD && first.loss <= MIN_LEAD;
  return isCertain
    ? { digest: first.digest, suggestions: [], likeness: average }
    : {
        suggestions: valid.slice(0, MAX_SUGGESTIONS).map(({ digest }) => digest),
        likeness: average,
      };
}

interface Candidate {
  readonly letter: string;
  /** Less alike than the best character of its place. */
  readonly loss: number;
}

/** The combinations with a valid check character, the likeliest first. */
function listValid(candidates: readonly (readonly Candidate[])[]) {
  let combinations: readonly { readonly letters: string; readonly loss: number }[] = [
    { letters: "", loss: 0 },
  ];
  for (const place of candidates)
    combinations = combinations.flatMap(({ letters, loss }) =>
      place.map((one) => ({ letters: letters + one.letter, loss: loss + one.loss })),
    );
  return combinations
    .filter(
      ({ letters }) => letters.charAt(DATA_CHARS) === computeCheck(letters.slice(0, DATA_CHARS)),
    )
    .sort((a, b) => a.loss - b.loss)
    .map(({ letters, loss }) => ({ digest: formatDigest(letters), loss }));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
