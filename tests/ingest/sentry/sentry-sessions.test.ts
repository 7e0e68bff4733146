import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { limits } from "#src/core/limits.ts";
import type { ParsedItem } from "#src/ingest/format/ingest-format.ts";
import { parseClientReport } from "#src/ingest/sentry/client-report.ts";
import { parseSession, parseSessions } from "#src/ingest/sentry/sentry-sessions.ts";

const attrs = { release: "web@2.0.0", environment: "production" };

const getTallies = (parsed: ParsedItem) =>
  "outcome" in parsed
    ? Object.fromEntries(
        (parsed.counters ?? []).map(([name, count]) => [
          name.slice(3).join() || name.join(" "),
          count,
        ]),
      )
    : undefined;

describe("a session counts when it starts, when something goes wrong, and when it ends badly", () => {
  it.each([
    {
      name: "that starts",
      session: { init: true, status: "ok", errors: 0 },
      counts: { started: 1 },
    },
    {
      name: "that starts with an error",
      session: { init: true, status: "ok", errors: 1 },
      counts: { started: 1, errored: 1 },
    },
    { name: "with its first error", session: { status: "ok", errors: 1 }, counts: { errored: 1 } },
    {
      name: "that outcomes after an error",
      session: { init: false, status: "exited", errors: 1 },
      counts: { errored: 1 },
    },
    { name: "that outcomes well", session: { status: "exited", errors: 0 }, counts: {} },
    {
      name: "that crashes",
      session: { status: "crashed", errors: 2 },
      counts: { errored: 1, crashed: 1 },
    },
    {
      name: "that crashes at once",
      session: { init: true, status: "crashed", errors: 1 },
      counts: { started: 1, errored: 1, crashed: 1 },
    },
    { name: "that hangs", session: { status: "abnormal" }, counts: { errored: 1, abnormal: 1 } },
    {
      name: "with an error nobody handled",
      session: { status: "unhandled", errors: 1 },
      counts: { errored: 1, unhandled: 1 },
    },
  ])("$name", ({ session, counts }) => {
    expect(getTallies(parseSession({ sid: "1", attrs, ...session }))).toEqual(counts);
  });

  it("a bad state that an SDK repeats has one id, so that it counts once", () => {
    const sid = "0a1B2c3d-4e5f-6071-8293-a4b5c6d7e8f9";
    const listOnceIds = (session: object) => {
      const parsed = parseSession({ sid, ...session });
      return "outcome" in parsed ? parsed.counters?.map(([name, , once]) => [name[3], once]) : [];
    };
    const id = "0a1b2c3d4e5f60718293a4b5c6d7e8f";
    expect(listOnceIds({ init: true, status: "ok", errors: 1 })).toEqual([
      ["started", undefined],
      ["errored", `${id}0`],
    ]);
    expect(listOnceIds({ status: "crashed", errors: 1 })).toEqual([
      ["errored", `${id}0`],
      ["crashed", `${id}2`],
    ]);
    expect(listOnceIds({ status: "unhandled", errors: 1, sid: "no id" })).toEqual([
      ["errored", undefined],
      ["unhandled", undefined],
    ]);
    expect(listOnceIds({ status: "errored", sid: `${"0".repeat(31)}9` })).toEqual([
      ["errored", undefined],
    ]);
  });

  it("a session counts under its release and environment", () => {
    const parsed = parseSession({ init: true, status: "ok", attrs });
    expect("outcome" in parsed && parsed.counters).toEqual([
      [["session", "web@2.0.0", "production", "started"], 1],
    ]);
  });

  it("a session without a release counts too", () => {
    const parsed = parseSession({ init: true });
    expect("outcome" in parsed && parsed.counters).toEqual([[["session", "", "", "started"], 1]]);
  });

  it("a session that is not an object is invalid", () => {
    expect(parseSession([])).toMatchObject({ outcome: "invalid", reason: "not-an-object" });
    expect(parseSessions("x")).toMatchObject({ outcome: "invalid", reason: "not-an-object" });
  });
});

describe("aggregates", () => {
  it("are added up over their minutes", () => {
    const aggregates = [
      { started: "2026-11-21T16:07:00Z", exited: 9, errored: 2, crashed: 1 },
      { started: "2026-11-21T16:08:00Z", exited: 5 },
    ];
    expect(getTallies(parseSessions({ aggregates, attrs }))).toEqual({
      started: 17,
      errored: 3,
      crashed: 1,
    });
  });

  it("are limited, and skip values that are not counts", () => {
    const many = Array.from({ length: limits.maxCountersPerItem + 5 }, () => ({ exited: 1 }));
    expect(getTallies(parseSessions({ aggregates: many, attrs }))).toEqual({
      started: limits.maxCountersPerItem,
    });
    const wrong = [{ exited: -1, crashed: 0.5, errored: "1e400", abnormal: null }, "x", null];
    expect(getTallies(parseSessions({ aggregates: wrong, attrs }))).toEqual({});
  });
});

describe("client reports", () => {
  it("count what an SDK discarded, by category and reason", () => {
    const discarded_events = [
      { reason: "ratelimit_backoff", category: "error", quantity: 3 },
      { reason: "sample_rate", category: "span", quantity: 40 },
      { reason: "<script>", category: "x y", quantity: 1 },
      { reason: "queue_overflow", category: "error", quantity: -2 },
    ];
    expect(getTallies(parseClientReport({ timestamp: 1, discarded_events }))).toEqual({
      "discarded error ratelimit_backoff": 3,
      "discarded span sample_rate": 40,
      "discarded unknown unknown": 1,
    });
  });
});

it("counts are whole and positive and names are truncated, whatever is sent", () => {
  fc.assert(
    fc.property(fc.anything(), fc.anything(), (value, other) => {
      const payloads = [value, { attrs: value, init: true }, { attrs, aggregates: [value, other] }];
      const all = [...payloads, { discarded_events: [value, other] }].flatMap((payload) => [
        parseSession(payload),
        parseSessions(payload),
        parseClientReport(payload),
      ]);
      for (const parsed of all) {
        const counters = "outcome" in parsed ? (parsed.counters ?? []) : [];
        for (const [name, count] of counters) {
          expect(Number.isSafeInteger(count) && count > 0).toBe(true);
          expect(name.every((word) => word.length <= limits.maxCounterPartChars)).toBe(true);
        }
      }
    }),
  );
});
