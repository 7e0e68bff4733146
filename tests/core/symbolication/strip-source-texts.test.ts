// Maps whose texts are cut out are converted as whole ones are.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { concat, identityCodec, toByteRange } from "#src/core/symbolication/codec.ts";
import { convertMap } from "#src/core/symbolication/convert-map.ts";
import { stripSourceTexts } from "#src/core/symbolication/strip-source-texts.ts";
import { toBytes } from "#support/bytes.ts";
import {
  buildCases,
  edgeCases,
  readBuildFile,
  readEdgeFile,
} from "#support/source-maps/source-map-fixtures.ts";

const decode = (bytes: Uint8Array) => Buffer.from(bytes).toString("latin1");
const maps = edgeCases
  .filter(({ file }) => file.endsWith(".map") && !file.startsWith("lines"))
  .map(({ file }) => ({ name: file, bytes: readEdgeFile(file) }));
const builds = buildCases.flatMap((build) =>
  build.files.map(({ map }) => ({ name: map, bytes: readBuildFile(build.name, map) })),
);

/** The result of a conversion, with the bytes as text. */
function convert(bytes: Uint8Array, stripFromBytes: number) {
  const converted = convertMap(bytes, null, identityCodec, { stripFromBytes });
  if (!converted.ok) return converted.detail;
  const { parts, ...facts } = converted.value;
  return { ...facts, bytes: decode(concat(parts)) };
}

describe.each([...maps, ...builds])("$name", ({ bytes }) => {
  it("is converted or refused as without cuts", () => {
    expect(convert(bytes, 0)).toEqual(convert(bytes, Number.POSITIVE_INFINITY));
  });
});

/** Texts with all that JSON escapes, longer than those that stay in the map. */
const text = fc
  .array(fc.constantFrom('"', "\\", "\\\\", "[", "]", "{", "}", ",", ":", "\n", "é", "x"), {
    minLength: 80,
    maxLength: 200,
  })
  .map((characters) => characters.join(""));

describe("stripSourceTexts", () => {
  it("finds the texts of sources in windows of any size, and reads each again", () => {
    fc.assert(
      fc.property(
        fc.array(fc.option(text), { maxLength: 4 }),
        fc.array(text, { maxLength: 2 }),
        fc.integer({ min: 1, max: 300 }),
        fc.constantFrom(undefined, 1),
        (contents, others, windowBytes, indent) => {
          const json = { names: others, sourcesContent: contents, x: { sourcesContent: others } };
          const whole = toBytes(JSON.stringify(json, null, indent));
          const cut = stripSourceTexts(toByteRange(whole), 0, windowBytes);
          const spans = [...cut.bytes.entries()]
            .filter(([, byte]) => byte === 1)
            .map(([at]) => ({ start: at - 1, end: at + 18 }));
          const texts = spans.map((span) => {
            const { json: found, start } = cut.readText(span);
            expect(cut.toOriginal(span.start)).toBe(start);
            expect(cut.toOriginal(span.end) - start).toBe(found.length);
            return JSON.parse(Buffer.from(found).toString());
          });
          expect(texts).toEqual([...contents.filter((one) => one !== null), ...others]);
          expect(cut.toOriginal(cut.bytes.length)).toBe(whole.length);
        },
      ),
      { numRuns: 500 },
    );
  });

  it("keeps the place of a problem behind texts, and inside of one", () => {
    const source = "const a = 1;\n".repeat(20);
    const good = JSON.stringify({ version: 3, sources: ["a", "b"], sourcesContent: [source, "#"] });
    for (const bad of [
      `${good.slice(0, -1)},"mappings":7}`,
      `${good.slice(0, -1)},"mappings":""`,
      `${good.replace("20", "").replace("= 1;", "= \\q;").slice(0, -1)},"mappings":""}`,
    ]) {
      const [whole, cut] = [Number.POSITIVE_INFINITY, 0].map((from) => convert(toBytes(bad), from));
      expect(whole).toMatch(/^The map is invalid at byte \d+/);
      expect(cut).toBe(whole);
    }
  });

  it("takes the memory of the mappings and of one text, for a map of many texts", () => {
    const contents = Array.from({ length: 200 }, () => "x".repeat(50_000));
    const map = toBytes(JSON.stringify({ version: 3, sourcesContent: contents, mappings: "" }));
    expect(map.length).toBeGreaterThan(10_000_000);
    expect(stripSourceTexts(toByteRange(map)).bytes.length).toBeLessThan(10_000);
  });
});
