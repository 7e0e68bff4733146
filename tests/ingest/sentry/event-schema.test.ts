// Every member of Sentry's event schema is stored, or the documentation says that it is not.
// Source: Sentry develop docs › Event Payloads; relay-event-schema, protocol/*.rs.

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { processReport } from "#src/core/processing/process-report.ts";
import type { Report } from "#src/core/report.ts";
import { parseSentryEvent } from "#src/ingest/sentry/sentry-event.ts";
import { getReport } from "#support/reports/parsed-items.ts";
import { createProcessingOptions } from "#support/reports/processing-options.ts";

/** A member of the schema: its path, a value, and the text of it that the stored report shows. */
interface Member {
  readonly path: string;
  readonly value: unknown;
  readonly shown: string;
}

/** A member whose value is a text that occurs nowhere else. */
function text(path: string): Member {
  const value = `value of ${path}`;
  return { path, value, shown: value };
}

function member(path: string, value: unknown, shown = JSON.stringify(value)): Member {
  return { path, value, shown };
}

const ID = "9f8e7d6c5b4a32100123456789abcdef";

/** Members of a list are those of its last entry. */
const SCHEMA: readonly Member[] = [
  member("event_id", ID),
  member("timestamp", 1_795_277_322.5, "1795277322500"),
  member("platform", "python"),
  ...["level", "logger", "transaction", "culprit", "server_name", "release", "dist"].map(text),
  text("environment"),
  text("site"),
  member("checksum", "checksum-1"),
  member("fingerprint", ["fingerprint-1"]),
  member("message", "the message"),
  member("logentry.message", "template %s"),
  member("logentry.params", ["param-1"]),
  text("logentry.formatted"),
  member("tags", { plan: "gold-tag" }, '["plan","gold-tag"]'),
  member("extra", { order: { lines: [1, "line-2"] } }),
  member("modules", { django: "5.0.1" }),
  member("contexts.cart", { items: 17 }),
  member("contexts.trace.trace_id", ID.replace("9f", "1f")),
  member("template", { filename: "cart.html", lineno: 31 }),
  ...["user.id", "user.email", "user.username", "user.name"].map(text),
  member("user.data", { plan: "gold-user" }),
  text("user.ip_address"),
  member("user.geo", { city: "Lyon" }),
  member("request.url", "https://shop.example/cart-1", "https://shop.example/cart-1"),
  member("request.method", "PATCH"),
  member("request.query_string", "page=17", "page=17"),
  member("request.fragment", "at-total", "#at-total"),
  member("request.headers", { "X-Request-Id": ["req-1"] }, '["x-request-id","req-1"]'),
  member("request.cookies", { theme: "dark-1" }),
  member("request.data", { coupon: "spring-1" }),
  member("request.env", { HOME: "/home-1" }),
  member("sdk.name", "sentry.python.x"),
  text("sdk.version"),
  member("sdk.packages", [{ name: "pypi:x" }]),
  member("sdk.integrations", ["integration-1"]),
  member("sdk.features", ["feature-1"]),
  member("sdk.settings", { infer_ip: "auto-1" }),
  text("exception.type"),
  text("exception.value"),
  text("exception.module"),
  member("exception.thread_id", 41, '"name":"worker-1"'),
  text("exception.mechanism.type"),
  text("exception.mechanism.description"),
  text("exception.mechanism.help_link"),
  member("exception.mechanism.handled", false, '["handled","false"]'),
  member("exception.mechanism.data", { key: "data-1" }),
  member("exception.mechanism.meta", { signal: { number: 11, name: "SIGSEGV" } }),
  member("exception.raw_stacktrace", { frames: [{ function: "raw-1" }] }),
  member("stacktrace.frames_omitted", [3, 9], '"frames"'),
  member("stacktrace.registers", { rip: "0x71" }),
  ...["function", "raw_function", "symbol", "module", "filename", "abs_path", "package"].map(
    (name) => text(`stacktrace.frames.${name}`),
  ),
  member("stacktrace.frames.instruction_addr", "0x7fff2041e9c2"),
  member("stacktrace.frames.lineno", 7_001, '"line":7001'),
  member("stacktrace.frames.colno", 7_002, '"column":7002'),
  member("stacktrace.frames.in_app", true, '"inApp":true'),
  text("stacktrace.frames.context_line"),
  member("stacktrace.frames.pre_context", ["before-1"]),
  member("stacktrace.frames.post_context", ["after-1"]),
  member("stacktrace.frames.vars", { cart: { id: "var-1" } }),
  ...["image_addr", "symbol_addr", "addr_mode", "trust", "source_link"].map((name) =>
    text(`stacktrace.frames.${name}`),
  ),
  member("stacktrace.frames.stack_start", true, '"stack_start":true'),
  member("stacktrace.frames.lock", { address: "0x0d3a" }),
  ...["category", "message", "level"].map((name) => text(`breadcrumbs.${name}`)),
  member("breadcrumbs.timestamp", 1_795_277_320.25, "1795277320250"),
  member("breadcrumbs.data", { plan: "gold-crumb" }, "gold-crumb"),
  text("breadcrumbs.event_id"),
  text("breadcrumbs.origin"),
  member("threads", { values: [{ id: 41, name: "worker-1", state: "WAITING-1" }] }, "WAITING-1"),
  member("debug_meta", { images: [{ type: "elf", debug_id: `${ID}-1` }] }),
  member("_meta", { extra: "meta-1" }),
  member("errors", [{ type: "error-1" }]),
  ...["version", "project", "ingest_path"].map(text),
  member("received", 1_795_277_323.75),
  member("time_spent", 7_003),
];

