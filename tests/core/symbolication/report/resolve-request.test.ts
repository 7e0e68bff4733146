import { describe, expect, it } from "vitest";
import { createResolveRequest } from "#src/core/symbolication/report/resolve-request.ts";
import { toBytes } from "#support/bytes.ts";
import { ingestBytes } from "#support/reports/ingest-bytes.ts";
import { createMemoryLog } from "#support/reports/memory-log.ts";
import { createProcessingOptions } from "#support/reports/processing-options.ts";
import { createReport } from "#support/reports/reports.ts";

const SCRIPT = "https://shop.example/assets/index-Cepvnn19.js";
const ID = "91eaa5420aa75ed6b6ca9ceca357a8d6";
const UUID = "91eaa542-0aa7-5ed6-b6ca-9ceca357a8d6";
const frame = { file: SCRIPT, line: 3, column: 868, function: "e.parse", inApp: true };
const image = { type: "sourcemap", code_file: SCRIPT, debug_id: UUID };
const createImages = (file: string, ...images: readonly object[]) =>
  createResolveRequest(
    createReport(1, { frames: [{ ...frame, file }], detail: { debug_meta: { images } } as never }),
  )?.images;

describe("the question of a report", () => {
  it("has the stack of the error and of each cause, release, dist and debug ids", () => {
    const cause = { type: "Error", message: "no price", frames: [{ ...frame, line: 4 }] };
    const report = createReport(1, {
      frames: [{ ...frame, source: "minified", vars: { a: 1 } }],
      causes: [cause],
      release: "shop@1.4.0",
      request: { url: "https://www.shop.example/cart" },
      detail: { dist: "7", debug_meta: { images: [image] } },
    });
    const origin = { pageHost: "shop.example", atMs: report.occurredAtMs };
    const { inApp: _, ...sent } = frame;
    expect(createResolveRequest(report)).toEqual({
      stacks: [[sent], [{ ...sent, line: 4 }]],
      origins: [origin, origin],
      images: [{ file: SCRIPT, debugId: ID }],
      release: "shop@1.4.0",
      dist: "7",
    });
  });

  it("does not ask about files that Cloudflare has mapped already, stack by stack", () => {
    const toFrames = (...files: string[]) => files.map((file) => ({ ...frame, file }));
    const request = (format: string) =>
      createResolveRequest(
        createReport(1, {
          format,
          frames: toFrames("src/cart.ts", "src/price.js", "index.js"),
          causes: [{ type: "E", message: "m", frames: toFrames("lib/stock.js") }],
        }),
      )?.stacks.map((frames) => frames.map(({ file }) => file));
    expect(request("tail")).toEqual([[undefined, undefined, "index.js"], ["lib/stock.js"]]);
    expect(request("sentry")?.[0]).toEqual(["src/cart.ts", "src/price.js", "index.js"]);
  });

  it("asks nothing about a stack whose every file is mapped", () => {
    const frames = ["src/cart.ts", "src/price.js"].map((file) => ({ ...frame, file }));
    expect(createResolveRequest(createReport(1, { format: "tail", frames }))).toBeNull();
  });

  it("names release and dist as an upload does, without control characters and shortened", () => {
    const report = createReport(1, {
      frames: [frame],
      release: "shop@1.4.0\n",
      detail: { dist: "7".repeat(300) },
    });
    expect(createResolveRequest(report)).toMatchObject({
      release: "shop@1.4.0 ",
      dist: `${"7".repeat(199)}…`,
    });
  });

  it("has every debug id of a file", () => {
    const other = { ...image, debug_id: "0c1f4c5e6f6b5d7e9f3a1b2c3d4e5f6a" };
    expect(createImages(SCRIPT, image, other, image)).toEqual([
      { file: SCRIPT, debugId: ID },
      { file: SCRIPT, debugId: other.debug_id },
    ]);
  });

  it.each([
    ["a report without frames", {}],
    ["native frames alone", { frames: [{ function: "Array.map", inApp: false }] }],
  ])("is absent for %s", (_, over) => {
    expect(createResolveRequest(createReport(1, over))).toBeNull();
  });

  it.each([
    ["as a UUID", SCRIPT, UUID],
    ["without dashes", SCRIPT, ID],
    ["in upper case", SCRIPT, UUID.toUpperCase()],
    ["with an age", SCRIPT, `${UUID}-0`],
    ["of the script without its query", `${SCRIPT}?v=1`, UUID],
    ["of a frame of an old SDK", `async ${SCRIPT}`, UUID],
  ])("names a debug id %s", (_, file, id) => {
    expect(createImages(file, { ...image, debug_id: id })).toEqual([{ file, debugId: ID }]);
  });

  it.each([
    ["of another file", { ...image, code_file: "https://shop.example/assets/vendor.js" }],
    ["that is not a UUID", { ...image, debug_id: "91ea" }],
    ["without a file", { type: "sourcemap", debug_id: UUID }],
    ["of another type", "no image"],
  ])("leaves out an image %s", (_, other) => {
    expect(createImages(SCRIPT, other as object)).toEqual([]);
  });

  it("keeps the debug ids of a Sentry event that went through ingest", async () => {
    const log = createMemoryLog();
    const event = {
      event_id: "49f94ec0e845a855b4aea8ad4194de0a",
      platform: "javascript",
      release: "shop@1.4.0",
      dist: "7",
      exception: {
        values: [
          {
            type: "RangeError",
            value: "not an amount: free",
            stacktrace: {
              frames: [{ filename: SCRIPT, function: "e.parse", lineno: 3, colno: 868 }],
            },
          },
        ],
      },
      debug_meta: { images: [image] },
    };
    await ingestBytes(toBytes(JSON.stringify(event)), {
      ...createProcessingOptions(),
      writer: log,
    });
    const [report] = [...log.reports.values()];
    expect(report && createResolveRequest(report)).toMatchObject({
      stacks: [[{ file: SCRIPT, line: 3, column: 868 }]],
      images: [{ file: SCRIPT, debugId: ID }],
      release: "shop@1.4.0",
      dist: "7",
    });
  });
});
