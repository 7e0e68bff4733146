/**
 * The SDKs of Python, Ruby and Go by the DSN of servers: the grouping and the parts of their
 * reports. Skipped where `installed-sdks.ts` finds no SDK and can install none.
 */
import { describe, expect, it } from "vitest";
import type { Frame, Report } from "../../../src/core/report.ts";
import { openErrata } from "../errata.ts";
import type { Language } from "./installed-sdks.ts";
import { openShop, TILL_SECRET } from "./shops.ts";

const errata = openErrata();
const shops = {
  Python: openShop("Python", errata),
  Ruby: openShop("Ruby", errata),
  Go: openShop("Go", errata),
};

/** The first build of Go's standard library. */
const timeout = 240_000;

interface Expected {
  readonly language: Language;
  /** The mistakes of the shop that are one bug each; `ship` and `bill` have the same message. */
  readonly bugs: readonly string[];
  readonly platform: string;
  /** The type of `ship`. */
  readonly type: string;
  /** The frame that threw in `ship`. */
  readonly thrower: Partial<Frame>;
  /** The error of `cause`, and its cause. */
  readonly outer: { readonly type: string; readonly message: string };
  readonly cause: { readonly type: string; readonly message: string };
  /** The file of the library that called the failed function in `request`. */
  readonly library?: RegExp;
}

const EXPECTED: readonly Expected[] = [
  {
    language: "Python",
    bugs: ["ship", "bill", "check", "cause", "pack-group", "print-group"],
    platform: "python",
    type: "AttributeError",
    thrower: { function: "ship", module: "orders", file: "orders.py", line: 17, inApp: true },
    outer: { type: "ShippingError", message: "order 1017 cannot be sent" },
    cause: { type: "KeyError", message: "1017" },
  },
  {
    language: "Ruby",
    bugs: ["ship", "bill", "check", "cause", "label", "weigh", "count"],
    platform: "ruby",
    type: "NoMethodError",
    thrower: { function: "ship", file: "lib/orders.rb", line: 14, inApp: true },
    outer: { type: "ShippingError", message: "order 1017 cannot be sent" },
    cause: { type: "KeyError", message: "key not found: 1017" },
    library: /sentry\/rack\/capture_exceptions\.rb$/,
  },
  {
    language: "Go",
    bugs: ["ship", "bill", "check", "cause", "label", "label-method"],
    platform: "go",
    type: "runtime.errorString",
    thrower: {
      function: "ship",
      module: "main",
      file: expect.stringMatching(/\/orders\.go$/) as unknown as string,
      line: 18,
      inApp: true,
    },
    outer: { type: "*fmt.wrapError", message: "order 1017 cannot be sent: no such row" },
    cause: { type: "*errors.errorString", message: "no such row" },
    library: /net\/http\/server\.go$/,
  },
];

describe.each(EXPECTED)("the SDK of $language", (expected) => {
  const shop = shops[expected.language];
  const first = new Map<string, Report>();
  /** The first report of a mistake, as the shop is in `programs`. */
  const failOnce = async (mistake: string) => {
    const report = first.get(mistake) ?? (await shop.fail(mistake, 1017));
    first.set(mistake, report);
    return report;
  };

  it.skipIf(!shop.isInstalled)(
    "sends an error that is stored complete",
    async () => {
      const report = await failOnce("ship");
      expect(report).toMatchObject({
        kind: "error",
        side: "server",
        format: "sentry",
        trust: "server",
        platform: expected.platform,
        type: expected.type,
        release: "shop@7",
        environment: "staging",
        isLinked: false,
      });
      expect(report.truncated).toBeUndefined();
      const thrower = report.frames.find((frame) => frame.function === "ship");
      expect(thrower).toMatchObject(expected.thrower);
      // The SDK reads source lines from the disk and sends them.
      expect(thrower?.source).toContain(".customer.name");
    },
    timeout,
  );

  it.skipIf(!shop.isInstalled)("sends the cause of an error", async () => {
    const report = await failOnce("cause");
    expect(report).toMatchObject(expected.outer);
    expect(report.causes).toMatchObject([expected.cause]);
  });

  it.skipIf(!shop.isInstalled)("sends a request, of which no credentials are stored", async () => {
    const report = await failOnce("request");
    expect(report.request).toMatchObject({
      method: "POST",
      url: expect.stringMatching(/^http:\/\/shop\.example\/orders\/1017\/ship/),
      userAgent: "till/3.1",
    });
    expect(new Map(report.request?.headers)).toEqual(
      new Map([
        ["accept-language", "nl"],
        ["content-type", "application/json"],
        ["host", "shop.example"],
        ["user-agent", "till/3.1"],
      ]),
    );
    expect(JSON.stringify(report)).not.toContain(TILL_SECRET);
    const { library } = expected;
    if (library === undefined) return;
    const frame = report.frames.find(({ file, absPath }) => library.test(absPath ?? file ?? ""));
    expect(frame).toMatchObject({ inApp: false });
  });

  it.skipIf(!shop.isInstalled)("sends messages, which are one issue for all values", async () => {
    const report = await failOnce("message");
    expect(report).toMatchObject({
      kind: "message",
      message: "order 1017 waits for an address",
    });
    expect((await shop.fail("message", 20_448)).digest).toBe(report.digest);
  });

  it.skipIf(!shop.isInstalled)("different bugs are different issues", async () => {
    const digests = new Map<string, string>();
    for (const bug of expected.bugs) {
      const { digest } = await failOnce(bug);
      expect.soft(digests.get(digest), `the other bug in the issue of ${bug}`).toBeUndefined();
      digests.set(digest, bug);
    }
  });

  it.skipIf(!shop.isInstalled)("the same bug in a request is the same issue", async () => {
    expect((await failOnce("request")).digest).toBe((await failOnce("ship")).digest);
  });

  it.skipIf(!shop.isInstalled)(
    "the same bug after an edit of its file, with other values, is the same issue",
    async () => {
      for (const bug of expected.bugs) {
        const { digest, frames } = await failOnce(bug);
        const later = await shop.failAfterEdit(bug, 20_448);
        if (bug === "ship") expect(later.frames).not.toEqual(frames);
        expect.soft(later.digest, bug).toBe(digest);
      }
    },
    timeout,
  );
});

describe("sentry-sdk for Python", () => {
  it.skipIf(!shops.Python.isInstalled)("sends the template of a log message", async () => {
    const report = await shops.Python.fail("message", 1017);
    expect(report).toMatchObject({
      level: "error",
      template: { text: "order %s waits for %s", params: [1017, "an address"] },
    });
  });
});
