import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import {
  asArray,
  asBoolean,
  asLineNumber,
  asList,
  asNumber,
  asRecord,
  asText,
  asTextPairs,
  parseHexId,
  parseTimeMs,
} from "#src/core/decode/as-type.ts";

const HEX = "5aaeee40d56b46ecbfb342d868e140ef";

const cases: readonly {
  name: string;
  decode: (value: unknown) => unknown;
  rows: readonly (readonly [input: unknown, output: unknown])[];
}[] = [
  {
    name: "textOf: non-empty text, finite numbers, booleans",
    decode: asText,
    rows: [
      ["a", "a"],
      ["", undefined],
      [12, "12"],
      [true, "true"],
      [Number.NaN, undefined],
      [null, undefined],
      [{ toString: () => "a" }, undefined],
      [["a"], undefined],
    ],
  },
  {
    name: "numberOf: finite numbers, also as text",
    decode: asNumber,
    rows: [
      [1.5, 1.5],
      ["12", 12],
      ["", undefined],
      [" ", undefined],
      ["12px", undefined],
      ["NaN", undefined],
      [Number.POSITIVE_INFINITY, undefined],
      [true, undefined],
      [[1], undefined],
    ],
  },
  {
    name: "positionOf: whole numbers from 1",
    decode: asLineNumber,
    rows: [
      [1, 1],
      ["214", 214],
      [0, undefined],
      [-1, undefined],
      [1.5, undefined],
    ],
  },
  {
    name: "flagOf: true and false",
    decode: asBoolean,
    rows: [
      [false, false],
      ["true", undefined],
      [1, undefined],
    ],
  },
  {
    name: "recordOf: objects that are not arrays",
    decode: asRecord,
    rows: [
      [{ a: 1 }, { a: 1 }],
      [[], undefined],
      [null, undefined],
      ["a", undefined],
    ],
  },
  {
    name: "arrayOf: arrays",
    decode: asArray,
    rows: [
      [[1], [1]],
      [{ length: 1 }, undefined],
    ],
  },
  {
    name: "listOf: bare, or in values",
    decode: asList,
    rows: [
      [[1], [1]],
      [{ values: [1] }, [1]],
      [{ values: {} }, []],
      [undefined, []],
    ],
  },
  {
    name: "pairsOf: an object or a list of pairs",
    decode: asTextPairs,
    rows: [
      [
        { a: "x", b: 1, c: null },
        [
          ["a", "x"],
          ["b", "1"],
        ],
      ],
      [[["a", "x"], ["b"], "c", null, ["d", {}]], [["a", "x"]]],
      ["a", []],
    ],
  },
  {
    name: "idOf: 32 hex characters, with dashes or without",
    decode: parseHexId,
    rows: [
      [HEX, HEX],
      ["5AAEEE40-D56B-46EC-BFB3-42D868E140EF", HEX],
      [HEX.slice(1), undefined],
      [`${HEX}0`, undefined],
      ["g".repeat(32), undefined],
      [12, undefined],
    ],
  },
  {
    name: "timeMsOf: seconds, milliseconds, ISO 8601; UTC without a zone",
    decode: parseTimeMs,
    rows: [
      [1795277313.733, 1795277313733],
      [1795277313733, 1795277313733],
      ["1795277313.733", 1795277313733],
      ["2026-11-21T16:08:33.733Z", 1795277313733],
      ["2026-11-21T16:08:33.733", 1795277313733],
      ["2026-11-21 16:08:33.733", 1795277313733],
      ["2026-11-21T17:08:33.733123+01:00", 1795277313733],
      ["2026-11-21T16:08:33.733z", 1795277313733],
      [0, 0],
      [Number.NaN, undefined],
      [Number.POSITIVE_INFINITY, undefined],
      [1e300, undefined],
      [-1, undefined],
      ["yesterday", undefined],
      ["2026-13-45T99:99:99Z", undefined],
      ["", undefined],
      [null, undefined],
    ],
  },
];

// A time without a zone is UTC, also on a machine where it is not.
beforeAll(() => {
  vi.stubEnv("TZ", "America/Chicago");
});
afterAll(() => {
  vi.unstubAllEnvs();
});

describe.each(cases)("$name", ({ decode, rows }) => {
  it.each(rows)("%j → %j", (input, output) => {
    expect(decode(input)).toEqual(output);
  });
});
