import { expect, it } from "vitest";
import {
  parseComponentFrames,
  toOriginalComponentStack,
} from "#src/core/symbolication/report/component-stack.ts";
import { toOriginalReport } from "#src/core/symbolication/report/original-stack.ts";
import { createResolveRequest } from "#src/core/symbolication/report/resolve-request.ts";
import type { ResolvedFrame } from "#src/core/symbolication/resolution.ts";
import { createReport } from "#support/reports/reports.ts";

const STACK = `
    at t (https://shop.example/assets/index.js:3:868)
    at div
    at n (https://shop.example/assets/index.js:3:1180)`;
const place: ResolvedFrame = {
  kind: "resolved",
  file: "src/cart.tsx",
  line: 12,
  column: 5,
  function: "Cart",
  inApp: true,
  matchedBy: "debug-id",
};
const unmapped = { kind: "unmapped", reason: "converting" } as const;

it("a component stack has a frame for each line that names a script", () => {
  expect(parseComponentFrames(STACK)).toMatchObject([
    { function: "t", column: 868 },
    { function: "n", column: 1180 },
  ]);
  expect(parseComponentFrames("    at Cart\n    at div")).toEqual([]);
  expect(parseComponentFrames(undefined)).toEqual([]);
});

it("its resolved lines name the original place; the other lines stay", () => {
  expect(toOriginalComponentStack(STACK, [unmapped, place])).toBe(`
    at t (https://shop.example/assets/index.js:3:868)
    at div
    at Cart (src/cart.tsx:12:5)`);
});

it("is resolved after the stacks of the error and its causes", () => {
  const cause = { type: "Error", message: "", frames: [{ file: "a.js", inApp: true }] };
  const report = createReport(1, { causes: [cause], componentStack: STACK });
  expect(createResolveRequest(report)?.stacks.map(({ length }) => length)).toEqual([0, 1, 2]);
  const { componentStack } = toOriginalReport(report, [[], [unmapped], [place, place]]);
  expect(componentStack).toBe(toOriginalComponentStack(STACK, [place, place]));
});

it("names a class by its own name where a frame has its constructor", () => {
  const line = "\n    at n (https://shop.example/app.js:1:5)";
  const resolved = { ...place, function: "new Panel" };
  expect(toOriginalComponentStack(line, [resolved])).toContain("at Panel (");
});

it("names no function where neither the page nor the map has a name", () => {
  const line = "\n    at https://shop.example/app.js:1:5";
  expect(toOriginalComponentStack(line, [{ ...place, function: undefined }])).toBe(
    "\n    at src/cart.tsx:12:5",
  );
});

it("of Firefox and Safari is resolved too, and elements of the page stay", () => {
  const sent =
    "t@https://shop.example/app.js:1:5\nli@unknown:0:0\n@https://shop.example/app.js:1:9";
  const frames = parseComponentFrames(sent);
  const resolutions = frames.map(({ file }) => (file === "unknown" ? unmapped : place));
  expect(toOriginalComponentStack(sent, resolutions)).toBe(
    "at Cart (src/cart.tsx:12:5)\nli@unknown:0:0\nat Cart (src/cart.tsx:12:5)",
  );
});
