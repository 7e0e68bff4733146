import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import type { Json, ParsedReport } from "#src/core/report.ts";
import { scrubReport } from "#src/core/scrubbing/scrub.ts";
import { emptyParsedReport } from "#support/reports/reports.ts";

const BOTH = { email: true, ip: true };

describe("a JSON attachment", () => {
  const scrubbed = (text: string, settings = { email: false, ip: false }) => {
    const report = { ...emptyParsedReport, attachments: [{ name: "f", bytes: 1, text }] };
    const { value, scrubbedCount: count } = scrubReport(report, settings);
    expect(scrubReport(value, settings)).toEqual({ value, scrubbedCount: 0 });
    return [value.attachments?.[0]?.text, count];
  };

  it.each([
    ["a value", '{"password": "a b", "n": 1}', '{"password": "[removed]", "n": 1}', 1],
    ["a number", '[{"pin": 1234}]', '[{"pin": "[removed]"}]', 1],
    ["an object", '{"auth": {"a": ["b}", {}]}, "n": [1]}', '{"auth": "[removed]", "n": [1]}', 1],
    ["a card", '{"n": 4111111111111111}', '{"n": "[removed]"}', 1],
    ["a pattern", '{"n": "Bearer abc123def"}', '{"n": "Bearer [removed]"}', 1],
    ["an escaped name", '{"pass\\u0077ord" : "a"}', '{"pass\\u0077ord" : "[removed]"}', 1],
    ["a duplicate name", '{"jwt": "a", "jwt": null}', '{"jwt": "[removed]", "jwt": null}', 1],
    ["nested JSON", '{"n": "{\\"pw\\": \\"a b\\"}"}', '{"n": "{\\"pw\\": \\"[removed]\\"}"}', 1],
  ])("loses %s", (_name, text, left, count) => {
    expect(scrubbed(text)).toEqual([left, count]);
  });

  it("keeps the formatting of everything else", () => {
    const text = '{ "n": 12345678901234567890,\n  "token": null, "pin": "", "a": [true, 1e9] }\n';
    expect(scrubbed(text)).toEqual([text, 0]);
  });

  it("loses addresses in names too if the settings are on", () => {
    expect(scrubbed('{"a@b.com": "10.0.0.1"}', BOTH)).toEqual(['{"[removed]": "[removed]"}', 2]);
  });

  it("that is invalid is scrubbed as text", () => {
    expect(scrubbed('{"password": "a b"}\n{"password": "c"')).toEqual([
      '{"password": "[removed]"}\n{"password": "[removed]"',
      2,
    ]);
    expect(scrubbed('"password=a"')).toEqual(['"password=[removed]"', 1]);
  });

  it("is scrubbed like the same parsed data at any depth", () => {
    const deep = `${"[".repeat(200_000)}{"password":"a"}${"]".repeat(200_000)}`;
    expect(scrubbed(deep)[0]).toBe(deep.replace('"a"', '"[removed]"'));
    fc.assert(
      fc.property(fc.jsonValue(), (json) => {
        if (typeof json !== "object" || json === null) return;
        const text = JSON.stringify(json);
        const { detail } = scrubReport({ ...emptyParsedReport, detail: json as Json }).value;
        expect(JSON.parse(String(scrubbed(text)[0]))).toEqual(JSON.parse(JSON.stringify(detail)));
      }),
    );
  });
});

