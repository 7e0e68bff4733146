// Random source maps, written by an encoder of their own.

import fc from "fast-check";

/** Generated column, and source, line, column and perhaps a name. 0-based. */
type RawSegment = readonly number[];

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

function encodeNumber(value: number): string {
  let rest = value < 0 ? -value * 2 + 1 : value * 2;
  let text = "";
  do {
    const digit = rest % 32;
    rest = Math.floor(rest / 32);
    text += DIGITS[digit + (rest > 0 ? 32 : 0)];
  } while (rest > 0);
  return text;
}

/** The text of `mappings`. Segments keep their order within a line. */
export function encodeMappings(lines: readonly (readonly RawSegment[])[]): string {
  const last = [0, 0, 0, 0, 0];
  return lines
    .map((segments) => {
      last[0] = 0;
      return segments
        .map((segment) =>
          segment
            .map((value, field) => {
              const text = encodeNumber(value - (last[field] ?? 0));
              last[field] = value;
              return text;
            })
            .join(""),
        )
        .join(",");
    })
    .join(";");
}

const SOURCES = ["a.ts", "b/c.ts", "größe.ts"];
const NAMES = ["alpha", "beta", "größe"];
/** Lines and columns of random maps are below these. */
export const RANDOM_LINES = 6;
export const RANDOM_COLUMNS = 40;

const column = fc.nat(RANDOM_COLUMNS - 1);
const segment: fc.Arbitrary<RawSegment> = fc.oneof(
  column.map((at) => [at]),
  fc.tuple(column, fc.nat(SOURCES.length - 1), fc.nat(90), fc.nat(90)),
  fc.tuple(column, fc.nat(SOURCES.length - 1), fc.nat(90), fc.nat(90), fc.nat(NAMES.length - 1)),
);

const plainMap = fc
  .array(fc.array(segment, { maxLength: 12 }), { maxLength: RANDOM_LINES })
  .map((lines) => ({
    version: 3,
    sources: SOURCES,
    names: NAMES,
    mappings: encodeMappings(lines),
  }));

/** A map, or an index map whose sections may cut off each other. */
export const randomMap: fc.Arbitrary<Readonly<Record<string, unknown>>> = fc.oneof(
  plainMap,
  fc
    .array(
      fc.record({
        offset: fc.record({ line: fc.nat(3), column: fc.nat(RANDOM_COLUMNS / 2) }),
        map: plainMap,
      }),
      { maxLength: 4 },
    )
    .map((sections) => ({
      version: 3,
      sections: sections.toSorted(
        (a, b) => a.offset.line - b.offset.line || a.offset.column - b.offset.column,
      ),
    })),
);

/** A map of several blocks: `lines` lines with `perLine` segments each, from a seed. */
export function makeLargeMap(lines: number, perLine: number, seed: number) {
  let state = seed;
  const next = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const rows = Array.from({ length: lines }, () => {
    let at = 0;
    return Array.from({ length: perLine }, () => {
      at += next(6);
      if (next(20) === 0) return [at];
      const place = [at, next(40), next(5_000), next(200)];
      return next(3) === 0 ? [...place, next(3_000)] : place;
    });
  });
  return {
    version: 3,
    sources: Array.from({ length: 40 }, (_, index) => `src/module-${index}.ts`),
    names: Array.from({ length: 3_000 }, (_, index) => `name${index}`),
    mappings: encodeMappings(rows),
  };
}
