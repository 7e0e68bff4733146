// Events of server SDKs, in the shape that sentry-python 2, sentry-ruby 5 and sentry-go 0.30 send:
// local variables, the name of the server, modules and the runtime.

import { describe, expect, it } from "vitest";
import { limits } from "#src/core/limits.ts";
import { type ProcessingOptions, processReport } from "#src/core/processing/process-report.ts";
import { listContexts, listVars } from "#src/core/report/contexts.ts";
import type { Report } from "#src/core/report.ts";
import { parseSentryEvent } from "#src/ingest/sentry/sentry-event.ts";
import { createProcessingOptions } from "#support/reports/processing-options.ts";

const HEX = "9f8e7d6c5b4a32100123456789abcdef";
const VARS = { cart: { id: "17", pin: 1234 }, db_password: "'hunter2'", n: "3", tags: ["'a'"] };

function createEvent(vars: unknown = VARS) {
  const frame = { filename: "shop/cart.py", function: "total", lineno: 7, in_app: true, vars };
  return {
    event_id: HEX,
    platform: "python",
    server_name: "web-1",
    exception: {
      values: [
        { type: "KeyError", value: "'sku'", stacktrace: { frames: [frame] } },
        { type: "CartError", value: "no total", stacktrace: { frames: [frame] } },
      ],
    },
    contexts: { runtime: { name: "CPython", version: "3.12.1", build: "3.12.1 (main)" } },
    modules: { django: "5.0", "sentry-sdk": "2.1.0" },
    extra: {
      "sys.argv": ["manage.py", "migrate", "--password", "hunter2"],
      dsn: `https://errata_server_${HEX}@errata.example/1`,
      database: "postgres://shop:hunter2@db.example/shop",
    },
  };
}

function receive(event: unknown, options: Partial<ProcessingOptions> = {}): Report {
  const item = parseSentryEvent(event);
  if (!("report" in item)) throw new Error("not a report");
  return processReport(item.report, { ...createProcessingOptions(), ...options });
}

describe("an event of a server SDK", () => {
  it("keeps the local variables of its frames and causes, scrubbed", () => {
    const { frames, causes } = receive(createEvent());
    const vars = { ...VARS, cart: { id: "17", pin: "[removed]" }, db_password: "[removed]" };
    expect(frames.map((frame) => frame.vars)).toEqual([vars]);
    expect(causes?.[0]?.frames[0]?.vars).toEqual(vars);
    expect(frames[0] && listVars(frames[0])).toEqual([
      ["cart", '{"id":"17","pin":"[removed]"}'],
      ["db_password", "[removed]"],
      ["n", "3"],
      ["tags", `["'a'"]`],
    ]);
  });

  it.each<[string, Partial<ProcessingOptions>]>([
    ["a public report", { trust: "public" }],
    ["a report of a page", { trust: "page" }],
    ["a report, with ERRATA_SCRUB=vars", { scrub: { email: false, ip: false, vars: true } }],
  ])("loses the local variables as %s", (_name, options) => {
    const { frames, causes = [] } = receive(createEvent(), options);
    expect(JSON.stringify([frames, causes])).not.toContain("vars");
    expect(frames[0]?.function).toBe("total");
    expect(causes[0]?.frames[0]?.function).toBe("total");
  });

  it("has limited local variables, and says that they were truncated", () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`v${n}`, n]));
    const report = receive(createEvent({ long: "x".repeat(10_000), ...many }));
    const vars = report.frames[0] ? listVars(report.frames[0]) : [];
    expect(vars).toHaveLength(limits.maxVars);
    expect(vars[0]?.[1]).toHaveLength(limits.maxVarsChars);
    expect(report.truncated).toContain("vars");
  });

  it.each([null, 7, "x", [], {}])("has no local variables if they are %j", (vars) => {
    expect(receive(createEvent(vars)).frames[0]?.vars).toBeUndefined();
  });

  it("shows its server, its runtime and its modules", () => {
    const groups = listContexts(receive(createEvent()));
    const find = (name: string) => groups.find((group) => group.name === name);
    expect(find("server")).toEqual({
      name: "server",
      isSystem: false,
      pairs: [
        ["name", "web-1"],
        ["runtime", "CPython 3.12.1"],
      ],
    });
    expect(find("modules")).toEqual({
      name: "modules",
      isSystem: true,
      pairs: [
        ["django", "5.0"],
        ["sentry-sdk", "2.1.0"],
      ],
    });
  });

  it("loses secrets in its arguments and data source names", () => {
    expect(receive(createEvent()).detail).toMatchObject({
      extra: {
        "sys.argv": ["manage.py", "migrate", "--password", "[removed]"],
        dsn: "https://[removed]@errata.example/1",
        database: "postgres://[removed]@db.example/shop",
      },
    });
  });

  it("that is too large loses its local variables first", () => {
    const vars = Object.fromEntries(
      Array.from({ length: 30 }, (_, n) => [`v${n}`, "x".repeat(499)]),
    );
    const event = createEvent(vars);
    const stacktrace = event.exception.values[0]?.stacktrace;
    const frames = Array.from({ length: 50 }, () => stacktrace?.frames[0]);
    const report = receive({ ...event, exception: { type: "E", stacktrace: { frames } } });
    expect(report.truncated).toEqual(["vars"]);
    expect(report.frames).toHaveLength(50);
    expect(report.detail).toHaveProperty("modules");
  });
});