/** The path of a member in an event with one entry in each list. */
const LISTS: Readonly<Record<string, readonly (string | number)[]>> = {
  exception: ["exception", "values", 0],
  stacktrace: ["exception", "values", 0, "stacktrace"],
  breadcrumbs: ["breadcrumbs", "values", 0],
};

function toSteps(path: string): readonly (string | number)[] {
  const [first = "", ...rest] = path.split(".");
  const steps = [...(LISTS[first] ?? [first]), ...rest];
  return steps.flatMap((step) => (step === "frames" ? ["frames", 0] : [step]));
}

type Container = Record<string | number, unknown>;

function set(event: Container, path: string, value: unknown): void {
  const steps = toSteps(path);
  let target = event;
  for (const [at, step] of steps.slice(0, -1).entries()) {
    target[step] ??= typeof steps[at + 1] === "number" ? [] : {};
    target = target[step] as Container;
  }
  target[steps.at(-1) ?? ""] = value;
}

/** The report of an event with these members, and an exception so that the event is an error. */
function receive(members: readonly Member[]): Report {
  const event: Container = {};
  for (const { path, value } of members) set(event, path, value);
  const parsed = getReport(parseSentryEvent(event));
  return processReport(parsed, { ...createProcessingOptions(), nowMs: 1_795_277_400_000 });
}

/** The members that the table in the documentation says are not kept, without their reasons. */
function listOmitted(): readonly string[] {
  const docs = readFileSync(
    new URL("../../../src/docs/ingest-formats.md", import.meta.url),
    "utf8",
  );
  const [, table = ""] = docs.split("It does not keep\nthese members:\n");
  const rows = table.split("\n### ")[0]?.split("\n").slice(3) ?? [];
  return rows.flatMap((row) => {
    const names = row.split("|")[1]?.split(/ except | of causes|, if /)[0] ?? "";
    const paths = [...names.matchAll(/`([\w.]+)`/g)].map(([, name = ""]) => name);
    const parent = paths[0]?.slice(0, paths[0].lastIndexOf(".") + 1) ?? "";
    return paths.map((path) => (path.includes(".") ? path : parent + path));
  });
}

/** Members that replace each other: a report has the first of those that were sent. */
const ALTERNATIVES: readonly (readonly string[])[] = [
  ["message", "logentry.message", "logentry.params", "logentry.formatted"],
  ["fingerprint", "checksum"],
  ["transaction", "culprit"],
  ["stacktrace.frames.raw_function", "stacktrace.frames.symbol"],
];

/** Members that are kept in part: the documentation names the other part. */
const PARTLY_KEPT = ["request.headers", "threads", "exception.mechanism"];

describe("a Sentry event", () => {
  const omitted = listOmitted().filter((path) => !PARTLY_KEPT.includes(path));
  const kept = SCHEMA.filter(({ path }) => !omitted.includes(path));

  it("has a documented list of members that are not kept, all of them in the schema", () => {
    expect(omitted.length).toBeGreaterThan(20);
    expect(omitted.filter((path) => !SCHEMA.some((one) => one.path === path))).toEqual([]);
  });

  it.each(kept)("with $path shows it", (one) => {
    const needed = SCHEMA.filter(({ path }) =>
      one.path === "exception.thread_id"
        ? path === "threads"
        : one.path === "request.fragment"
          ? path === "request.url"
          : one.path === "stacktrace.frames.symbol"
            ? path === "stacktrace.frames.function"
            : one.path === "logentry.params" && path === "logentry.message",
    );
    const anything = one.path.startsWith("exception") ? [] : [text("exception.value")];
    const isMessage = /^(?:message|logentry)/.test(one.path);
    const report = receive([...(isMessage ? [] : anything), ...needed, one]);
    expect(JSON.stringify(report)).toContain(one.shown);
  });

  it("with all members at once shows the first of each group of alternatives", () => {
    const later = ALTERNATIVES.flatMap((names) => names.slice(1));
    const report = JSON.stringify(receive(kept.filter(({ path }) => !later.includes(path))));
    const expected = kept.filter(
      ({ path }) => ![...later, "message", "logentry.message"].includes(path),
    );
    expect(expected.filter(({ shown }) => !report.includes(shown)).map(({ path }) => path)).toEqual(
      [],
    );
  });

  it.each(SCHEMA.filter(({ path }) => omitted.includes(path)))(
    "with $path does not keep it",
    (one) => {
      // `raw_stacktrace` is kept if it is the only one.
      const stack = text("stacktrace.frames.function");
      expect(JSON.stringify(receive([text("exception.value"), stack, one]))).not.toContain(
        one.shown,
      );
    },
  );
});