describe("a report", () => {
  it("loses secrets in every part and counts them", () => {
    const report: ParsedReport = {
      ...emptyParsedReport,
      message: "Bearer abc123def",
      frames: [
        {
          file: "https://shop.example/cart.js?token=a",
          function: "priceOf",
          line: 1,
          inApp: true,
          source: "password = 'x'",
        },
      ],
      causes: [{ type: "Error", message: "password=a", frames: [] }],
      request: {
        url: "/cart?sig=a&page=2",
        headers: [
          ["authorization", "a"],
          ["accept", "*/*"],
        ],
      },
      tags: [
        ["api_key", "a"],
        ["page", "cart"],
      ],
      breadcrumbs: [{ message: "GET /?token=a" }],
      detail: {
        session: { id: 1 },
        list: [{ password: "a", note: null, on: true }],
        card: 4111111111111111,
      },
    };
    expect(scrubReport(report)).toEqual({
      value: {
        ...report,
        message: "Bearer [removed]",
        frames: [
          {
            file: "https://shop.example/cart.js?token=[removed]",
            function: "priceOf",
            line: 1,
            inApp: true,
            source: "password = '[removed]'",
          },
        ],
        causes: [{ type: "Error", message: "password=[removed]", frames: [] }],
        request: {
          url: "/cart?sig=[removed]&page=2",
          headers: [
            ["authorization", "[removed]"],
            ["accept", "*/*"],
          ],
        },
        tags: [
          ["api_key", "[removed]"],
          ["page", "cart"],
        ],
        breadcrumbs: [{ message: "GET /?token=[removed]" }],
        detail: {
          session: "[removed]",
          list: [{ password: "[removed]", note: null, on: true }],
          card: "[removed]",
        },
      },
      scrubbedCount: 11,
    });
  });

  it("keeps its codes, its times and its frames", () => {
    const report: ParsedReport = {
      ...emptyParsedReport,
      id: "4111111111111111aaaaaaaaaaaaaaaa",
      dedupeKey: "password=x",
      occurredAtMs: 4111111111111111,
      aliases: ["sk-abcdefghijklmnopqrstuvwxyz"],
      linkedDigest: "7F3K-Q2M9",
      frames: [
        {
          file: "/srv/shop/.next/server/chunks/ssr/[root]__0aku18d3ngebw._.js",
          function: "Object.getToken",
          line: 15,
          column: 49042,
          inApp: true,
        },
      ],
    };
    expect(scrubReport(report)).toEqual({ value: report, scrubbedCount: 0 });
  });

  it("is not modified", () => {
    const detail: Json = Object.freeze({ password: "a" });
    const report = Object.freeze({ ...emptyParsedReport, detail });
    expect(scrubReport(report).value.detail).toEqual({ password: "[removed]" });
    expect(detail).toEqual({ password: "a" });
  });

  it("is scrubbed by its own settings, whatever other settings have cached", () => {
    const report = { ...emptyParsedReport, message: "from jane@example.com at 203.0.113.7" };
    const messageWith = (settings: { email: boolean; ip: boolean }) =>
      scrubReport(report, settings).value.message;
    const all = () => [
      messageWith({ email: false, ip: false }),
      messageWith({ email: true, ip: false }),
      messageWith({ email: false, ip: true }),
      messageWith(BOTH),
    ];
    const first = all();
    expect(first).toEqual([
      "from jane@example.com at 203.0.113.7",
      "from [removed] at 203.0.113.7",
      "from jane@example.com at [removed]",
      "from [removed] at [removed]",
    ]);
    expect(all()).toEqual(first);
  });

  it("never makes scrubbing throw, and scrubbing it twice changes nothing", () => {
    const piece = fc.constantFrom(
      "password",
      "token",
      "=",
      ":",
      '"',
      "'",
      "\\",
      "Bearer ",
      "eyJ",
      ".",
      "abc123DEF",
      "cookie: ",
      "://",
      "@",
      "?",
      "&",
      "4111111111111111",
      " ",
      ";",
      "[removed]",
      "a=",
      "-----BEGIN PRIVATE KEY-----",
      "sk-",
      '\\"',
      "%22",
      "%3D",
      "%253A",
      "authorization",
      "hunter2",
      ", ",
      "\n",
      "(",
      "jane@example.com",
      "%40example.com",
      "10.0.0.1",
      "2001:db8::1",
      "version ",
      "Foo/",
    );
    const text = fc.oneof(
      fc.string(),
      fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join("")),
    );
    const { detail } = fc.letrec((tie) => ({
      detail: fc.oneof(
        { depthSize: "small" },
        text,
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie("detail")),
        fc.dictionary(text, tie("detail")),
      ),
    }));
    const report = fc.record({
      settings: fc.constantFrom(undefined, BOTH),
      message: text,
      stack: text,
      url: text,
      detail,
      tags: fc.array(fc.tuple(text, text)),
      file: text,
      source: text,
    });
    fc.assert(
      fc.property(report, ({ settings, message, stack, url, tags, file, source, detail: sent }) => {
        const detail = sent as Json;
        const attachments = [file, JSON.stringify(sent)].map((text) => ({
          name: "f",
          bytes: 1,
          text,
        }));
        const frames = [{ inApp: true, source }];
        const request = { url };
        const report = {
          ...emptyParsedReport,
          message,
          stack,
          request,
          tags,
          detail,
          attachments,
          frames,
        };
        const once = scrubReport(report, settings);
        expect(scrubReport(once.value, settings)).toEqual({ value: once.value, scrubbedCount: 0 });
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("a text that occurs a hundred times in a report", () => {
  const address = (n: number) =>
    `https://shop.example/list?n=${n}&${"filter=red%20shoe&".repeat(33)}`;
  const report = (n: number, times: number, text = address(n)): ParsedReport => ({
    ...emptyParsedReport,
    breadcrumbs: Array.from({ length: times }, () => ({ message: text })),
  });
  const countMatches = (report: ParsedReport) => {
    const exec = vi.spyOn(RegExp.prototype, "exec");
    scrubReport(report);
    const count = exec.mock.calls.length;
    exec.mockRestore();
    return count;
  };

  it.each([
    ["too long for the cache", address],
    ["with a secret in it", (n: number) => `/pay?n=${n}&token=abcdefabcdefabcdef`],
  ])("is scrubbed once: %s", (_, text) => {
    const once = countMatches(report(1, 1, text(1)));
    expect(countMatches(report(2, 100, text(2)))).toBeLessThan(2 * once + 300);
  });
});

describe("the parameters of a message", () => {
  const scrub = (message: string, params: Json) =>
    scrubReport({ ...emptyParsedReport, message, template: { text: "%s", params } });

  it.each<[string, string, Json, Json]>([
    ["a list", "login password=hunter2 as ada", ["hunter2", "ada"], ["[removed]", "ada"]],
    ["names", "login password=hunter2", { it: "hunter2", n: 1 }, { it: "[removed]", n: 1 }],
    ["nested", "login password=hunter2", [{ it: ["hunter2"] }], [{ it: ["[removed]"] }]],
    ["a secret name", "login as ada", { password: "hunter2" }, { password: "[removed]" }],
    ["other ones", "login as ada", ["ada", null, "gone"], ["ada", null, "gone"]],
  ])("lose what the message loses: %s", (_name, message, params, left) => {
    const { value } = scrub(message, params);
    expect(value.template?.params).toEqual(left);
    expect(scrubReport(value)).toEqual({ value, scrubbedCount: 0 });
  });
});

describe("data of a breadcrumb", () => {
  it("is free data of the sender: names and numbers may be secret", () => {
    const data = { password: "hunter2", card: 4_111_111_111_111_111, plan: "gold" };
    const report = { ...emptyParsedReport, breadcrumbs: [{ message: "m", data }] };
    expect(scrubReport(report).value.breadcrumbs?.[0]?.data).toEqual({
      password: "[removed]",
      card: "[removed]",
      plan: "gold",
    });
  });

  it("and a query sent apart lose secrets by name", () => {
    const report = { ...emptyParsedReport, request: { query: "token=abcdef123&page=2" } };
    expect(scrubReport(report).value.request?.query).toBe("token=[removed]&page=2");
  });
});
