// The issues of reports whose digest is split by stack: events as clients send them, and frames of
// each runtime.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { canSplitByStack } from "#src/core/grouping/stack-identity.ts";
import { limits } from "#src/core/limits.ts";
import { processReport } from "#src/core/processing/process-report.ts";
import type { Frame, ParsedReport, Report } from "#src/core/report.ts";
import { parseBody, toIngestBody } from "#src/ingest/parse-body.ts";
import { createProcessingOptions, NOW_MS } from "#support/reports/processing-options.ts";

interface EventPair {
  readonly name: string;
  readonly a: unknown;
  readonly b: unknown;
}

const LIMITS: readonly EventPair[] = JSON.parse(
  readFileSync(new URL("../../fixtures/grouping/limits.json", import.meta.url), "utf8"),
);

const PARSED: ParsedReport = {
  kind: "error",
  side: "server",
  format: "sentry",
  type: "ValueError",
  message: "parameter is missing",
  frames: [],
};

const whole = (over: Partial<ParsedReport>) =>
  processReport({ ...PARSED, ...over }, createProcessingOptions());

/** The report in a project that splits its digest. */
function split(over: Partial<ParsedReport>, splitDigests = [whole(over).digest]): Report {
  return processReport({ ...PARSED, ...over }, { ...createProcessingOptions(), splitDigests });
}

const toStack = ({ grouping }: Report) => grouping?.parts.find(({ role }) => role === "stack");
const own = (frame: Partial<Frame>): Frame => ({ ...frame, inApp: true });

function parseEvent(event: unknown): ParsedReport {
  const body = parseBody(toIngestBody(new TextEncoder().encode(JSON.stringify(event))), {
    nowMs: NOW_MS,
  });
  const item = body.ok ? body.value.items.find((one) => "report" in one) : undefined;
  if (item === undefined || !("report" in item)) throw new Error("the event has no report");
  return item.report;
}

describe("a pair of events with one key", () => {
  it.each([
    [
      "python-limit-helper",
      ["shop.http#require < shop.bill#show", "shop.http#require < shop.users#list"],
    ],
    ["browser-limit-generic-text", ["assets/index.js:1:991", "assets/index.js:1:2973"]],
    ["browser-limit-minified-function", ["assets/index.js:1:991", "assets/index.js:1:2973"]],
    ["native-limit-no-symbols", ["shop+0x10 < shop+0x900", "shop+0x7770 < shop+0x900"]],
  ])("%s is two issues after the split", (name, stacks) => {
    const pair = LIMITS.find((one) => one.name === name);
    const [a, b] = [parseEvent(pair?.a), parseEvent(pair?.b)];
    const { digest } = whole(a);
    expect(whole(b).digest).toBe(digest);
    const reports = [split(a, [digest]), split(b, [digest])];
    expect(reports.map((report) => toStack(report)?.value)).toEqual(stacks);
    expect(new Set([digest, ...reports.map((report) => report.digest)]).size).toBe(3);
    for (const { grouping } of reports) expect(grouping?.splitFrom).toBe(digest);
  });

  it("python-limit-key-names stays one: its stacks are equal", () => {
    const pair = LIMITS.find(({ name }) => name === "python-limit-key-names");
    const [a, b] = [parseEvent(pair?.a), parseEvent(pair?.b)];
    expect(split(a).digest).toBe(split(b).digest);
  });
});

