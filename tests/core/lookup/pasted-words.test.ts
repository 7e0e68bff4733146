// What names a pasted text in a heading.

import { expect, it } from "vitest";
import { namePastedText } from "#src/core/lookup/pasted-words.ts";

const TRACEBACK = [
  "Traceback (most recent call last):",
  '  File "/srv/billing/invoice.py", line 41, in total',
  '    raise ValueError("negative amount %d" % amount)',
  "ValueError: negative amount -3",
];

it.each([
  ["a stack by its error", TRACEBACK.join("\n"), "ValueError: negative amount -3"],
  [
    "a stack that a field of one line has joined, too",
    TRACEBACK.join(""),
    "ValueError: negative amount -3",
  ],
  [
    "a stack of JavaScript by its first line",
    "TypeError: cart is undefined\n    at total (https://shop.example/cart.js:7:12)",
    "TypeError: cart is undefined",
  ],
  ["a short text by itself", " Error: 7F3K-Q2M9 ", "Error: 7F3K-Q2M9"],
  ["a text without an error by itself", "It is broken.\nAda", "It is broken.\nAda"],
])("names %s", (_, pasted, name) => {
  expect(namePastedText(pasted)).toBe(name);
});
