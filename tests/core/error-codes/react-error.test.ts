import { describe, expect, it, test } from "vitest";
import {
  decodeReactError,
  listReactErrors,
  needsReactTexts,
  type ReactTexts,
} from "#src/core/error-codes/react-error.ts";

const TEXTS: ReactTexts = {
  version: "19.3.1",
  texts: {
    "31": "Not a child (found: %s). Use an array.",
    "130": "Invalid element type: %s.%s",
    "185": "Maximum update depth exceeded.",
  },
};
const END =
  " for the full message or use the non-minified dev environment for full errors and additional helpful warnings.";
const decode = (message: string) => decodeReactError(message, TEXTS)?.text;

describe("the text of a React error", () => {
  test.each([
    [
      "has the argument of the message",
      `Minified React error #31; visit https://react.dev/errors/31?args[]=object%20with%20keys%20%7Ba%7D${END}`,
      "Not a child (found: object with keys {a}). Use an array.",
    ],
    [
      "has several arguments, of which one is empty",
      `Minified React error #130; visit https://react.dev/errors/130?args[]=undefined&args[]=${END}`,
      "Invalid element type: undefined.",
    ],
    [
      "has arguments whose brackets are encoded",
      `Minified React error #31; visit https://react.dev/errors/31?args%5B%5D=Date${END}`,
      "Not a child (found: Date). Use an array.",
    ],
    [
      "is found behind the words of an engine",
      `Uncaught Error: Minified React error #185; visit https://react.dev/errors/185${END}`,
      "Maximum update depth exceeded.",
    ],
    [
      "is that of the code of earlier versions",
      `Minified React error #185; visit https://reactjs.org/docs/error-decoder.html?invariant=185${END}`,
      "Maximum update depth exceeded.",
    ],
    [
      "is found by the arguments of earlier versions",
      "Minified React error #31; visit http://facebook.github.io/react/docs/error-decoder.html?invariant=31&args[]=Map for the full message",
      "Not a child (found: Map). Use an array.",
    ],
    [
      "has a mark for an argument that the message has not",
      "Minified React error #130; visit https://react.dev/errors/130?args[]=unde",
      "Invalid element type: unde.…",
    ],
    ["needs no address", "Minified React error #31", "Not a child (found: …). Use an array."],
    [
      "keeps an escape that is cut",
      "Minified React error #31; visit https://react.dev/errors/31?args[]=a%2",
      "Not a child (found: a%2). Use an array.",
    ],
    [
      "does not take an argument for a pattern",
      `Minified React error #31; visit https://react.dev/errors/31?args[]=%25s%20%24%26${END}`,
      "Not a child (found: %s $&). Use an array.",
    ],
  ])("%s", (_, message, text) => {
    expect(decode(message)).toBe(text);
  });

  test.each([
    [
      "the table does not have the code",
      "Minified React error #999; visit https://react.dev/errors/999",
    ],
    ["the code is a member of objects", "Minified React error #constructor; visit"],
    ["the message is another one", "Objects are not valid as a React child"],
    ["the code is too long", "Minified React error #18512345; visit"],
  ])("is unknown if %s", (_, message) => {
    expect(decode(message)).toBeUndefined();
  });

  it("is limited as a message is", () => {
    const long = "x".repeat(100_000);
    expect(
      decode(`Minified React error #31; visit https://react.dev/errors/31?args[]=${long}`)?.length,
    ).toBeLessThanOrEqual(8_000);
  });
});

describe("the errors of a report", () => {
  const cause = (message: string) => ({ type: "Error", message, frames: [] });
  const coded = "Minified React error #185; visit https://react.dev/errors/185";

  it("are decoded with those of its causes, each once", () => {
    const report = {
      message: "no cart",
      causes: [cause(coded), cause(coded), cause("Minified React error #31; visit")],
    };
    expect(needsReactTexts(report)).toBe(true);
    expect(listReactErrors(report, TEXTS)).toEqual([
      { code: "185", text: "Maximum update depth exceeded.", version: "19.3.1" },
      { code: "31", text: "Not a child (found: …). Use an array.", version: "19.3.1" },
    ]);
  });

  it("need no texts without a code", () => {
    expect(needsReactTexts({ message: "no cart", causes: [cause("no price")] })).toBe(false);
  });
});
