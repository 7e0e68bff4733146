import { expect, it } from "vitest";
import {
  toResolveRequest,
  toSearchWords,
  toStackResolution,
} from "#src/core/place/stack-request.ts";
import type { ResolvedFrame } from "#src/core/symbolication/resolution.ts";

const ID = "91ea0b2c91ea0b2c91ea0b2c91ea0b2c";
const frame = (over: Partial<ResolvedFrame> = {}): ResolvedFrame => ({
  ...{ kind: "resolved", file: "src/cart.tsx", line: 41, column: 1, function: "readPrice" },
  ...{ inApp: true, matchedBy: "debug-id", source: "const price = row.price;" },
  ...over,
});
const key = { stack: `1:2@${ID}\ta.js\n3:4\n5:6\tb.js`, release: "1", dist: "7" };
const library = frame({ file: "node_modules/react-dom/client.js", inApp: false });

it("the question about a stack has its frames, debug ids and build", () => {
  expect(toResolveRequest({ ...key, pageHost: "shop.example", firstMs: 7 })).toEqual({
    stacks: [
      [
        { file: "a.js", line: 1, column: 2 },
        { file: "a.js", line: 3, column: 4 },
        { file: "b.js", line: 5, column: 6 },
      ],
    ],
    origins: [{ pageHost: "shop.example", atMs: 7 }],
    images: [{ file: "a.js", debugId: ID }],
    withoutLines: true,
    ...{ release: "1", dist: "7" },
  });
});

it("the place is the first frame of the application, and has no line of source", () => {
  const answer = toStackResolution(key, [library, frame(), frame({ line: 50 })]);
  const place = { file: "src/cart.tsx", line: 41, function: "readPrice" };
  expect(answer).toEqual({ ...key, frames: 2, place });
  expect(toSearchWords([library, frame()])).toBe("src/cart.tsx:41 readPrice");
});

it("frames of libraries and unmapped frames are not places", () => {
  const unmapped = { kind: "unmapped", reason: "nothing-uploaded" } as const;
  expect(toStackResolution(key, [library, unmapped])).toEqual({ ...key, frames: 0 });
});

it("secrets in the names of a source are removed", () => {
  const secret = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`;
  const answer = toStackResolution(key, [frame({ file: `src/${secret}.ts`, function: secret })]);
  expect(JSON.stringify(answer.place)).not.toContain(secret);
  expect(toSearchWords([frame({ function: secret })])).not.toContain(secret);
});
