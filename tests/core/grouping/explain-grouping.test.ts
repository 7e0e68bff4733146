import { describe, expect, it } from "vitest";
import {
  explainGrouping,
  formatGrouping,
  listKeyDifferences,
} from "#src/core/grouping/explain-grouping.ts";
import type { KeyPart, ReportGrouping } from "#src/core/report.ts";

type PartTuple = readonly [role: KeyPart["role"], value: string, of?: "cause" | "member"];

const toGrouping = (...parts: readonly PartTuple[]): ReportGrouping => ({
  version: 1,
  parts: parts.map(([role, value, of]) => ({ role, value, ...(of && { of }) })),
});
const quote = (value: string) => `\`${value}\``;

describe("the sentence about a grouping key", () => {
  it.each<readonly [sentence: string, parts: readonly PartTuple[]]>([
    ["Grouped by `KeyError`", [["type", "KeyError"]]],
    [
      "Grouped by `KeyError` and the function `shop.bill#total`",
      [
        ["type", "KeyError"],
        ["function", "shop.bill#total"],
      ],
    ],
    [
      "Grouped by `AttributeError`, the message `attribute price of NoneType`, and the function `shop.bill#total`",
      [
        ["type", "AttributeError"],
        ["message", "attribute price of NoneType"],
        ["function", "shop.bill#total"],
      ],
    ],
    [
      "Grouped by `ValueError`, the function `shop.http#require`, and the stack `shop.http#require < shop.bill#show`",
      [
        ["type", "ValueError"],
        ["function", "shop.http#require"],
        ["stack", "shop.http#require < shop.bill#show"],
      ],
    ],
    [
      "Grouped by `OrderError`, and by its cause: `KeyError`, and by the stack `orders#create`",
      [
        ["type", "OrderError"],
        ["type", "KeyError", "cause"],
        ["stack", "orders#create"],
      ],
    ],
    [
      "Grouped by `SIGSEGV` and the functions `draw` and `layout`",
      [
        ["type", "SIGSEGV"],
        ["function", "draw"],
        ["function", "layout"],
      ],
    ],
    [
      "Grouped by `OrderError` and the function `orders#create`, and by its cause: `KeyError` and the function `prices#find`",
      [
        ["type", "OrderError"],
        ["function", "orders#create"],
        ["type", "KeyError", "cause"],
        ["function", "prices#find", "cause"],
      ],
    ],
    [
      "Grouped by `ExceptionGroup`, and by its members: `ValueError` and the function `a#b`; `OSError`",
      [
        ["type", "ExceptionGroup"],
        ["type", "ValueError", "member"],
        ["function", "a#b", "member"],
        ["type", "OSError", "member"],
      ],
    ],
    [
      "Grouped by `ExceptionGroup`, and by its members: `ValueError`, caused by `KeyError` and the message `EUR`; `OSError`",
      [
        ["type", "ExceptionGroup"],
        ["type", "ValueError", "member"],
        ["type", "KeyError", "cause"],
        ["message", "EUR", "cause"],
        ["type", "OSError", "member"],
      ],
    ],
    ["Grouped by its member: `OSError`", [["type", "OSError", "member"]]],
    [
      "Grouped by the fingerprint `payment` and `eu`",
      [
        ["fingerprint", "payment"],
        ["fingerprint", "eu"],
      ],
    ],
    ["Grouped by the template `User * was not found`", [["template", "User * was not found"]]],
    [
      "Grouped by `TypeError`, the file `cart.ts`, the route `/cart`, and the library `react`",
      [
        ["type", "TypeError"],
        ["file", "cart.ts"],
        ["route", "/cart"],
        ["package", "react"],
      ],
    ],
    ["", []],
  ])("%s", (sentence, parts) => {
    expect(formatGrouping(toGrouping(...parts), quote)).toBe(sentence);
  });

  it("keeps reported values apart from words", () => {
    const grouping = toGrouping(["type", "the function"], ["message", " and "]);
    expect(explainGrouping(grouping).filter(({ isValue }) => isValue)).toEqual([
      { text: "the function", isValue: true },
      { text: " and ", isValue: true },
    ]);
  });
});

describe("the differences of another key", () => {
  const own = toGrouping(["type", "KeyError"], ["message", "EUR"], ["function", "a#b"]);

  it.each<readonly [string, readonly PartTuple[], readonly unknown[]]>([
    [
      "are empty for the same parts",
      [
        ["type", "KeyError"],
        ["message", "EUR"],
        ["function", "a#b"],
      ],
      [],
    ],
    [
      "name another function",
      [
        ["type", "KeyError"],
        ["message", "EUR"],
        ["function", "a#c"],
      ],
      [{ words: "other function", value: "a#c" }],
    ],
    [
      "name an added cause and a part that is not there",
      [
        ["type", "KeyError"],
        ["function", "a#b"],
        ["type", "OSError", "cause"],
      ],
      [{ words: "other cause", value: "OSError" }, { words: "no message" }],
    ],
  ])("%s", (_name, parts, differences) => {
    expect(listKeyDifferences(own, toGrouping(...parts))).toEqual(differences);
  });

  it("are empty if a key is unknown", () => {
    expect(listKeyDifferences(own, undefined)).toEqual([]);
    expect(listKeyDifferences(undefined, own)).toEqual([]);
  });
});