describe("the stack of a key", () => {
  it.each<readonly [name: string, report: Partial<ParsedReport>, stack: string]>([
    [
      "names functions as the key of the runtime does",
      {
        platform: "java",
        frames: [
          own({ module: "com.acme.Shop$$Lambda/0x1f", function: "lambda$total$3" }),
          { module: "java.util.List", function: "forEach", inApp: false },
          own({ module: "com.acme.Bill", function: "show" }),
        ],
      },
      "com.acme.Shop#total < com.acme.Bill#show",
    ],
    [
      "names the function around a comprehension once",
      {
        platform: "python",
        frames: [
          own({ module: "shop.cart", function: "<listcomp>" }),
          own({ module: "shop.cart", function: "total" }),
          own({ module: "shop.bill", function: "show" }),
        ],
      },
      "shop.cart#total < shop.bill#show",
    ],
    [
      "has no frames of a handler",
      {
        platform: "go",
        frames: [
          own({ function: "main.recoverAll" }),
          { function: "runtime.gopanic", inApp: false },
          own({ function: "main.(*Shop).total" }),
        ],
      },
      "main#(*Shop).total",
    ],
    [
      "has files and functions of source files of a browser",
      {
        side: "browser",
        frames: [
          own({ file: "https://shop.example/src/price.ts?t=1", function: "require", line: 3 }),
          own({ file: "https://shop.example/src/cart.tsx", line: 12, column: 9 }),
        ],
      },
      "src/price.ts#require < src/cart.tsx",
    ],
    [
      "has functions of a server's bundle that keeps names",
      { frames: [own({ file: "index.js", function: "readPrice2", line: 900, column: 11 })] },
      "readPrice",
    ],
    [
      "has the position in a bundle without a column",
      { side: "browser", frames: [own({ file: "https://shop.example/app.js", line: 4 })] },
      "app.js:4",
    ],
    [
      "has each function once, so that no depth of recursion separates issues",
      {
        platform: "ruby",
        frames: ["walk", "visit", "walk", "visit", "show"].map((name, line) =>
          own({ file: "shop/tree.rb", function: name, line }),
        ),
      },
      "shop/tree#walk < shop/tree#visit < shop/tree#show",
    ],
    [
      "has the functions of endless recursion in one order",
      {
        platform: "python",
        type: "RecursionError",
        frames: ["walk", "visit", "walk", "visit"].map((name) =>
          own({ module: "shop", function: name }),
        ),
      },
      "shop#visit < shop#walk",
    ],
    [
      "has the newest functions",
      {
        platform: "python",
        frames: Array.from({ length: 90 }, (_, n) => own({ module: "m", function: `f${n}` })),
      },
      "m#f0 < m#f1 < m#f2 < m#f3 < m#f4",
    ],
    [
      "is that of the error inside a wrapper",
      {
        platform: "java",
        type: "java.util.concurrent.ExecutionException",
        message: "java.lang.IllegalStateException: no price",
        frames: [own({ module: "com.acme.Pool", function: "get" })],
        causes: [
          {
            type: "java.lang.IllegalStateException",
            message: "no price",
            frames: [own({ module: "com.acme.Bill", function: "total" })],
          },
        ],
      },
      "com.acme.Bill#total",
    ],
    [
      "is that of the group, whose members have no fixed order",
      {
        platform: "python",
        type: "ExceptionGroup",
        isGroup: true,
        frames: [own({ module: "shop.jobs", function: "run_all" })],
        causes: ["a", "b"].map((name) => ({
          type: "ValueError",
          message: `no ${name}`,
          parent: 0,
          frames: [own({ module: "shop", function: name })],
        })),
      },
      "shop.jobs#run_all",
    ],
  ])("%s", (_, report, stack) => {
    expect(toStack(split(report))?.value).toBe(stack);
  });

  it.each<readonly [name: string, a: Partial<ParsedReport>, b: Partial<ParsedReport>]>([
    [
      "an edit moves the lines of readable code",
      {
        side: "browser",
        frames: [own({ file: "/src/cart.tsx", function: "total", line: 3, column: 5 })],
      },
      {
        side: "browser",
        frames: [own({ file: "/src/cart.tsx", function: "total", line: 9, column: 1 })],
      },
    ],
    [
      "an edit moves the lines of a module",
      { platform: "python", frames: [own({ module: "shop", function: "total", line: 3 })] },
      { platform: "python", frames: [own({ module: "shop", function: "total", line: 9 })] },
    ],
    [
      "a build without a change of a file renames its bundle",
      {
        side: "browser",
        frames: [own({ file: "/assets/app-Bx81kQ2z.js", line: 1, column: 9 })],
      },
      {
        side: "browser",
        frames: [own({ file: "/assets/app-C7d_2xQa.js", line: 1, column: 9 })],
      },
    ],
    [
      "frames of libraries change",
      {
        platform: "python",
        frames: [own({ module: "shop", function: "total" })],
      },
      {
        platform: "python",
        frames: [
          { module: "lib", function: "new", inApp: false },
          own({ module: "shop", function: "total" }),
        ],
      },
    ],
  ])("stays the same if %s", (_, a, b) => {
    expect(toStack(split(a))).toBeDefined();
    expect(split(b).digest).toBe(split(a).digest);
  });

  it("is truncated for display and not in the digest", () => {
    const at = (last: string) => [
      ...Array.from({ length: 4 }, (_, n) => own({ module: "m".repeat(200), function: `f${n}` })),
      own({ module: "m", function: last }),
    ];
    const [a, b] = ["a", "b"].map((last) => split({ platform: "python", frames: at(last) }));
    expect(a?.digest).not.toBe(b?.digest);
    expect(a && toStack(a)?.value.length).toBe(limits.maxStoredKeyPartChars);
  });
});

describe("a report with a digest that is split", () => {
  const frames = [own({ module: "shop", function: "total" })];
  const python = { platform: "python", frames } as const;

  it("keeps the digest if its stack names no code of the application", () => {
    for (const stack of [[], [{ function: "open", inApp: false }], [own({})]]) {
      const report = split({ platform: "python", frames: stack });
      expect(report).toEqual(whole({ platform: "python", frames: stack }));
    }
  });

  it("is not changed by the split of another digest", () => {
    expect(split(python, [split(python).digest, "0000-0000"])).toEqual(whole(python));
  });

  it("is split if a server names the digest of its own report", () => {
    const { digest } = whole(python);
    expect(split({ ...python, linkedDigest: digest }, [digest]).digest).toBe(split(python).digest);
  });

  it("is linked as before if it names the digest of another report", () => {
    const { digest } = whole(python);
    const other = { ...python, linkedDigest: "0000-0000" };
    expect(split(other, ["0000-0000", digest])).toEqual(whole(other));
    const browser = { ...python, side: "browser", linkedDigest: digest } as const;
    expect(split(browser, [digest])).toEqual(whole(browser));
  });

  it("is noise as before", () => {
    const noise: Partial<ParsedReport> = {
      side: "browser",
      frames: [{ file: "chrome-extension://abcdefgh/a.js", line: 1, column: 2, inApp: false }],
    };
    expect(whole(noise).noise).toBe("extension");
    expect(split(noise)).toEqual(whole(noise));
  });

  it("is one of Errata itself as before", () => {
    const render = { format: "render", frames: [own({ file: "index.js", line: 1 })] } as const;
    expect(split(render)).toEqual(whole(render));
  });
});

it("an issue can be split once, and noise cannot", () => {
  const { grouping } = whole({});
  expect(canSplitByStack(grouping ? { grouping } : {})).toBe(true);
  expect(canSplitByStack({})).toBe(false);
  expect(canSplitByStack({ grouping: { version: 1, parts: [], splitFrom: "0000-0000" } })).toBe(
    false,
  );
  expect(canSplitByStack({ grouping: { version: 1, parts: [] }, noise: "errata" })).toBe(false);
});
