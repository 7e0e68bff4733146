import { expect, it } from "vitest";
import { Unreadable } from "#src/core/schema/stored.ts";
import { compressBody, inflateBody } from "#src/store/index/tables/issue-body.ts";

const json = JSON.stringify({ v: 1, latestReports: [], note: "é".repeat(300) });

it("a body is read with the dictionary that it was written with", () => {
  const body = compressBody(json);
  expect(inflateBody(body.slice().buffer)).toBe(json);
});

it("a body of a dictionary of a later version is unreadable", () => {
  const later = Uint8Array.from([(2 << 3) | 7, ...compressBody(json)]);
  expect(() => inflateBody(later.buffer)).toThrow(Unreadable);
});
