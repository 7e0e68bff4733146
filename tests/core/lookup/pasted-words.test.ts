// What names a pasted text in a heading, and what to search for.

import { expect, it } from "vitest";
import { listSearchTexts, namePastedText } from "#src/core/lookup/pasted-words.ts";

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

it.each([
  ["a frame without its indentation", "bei A.Closer.Run(Int32 id) in /a/Closer.cs:Zeile 1.", "Run"],
  ["a frame of French", "à A.Closer.Run(Int32 id) dans C:\\a\\Closer.cs:ligne 1", "Run"],
  ["a frame of Python", '  File "/srv/pots/views.py", line 93, in render_chart', "render_chart"],
  [
    "each frame of a traceback in one line",
    'Traceback (most recent call last): File "/a/app.py", line 9, in run_all go() File "/a/b.py", line 2, in fire_all raise E() a.FireError: too hot',
    "run_all",
  ],
  ["a method of an older Ruby", "app/models/load.rb:22:in 'BisqueLoad#fire_all'", "fire_all"],
  ["a state machine of .NET", "at Pots.Closer.<CloseAsync>d__7.MoveNext()", "CloseAsync"],
])("searches for the place of %s", (_, pasted, name) => {
  const { exact } = listSearchTexts(pasted);
  expect(exact.slice(1).map((text) => text.split(" ").at(-1))).toContain(name);
});

it.each([
  [
    "2026-11-28 10:14:03.482 ERROR 1 --- [nio-8080-exec-3] c.a.Registry : Kiln must be positive",
    "Kiln must be positive",
  ],
  ["[2026-11-28] app - WARN - kiln is much too hot", "kiln is much too hot"],
  ["web-1  | 2026-11-28T10:14:03Z ERROR pots.views: no glaze for season", "no glaze for season"],
  ["pots.errors.RenderError: no glaze for season", "RenderError: no glaze for season"],
  ['TypeError: can\'t access property "glaze", e is null', "Cannot properties of null glaze"],
  ["TypeError: null is not an object (evaluating 'e.glaze')", "Cannot properties of null glaze"],
  [
    "Uncaught TypeError: Cannot read properties of undefined (reading 'glaze')",
    "can't access property glaze undefined",
  ],
  ["ReferenceError: Can't find variable: kiln", "kiln is not defined"],
  ["file:///C:/Program%20Files/kilns.dat", "file:///C:/Program Files/kilns.dat"],
  ["http://stock-api:3099/health", '"stock-api 3099"'],
  ["D:\\a\\Cart.cs:line 41", "D:\\a\\Cart.cs:41"],
])("searches %s also as %s", (pasted, text) => {
  expect(listSearchTexts(pasted).exact).toContain(text);
});

it.each([
  "the kiln - and the glaze - are much too hot",
  "closed already was invoice",
  "checkout failed: no price for the cart",
])("searches other text as a whole only: %s", (pasted) => {
  expect(listSearchTexts(pasted).exact).toEqual([pasted]);
});

it("searches for a bounded number of texts", () => {
  const frames = Array.from({ length: 40 }, (_, n) => `    at run${n} (/srv/shop/file${n}.js:1:2)`);
  const logs = Array.from({ length: 40 }, (_, n) => `[x] a : b : TypeError: word${n} is not here`);
  const { exact } = listSearchTexts(["TypeError: no", ...frames, ...logs].join("\n"));
  expect(exact.length).toBeLessThanOrEqual(17);
});

it.each(["a ", "  ", "at ", "x.", "] ", "%20", 'File "', "in a "])(
  "reads ten thousand characters of %j in linear time",
  (part) => {
    for (let time = 0; time < 20; time++) listSearchTexts(part.repeat(10_000 / part.length));
  },
  2_000,
);
