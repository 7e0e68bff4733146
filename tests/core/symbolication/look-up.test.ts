// Look-ups in the compact form against @jridgewell/trace-mapping, at every position of random maps.

import { AnyMap, originalPositionFor } from "@jridgewell/trace-mapping";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { concat, identityCodec, toByteRange } from "#src/core/symbolication/codec.ts";
import { type CompactMap, openCompactMap } from "#src/core/symbolication/compact-map.ts";
import { convertMap } from "#src/core/symbolication/convert-map.ts";
import { MappingReader } from "#src/core/symbolication/format/mapping-reader.ts";
import { toBytes } from "#support/bytes.ts";
import {
  encodeMappings,
  makeLargeMap,
  RANDOM_COLUMNS,
  RANDOM_LINES,
  randomMap,
} from "#support/source-maps/random-maps.ts";
import { buildCases, readBuildFile, zlibCodec } from "#support/source-maps/source-map-fixtures.ts";

function convert(json: Uint8Array, codec = identityCodec): CompactMap {
  const converted = convertMap(json, null, codec);
  if (!converted.ok) throw new Error(converted.detail);
  const map = openCompactMap(toByteRange(concat(converted.value.parts)), codec);
  if (map === null) throw new Error("The compact form cannot be opened.");
  return map;
}

/** The answer of the compact form as trace-mapping writes it, 0-based in columns. */
function lookUp(map: CompactMap, line: number, column: number) {
  const place = map.findPlace(line + 1, column + 1);
  if (place === null) return { source: null, line: null, column: null, name: null };
  const source = map.getSource(place.source).name;
  return { source, line: place.line, column: place.column - 1, name: map.getTokenName(place) };
}

describe("a look-up in the compact form", () => {
  it("equals trace-mapping at every position of random maps and index maps", () => {
    let positions = 0;
    fc.assert(
      fc.property(randomMap, (json) => {
        const map = convert(toBytes(JSON.stringify(json)));
        const oracle = new AnyMap(json as never);
        for (let line = 0; line < RANDOM_LINES + 4; line++) {
          for (let column = 0; column < RANDOM_COLUMNS * 2; column++) {
            positions++;
            const found = lookUp(map, line, column);
            const expected = originalPositionFor(oracle, { line: line + 1, column });
            if (JSON.stringify(found) !== JSON.stringify({ ...expected })) {
              expect([line, column, found]).toEqual([line, column, { ...expected }]);
            }
          }
        }
      }),
      { numRuns: 400 },
    );
    expect(positions).toBeGreaterThan(100_000);
  });

  it("equals trace-mapping across the blocks of a large map", () => {
    const json = makeLargeMap(12, 9_000, 7);
    const map = convert(toBytes(JSON.stringify(json)), zlibCodec);
    const oracle = new AnyMap(json as never);
    for (let line = 0; line < 13; line++) {
      for (let column = 0; column < 24_000; column += 47) {
        const found = lookUp(map, line, column);
        const expected = originalPositionFor(oracle, { line: line + 1, column });
        if (JSON.stringify(found) !== JSON.stringify({ ...expected })) {
          expect([line, column, found]).toEqual([line, column, { ...expected }]);
        }
      }
    }
  });

  it("equals trace-mapping at every column of the scripts of real builds", () => {
    for (const { name, files } of buildCases) {
      for (const { path, map: mapPath } of files) {
        const bytes = readBuildFile(name, mapPath);
        const map = convert(bytes, zlibCodec);
        const oracle = new AnyMap(Buffer.from(bytes).toString());
        const lines = Buffer.from(readBuildFile(name, path)).toString().split("\n");
        for (const [line, text] of lines.entries()) {
          for (let column = 0; column <= text.length; column++) {
            const found = lookUp(map, line, column);
            const expected = originalPositionFor(oracle, { line: line + 1, column });
            // The oracle resolves a source like a URL.
            expect([found.line, found.column, found.name]).toEqual([
              expected.line,
              expected.column,
              expected.name,
            ]);
          }
        }
      }
    }
  });

  it("takes the first place of a line without a column, if the line has one source", () => {
    const lines = [
      [[0], [3, 0, 7, 1], [9, 0, 8, 1]],
      [
        [0, 0, 1, 1],
        [4, 1, 2, 2],
      ],
      [],
    ];
    const json = { version: 3, sources: ["a", "b"], names: [], mappings: encodeMappings(lines) };
    const map = convert(toBytes(JSON.stringify(json)));
    expect(map.findPlace(1)).toEqual({ source: 0, line: 8, column: 2, name: -1 });
    expect(map.findPlace(2)).toBeNull();
    expect(map.findPlace(3)).toBeNull();
    expect(map.findPlace(4)).toBeNull();
  });
});

describe("MappingReader", () => {
  const numbers = fc.integer({ min: -(2 ** 31) + 1, max: 2 ** 31 - 1 });

  it("reads every number of 32 bits that was encoded", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(numbers, numbers, numbers, numbers, numbers)), (segments) => {
        const text = toBytes(encodeMappings([segments]));
        // Distances between numbers of 32 bits may have 33.
        const isInRange = segments.every((segment, index) =>
          segment.every(
            (value, field) => Math.abs(value - (segments[index - 1]?.[field] ?? 0)) < 2 ** 31,
          ),
        );
        const reader = new MappingReader(text, 0, text.length);
        const read: number[][] = [];
        while (reader.next()) {
          const { column, source, originalLine, originalColumn, name } = reader;
          read.push([column, source, originalLine, originalColumn, name]);
        }
        if (isInRange) expect(read).toEqual(segments);
        else expect(reader.problem?.expected).toBe("a number of at most 32 bits");
      }),
    );
  });

  it("stops at any text without throwing an error", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const bytes = toBytes(text);
        const reader = new MappingReader(bytes, 0, bytes.length);
        let segments = 0;
        while (reader.next()) segments++;
        expect(segments).toBeLessThanOrEqual(bytes.length);
      }),
    );
  });
});
