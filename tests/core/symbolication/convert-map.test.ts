import { describe, expect, it } from "vitest";
import { concat, toByteRange } from "#src/core/symbolication/codec.ts";
import { openCompactMap } from "#src/core/symbolication/compact-map.ts";
import { convertMap } from "#src/core/symbolication/convert-map.ts";
import { parseDebugId } from "#src/core/symbolication/script-facts.ts";
import { toBytes } from "#support/bytes.ts";
import { edgeCases, readEdgeFile, zlibCodec } from "#support/source-maps/source-map-fixtures.ts";

/** Converts a map and opens the result. */
function convert(bytes: Uint8Array) {
  const converted = convertMap(bytes, null, zlibCodec);
  if (!converted.ok) throw new Error(converted.detail);
  const map = openCompactMap(toByteRange(concat(converted.value.parts)), zlibCodec);
  if (map === null) throw new Error("The compact form cannot be opened.");
  return { ...converted.value, map };
}

const maps = edgeCases.filter(({ file }) => file.endsWith(".map"));

/** Maps that are refused, and what their detail says. */
const REFUSED: Readonly<Record<string, RegExp>> = {
  "index-url.map": /at byte \d+: expected a section with its map, not with a URL\.$/,
  "index-overlap.map": /expected sections in ascending order\.$/,
  "index-nested.map": /expected at most 64 levels\.$/,
  "version-2.map": /at byte \d+: expected version 3\.$/,
  "no-version.map": /expected the member "version"\.$/,
  "truncated.map": /expected the end of the string from byte \d+\.$/,
  "empty.map": /at byte 0: expected an object\.$/,
  "html.map": /at byte 0: expected an object\.$/,
  "array.map": /at byte 0: expected an object\.$/,
  "mappings-number.map": /expected mappings as text\.$/,
  "sources-text.map": /expected sources as a list\.$/,
  "bad-character.map": /expected a digit of base64\.$/,
  "six-fields.map": /expected a segment of 1, 4 or 5 numbers\.$/,
  "three-fields.map": /expected a segment of 1, 4 or 5 numbers\.$/,
  "unfinished.map": /expected the rest of a number\.$/,
  "hostile-huge-number.map": /expected a number of at most 32 bits\.$/,
  "hostile-over-32-bits.map": /expected a number of at most 32 bits\.$/,
  "hostile-deep.map": /expected at most 64 levels\.$/,
  "hostile-deep-open.map": /expected at most 64 levels\.$/,
};

describe("convertMap", () => {
  it.each(maps.filter(({ file }) => !(file in REFUSED)))("accepts $file: $why", (edge) => {
    const { map, debugId } = convert(readEdgeFile(edge.file));
    if (edge.debugId !== undefined) expect(debugId).toBe(parseDebugId(edge.debugId));
    const found = (edge.lookups ?? []).map(({ line, column }) => {
      const place = map.findPlace(line, column);
      if (place === null) return { line, column, expect: null };
      const source = map.getSource(place.source).name;
      const expected = {
        source,
        line: place.line,
        column: place.column,
        name: map.getTokenName(place),
      };
      return { line, column, expect: expected };
    });
    expect(found).toEqual(edge.lookups ?? []);
    const ignored = [
      ...new Set(
        (edge.lookups ?? []).map(({ line, column }) => {
          const place = map.findPlace(line, column);
          const source = place === null ? null : map.getSource(place.source);
          return source?.isIgnored ? source.name : null;
        }),
      ),
    ].filter((name) => name !== null);
    expect(ignored).toEqual(edge.ignored ?? []);
  });

  it.each(Object.entries(REFUSED))("refuses %s and says what it expected where", (file, detail) => {
    const converted = convertMap(readEdgeFile(file), null, zlibCodec);
    expect(converted).toMatchObject({ ok: false, detail: expect.stringMatching(detail) });
  });

  const more = [
    {
      name: "an index map inside of an index map",
      map: '{"version":3,"sections":[{"offset":{"line":0,"column":0},"map":{"version":3,"sections":[]}}]}',
      detail: "The map is invalid at byte 87: expected no sections inside of a section.",
    },
    {
      name: "text after the map",
      map: '{"version":3,"sources":[],"mappings":""}}',
      detail: "The map is invalid at byte 40: expected nothing after the map.",
    },
    {
      name: "a comma without a segment",
      map: '{"version":3,"sources":[],"mappings":"A,;"}',
      detail: "The map is invalid at byte 40: expected a segment after the comma.",
    },
    {
      name: "a source text with an escape that is none",
      map: '{"version":3,"sources":["a"],"sourcesContent":["\\q"],"mappings":""}',
      detail: "The map is invalid at byte 48: expected an escape of JSON.",
    },
  ];
  it.each(more)("refuses $name", ({ map, detail }) => {
    expect(convertMap(toBytes(map), null, zlibCodec)).toMatchObject({ ok: false, detail });
  });

  it("refuses exactly the maps among the fixtures that are to be refused", () => {
    const refused = maps.filter(({ why }) => why.startsWith("refused")).map(({ file }) => file);
    expect(Object.keys(REFUSED).toSorted()).toEqual(refused.toSorted());
  });
});
