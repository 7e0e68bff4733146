import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { limits } from "#src/core/limits.ts";
import { cutSentStack, parseSentStack, toSentStack } from "#src/core/report/sent-stack.ts";
import type { Frame } from "#src/core/report.ts";

const SCRIPT = "https://shop.example/assets/index.js";
const ID = "91ea0b2c91ea0b2c91ea0b2c91ea0b2c";
const frame = (line: number, over: Partial<Frame> = {}): Frame => ({
  ...{ file: SCRIPT, line, column: 20, inApp: true },
  ...over,
});
const sent = (frames: readonly Frame[], detail?: object) =>
  toSentStack({
    ...{ kind: "error", format: "sentry", frames, ...(detail && { detail: detail as never }) },
  });

describe("the stack that a summary has", () => {
  it("names a file and its debug id once", () => {
    const detail = { debug_meta: { images: [{ code_file: SCRIPT, debug_id: ID }] } };
    const frames = [frame(1, { function: "readPrice" }), frame(2, { function: "a" }), frame(3)];
    expect(sent(frames, detail)).toBe(`1:20@${ID}\t${SCRIPT}\treadPrice\n2:20\n3:20`);
  });

  it("names every debug id of a file, and React Native's bundles too", () => {
    const file = "app:///main.jsbundle";
    const other = ID.replaceAll("9", "8");
    const images = [ID, other].map((id) => ({ code_file: file, debug_id: id }));
    const stack = sent([frame(1, { file })], { debug_meta: { images } });
    expect(stack).toBe(`1:20@${ID},${other}\t${file}`);
    expect(parseSentStack(stack ?? "")).toMatchObject([{ file, debugIds: [ID, other] }]);
  });

  it.each<readonly [string, readonly Frame[]]>([
    ["without frames", []],
    ["of libraries", [frame(1, { inApp: false, file: "/app/node_modules/a/b.js" })]],
    ["of sources", [frame(1, { file: "/src/cart.tsx" })]],
    ["without a line", [{ file: SCRIPT, inApp: true }]],
  ])("is absent for a stack %s", (_, frames) => {
    expect(sent(frames)).toBeUndefined();
  });

  it("is absent for reports that are not errors", () => {
    expect(toSentStack({ kind: "message", format: "sentry", frames: [frame(1)] })).toBeUndefined();
  });

  it("omits the files that Cloudflare has mapped already", () => {
    const files = ["src/cart.js", "node_modules/hono/dist/compose.js", "index.js"];
    const frames = files.map((file, n) => frame(n + 1, { file }));
    const toStack = (format: string, list = frames) =>
      toSentStack({ kind: "error", format, frames: list });
    expect(toStack("tail")).toBe("3:20\tindex.js");
    expect(toStack("sentry")).toContain("src/cart.js");
    // Without a file that is surely a source, the folder may be that of a module.
    expect(toStack("tail", frames.slice(0, 1))).toContain("src/cart.js");
  });

  it("has unmarked frames, as SDKs of Workers send them", () => {
    expect(sent([frame(1, { inApp: false, file: "worker.js" })])).toBe("1:20\tworker.js");
  });

  it("keeps the newest frames, up to a length", () => {
    const many = Array.from({ length: 20 }, (_, n) => frame(n + 1));
    expect(sent(many)?.split("\n")).toHaveLength(limits.framesPerSentStack);
    const long = many.map((one, n) => ({ ...one, file: `${"x".repeat(300)}${n}.js` }));
    expect(sent(long)?.length).toBeLessThanOrEqual(limits.maxSentStackChars);
  });

  it("is parsed to the frames from which it was made", () => {
    const name = fc
      .stringMatching(/^[\w .\\[\]@:/-]{3,20}$/)
      .filter((text) => text.trim() === text);
    const anyFrame = fc.record({
      file: name.map((text) => `${text}.js`),
      line: fc.integer({ min: 1, max: 1_000_000 }),
      column: fc.option(fc.integer({ min: 1, max: 1_000_000 }), { nil: undefined }),
      function: fc.option(
        name.filter((text) => text.length > 2),
        { nil: undefined },
      ),
    });
    fc.assert(
      fc.property(fc.array(anyFrame, { minLength: 1, maxLength: 5 }), (frames) => {
        const stack = sent(frames.map((one) => ({ ...one, inApp: true }) as Frame)) ?? "";
        expect(parseSentStack(stack)).toEqual(JSON.parse(JSON.stringify(frames)));
        expect(parseSentStack(cutSentStack(stack, 1))).toHaveLength(1);
      }),
    );
  });

  it("that was redacted still has the frames before the redaction", () => {
    expect(parseSentStack("1:20\ta.js\n[erased]\n3:20")).toEqual([
      { file: "a.js", line: 1, column: 20 },
    ]);
  });
});
