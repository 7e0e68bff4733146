import { expect, it } from "vitest";
import { mergeRequests, splitResponse } from "#src/core/symbolication/report/merge-requests.ts";
import type { ResolveRequest } from "#src/core/symbolication/resolution.ts";

const A = { file: "a.js", debugId: "a".repeat(32) };
const B = { file: "b.js", debugId: "b".repeat(32) };
const request = (line: number, over: Partial<ResolveRequest> = {}): ResolveRequest => ({
  stacks: [[{ file: "a.js", line }]],
  origins: [{ atMs: line }],
  images: [A],
  release: "1",
  ...over,
});

it("one request asks for the reports of a build, with all of their debug ids and origins", () => {
  const two = request(2, { images: [B], stacks: [[], [{ file: "b.js" }]], origins: [{}, {}] });
  expect(mergeRequests([request(1), null, two])).toEqual([
    {
      request: {
        ...request(1),
        images: [A, B],
        stacks: [...request(1).stacks, ...two.stacks],
        origins: [{ atMs: 1 }, {}, {}],
      },
      parts: [
        { index: 0, stacks: 1 },
        { index: 2, stacks: 2 },
      ],
    },
  ]);
});

it.each([
  ["release", { release: "2" }],
  ["dist", { dist: "7" }],
  ["debug id of a file", { images: [{ ...A, debugId: B.debugId }] }],
  ["second debug id of a file", { images: [A, { ...A, debugId: B.debugId }] }],
])("reports with another %s have a request of their own", (_, over) => {
  expect(mergeRequests([request(1), request(2, over), request(3)])).toMatchObject([
    { parts: [{ index: 0 }, { index: 2 }] },
    { parts: [{ index: 1 }] },
  ]);
});

it("each report gets the answers to its own stacks", () => {
  const [merged] = mergeRequests([null, request(1), request(2, { stacks: [[], []] })]);
  const answer = (column: number) =>
    [{ kind: "unmapped", reason: "no-segment", line: 1, column }] as const;
  const answers = [answer(1), answer(2), answer(3)];
  expect(merged && [...splitResponse(merged, answers)]).toEqual([
    [1, [answer(1)]],
    [2, [answer(2), answer(3)]],
  ]);
});
