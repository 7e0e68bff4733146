// Hostile maps: no error is thrown, and the time grows with the size alone.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { limits } from "#src/core/limits.ts";
import { concat, identityCodec, toByteRange } from "#src/core/symbolication/codec.ts";
import { openCompactMap } from "#src/core/symbolication/compact-map.ts";
import { convertMap } from "#src/core/symbolication/convert-map.ts";
import { parseFunctions } from "#src/core/symbolication/function-ranges.ts";
import { toBytes } from "#support/bytes.ts";
import { openMap } from "#support/source-maps/open-map.ts";
import { encodeMappings } from "#support/source-maps/random-maps.ts";
import { readEdgeFile } from "#support/source-maps/source-map-fixtures.ts";

const good = ["plain.map", "index.map", "wide.map", "crlf.map"].map(readEdgeFile);

/** Converts and looks up some positions. Returns the detail of a refused map. */
function tryMap(bytes: Uint8Array): string | null {
  const converted = convertMap(bytes, null, identityCodec);
  if (!converted.ok) return converted.detail;
  const map = openCompactMap(toByteRange(concat(converted.value.parts)), identityCodec);
  for (let line = 1; line < 6; line++) {
    const place = map?.findPlace(line, 11);
    if (!map || !place) continue;
    map.getTokenName(place);
    map.readLine(place.source, place.line, place.column, 100);
  }
  return null;
}

describe("a hostile map", () => {
  it("that is cut off anywhere is refused with the place", () => {
    for (const bytes of good) {
      const end = Buffer.from(bytes).lastIndexOf("}");
      for (let length = 0; length <= end; length++) {
        expect(tryMap(bytes.subarray(0, length))).toMatch(
          /^The map is invalid at byte \d+: expected /,
        );
      }
    }
  });

  it("with any change of any bytes is refused or read, and never throws", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...good),
        fc.array(fc.tuple(fc.nat(5_000), fc.integer({ min: 0, max: 255 })), { maxLength: 4 }),
        (bytes, changes) => {
          const changed = Uint8Array.from(bytes);
          for (const [at, byte] of changes) changed[at % changed.length] = byte;
          expect(tryMap(changed) ?? "at byte 0").toMatch(/at byte \d+/);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  const MANY = 400_000;
  const repeated = [
    { name: "quotes", json: `{"version":3,"a":"${'\\"'.repeat(MANY)}","mappings":""}` },
    { name: "backslashes", json: `{"version":3,"a":"${"\\\\".repeat(MANY)}","mappings":""}` },
    { name: "members", json: `{"version":3,${'"mappings":"",'.repeat(MANY / 4)}"a":1}` },
    { name: "empty lists", json: `{"version":3,"a":[${"[],".repeat(MANY)}[]],"mappings":""}` },
    {
      name: "escapes",
      json: `{"version":3,"sources":["a"],"sourcesContent":["${"\\u00e9".repeat(MANY)}"],"mappings":""}`,
    },
    {
      name: "segments at one place",
      json: `{"version":3,"sources":["a"],"mappings":"${"AAAA,".repeat(MANY)}AAAA"}`,
    },
    {
      name: "segments backwards",
      json: `{"version":3,"sources":["a"],"mappings":"g//9B${",DAAA".repeat(MANY)}"}`,
    },
    {
      name: "escaped slashes",
      json: `{"version":3,"sources":["a"],"mappings":"${"A\\/\\/\\/B,".repeat(MANY / 4)}A"}`,
    },
  ];
  it.each(repeated)("of many $name takes linear time", ({ json }) => {
    const half = json.length / 2;
    expect(half).toBeGreaterThan(100_000);
    expect(tryMap(toBytes(json)) ?? "").not.toMatch(/undefined/);
  });

  const over = [
    {
      name: "sources",
      json: `{"version":3,"sources":[${'"",'.repeat(limits.maxSourcesPerMap)}""],"mappings":""}`,
      detail: /expected at most 50000 sources\.$/,
    },
    {
      name: "names",
      json: `{"version":3,"names":[${"0,".repeat(limits.maxNamesPerMap)}0],"mappings":""}`,
      detail: /expected at most 1000000 names\.$/,
    },
    {
      name: "sections",
      json: `{"version":3,"sections":[${`{"offset":{"line":0,"column":0},"map":{"mappings":""}},`.repeat(limits.maxSectionsPerMap)}{"offset":{"line":0,"column":0},"map":{"mappings":""}}]}`,
      detail: /expected at most 50000 sections\.$/,
    },
    {
      name: "segments of one line backwards",
      json: `{"version":3,"sources":["a"],"mappings":"g//9B${",DAAA".repeat(limits.maxUnsortedSegments)}"}`,
      detail: /expected at most 1000000 segments in a line that is not sorted\.$/,
    },
  ];
  it.each(over)("of too many $name is refused", ({ json, detail }) => {
    expect(tryMap(toBytes(json))).toMatch(detail);
  });

  it("has its names and sources truncated", () => {
    const map = openMap({
      version: 3,
      sources: ["s".repeat(100_000), `\\"é`.repeat(50_000)],
      names: ["n".repeat(100_000)],
      mappings: encodeMappings([
        [
          [0, 0, 0, 0, 0],
          [5, 1, 0, 0],
        ],
      ]),
    });
    const [first, second] = [map.findPlace(1, 1), map.findPlace(1, 6)];
    if (first === null || second === null) throw new Error("The places are unmapped.");
    expect(map.getTokenName(first)).toHaveLength(limits.maxNameChars);
    expect(map.getSource(first.source).name).toHaveLength(limits.maxStringChars);
    expect(map.getSource(second.source).name).toHaveLength(limits.maxStringChars);
  });

  it("never changes the prototypes of objects", () => {
    tryMap(readEdgeFile("hostile-proto.map"));
    tryMap(toBytes('{"__proto__":{"polluted":1},"version":3,"mappings":""}'));
    expect("polluted" in {}).toBe(false);
  });
});

describe("openCompactMap", () => {
  it("refuses bytes that are not a compact map", () => {
    for (const bytes of [new Uint8Array(), new Uint8Array(8), new Uint8Array(100).fill(255)]) {
      expect(openCompactMap(toByteRange(bytes), identityCodec)).toBeNull();
    }
  });

  it("finds nothing in damaged blocks, and never throws", () => {
    const functions = parseFunctions("function a(){b(()=>1)(),c()}a=()=>b;");
    const converted = convertMap(good[0] ?? new Uint8Array(), functions, identityCodec);
    if (!converted.ok) throw new Error(converted.detail);
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 0, max: 255 }), (at, byte) => {
        const bytes = Uint8Array.from(concat(converted.value.parts));
        bytes[at % bytes.length] = byte;
        const map = openCompactMap(toByteRange(bytes), identityCodec);
        for (let line = 1; line < 4; line++) {
          const place = map?.findPlace(line, 11);
          map?.findPlace(line);
          map?.findFunction(line, 11);
          map?.findNamingPlace(line, 30);
          map?.findNamingPlace(line, 11);
          if (!map || !place) continue;
          map.getTokenName(place);
          map.getSource(place.source);
          map.readText(place.source, 1_000);
          map.readLine(place.source, place.line, place.column, 100);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
