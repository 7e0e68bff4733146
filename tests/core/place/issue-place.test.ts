import { expect, test } from "vitest";
import { formatPlace } from "#src/core/place/issue-place.ts";

test.each([
  [{ file: "src/cart.tsx", line: 41, function: "readPrice" }, "cart.tsx:41 in readPrice"],
  [{ file: "cart.tsx", line: 41 }, "cart.tsx:41"],
  [{ file: "", line: 1 }, ":1"],
])("a place is worded by its file name, line and function: %o", (place, text) => {
  expect(formatPlace(place)).toBe(text);
});
