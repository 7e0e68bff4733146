import { describe, expect, it } from "vitest";
import type { Annotations } from "#src/core/issue/annotations.ts";
import { createDecision, type DecisionInput } from "#src/core/issue/decision.ts";
import { ANNOTATIONS_JSON, DECISION_JSON, ISSUE_LIST_JSON } from "#src/store/kv/stored-json.ts";

const AT_MS = Date.UTC(2026, 10, 21);
const counts = {
  count: 40,
  publicCount: 0,
  pageCount: 0,
  trust: "server",
  release: "1.4.0",
} as const;

describe("a decision of the release before", () => {
  it.each([
    ["muted", {}, "archived"],
    ["ignored", {}, "archived"],
    ["ignored", { untilMs: 5 }, "snoozed"],
    ["ignored", { untilCount: 140, forCount: 100 }, "snoozed"],
    ["ignored", { untilMs: 5, untilCount: 140 }, "snoozed"],
    ["resolved", { release: "1.4.0" }, "resolved"],
    ["open", { regressedAtMs: 3 }, "open"],
  ])("that is %s with %j is %s", (state, conditions, expected) => {
    const stored = { v: 1, state, atMs: AT_MS, ...conditions };
    expect(DECISION_JSON.parse(stored)).toEqual({
      v: 2,
      state: expected,
      atMs: AT_MS,
      ...conditions,
    });
  });

  it("with an unknown state is damaged", () => {
    expect(DECISION_JSON.decode({ v: 1, state: "hidden", atMs: AT_MS }).kind).toBe("damaged");
  });
});

describe("a decision", () => {
  const inputs: readonly DecisionInput[] = [
    { state: "open" },
    { state: "archived" },
    { state: "resolved", inNextRelease: true },
    { state: "snoozed" },
    { state: "snoozed", forMs: 1_000, forCount: 3 },
    { state: "snoozed", forUsers: 10 },
    { state: "snoozed", untilNextRelease: true },
  ];

  it.each(inputs)(
    "%j is written in words that the release before knows, and read again",
    (input) => {
      const decision = createDecision(input, counts, AT_MS);
      const written = JSON.parse(DECISION_JSON.encode(decision));
      expect(written.v).toBe(1);
      expect(["open", "resolved", "ignored", "muted"]).toContain(written.state);
      expect(JSON.stringify(DECISION_JSON.parse(written))).toBe(JSON.stringify(decision));
    },
  );

  it("whose snooze a report ended is open for the release before, too", () => {
    const snoozed = createDecision({ state: "snoozed" }, counts, AT_MS);
    const ended = { ...snoozed, endedAtMs: AT_MS + 9, endedBy: "escalation" as const };
    const written = JSON.parse(DECISION_JSON.encode(ended));
    expect(written).toMatchObject({ state: "ignored", untilMs: AT_MS + 9 });
    expect(DECISION_JSON.parse(written)).toEqual(JSON.parse(JSON.stringify(ended)));
  });
});

it("activity has the same entries in both versions", () => {
  const annotations: Annotations = {
    v: 2,
    assignee: "Ada",
    activity: [
      { atMs: 1, action: "opened" },
      { atMs: 2, action: "archived", by: "Ada" },
      { atMs: 3, action: "snoozed", untilEscalation: true },
      { atMs: 4, action: "snoozed", untilMs: 9 },
      { atMs: 5, action: "returned", endedBy: "escalation", endedValue: 120, endedUsual: 4 },
    ],
  };
  const written = JSON.parse(ANNOTATIONS_JSON.encode(annotations));
  expect(written.activity.map(({ action }: { action: string }) => action)).toEqual([
    ...["opened", "muted", "ignored", "ignored", "opened"],
  ]);
  expect(ANNOTATIONS_JSON.parse(written)).toEqual(annotations);
});

it("activity of the release before is snoozed only with a limit", () => {
  const activity = [
    { atMs: 1, action: "ignored" },
    { atMs: 2, action: "ignored", untilCount: 3 },
    { atMs: 3, action: "muted" },
  ];
  const { activity: upgraded } = ANNOTATIONS_JSON.parse({ v: 1, activity });
  expect(upgraded.map(({ action }) => action)).toEqual(["archived", "snoozed", "archived"]);
});

it("the list of the newest issues has the states of their decisions", () => {
  const summary = (state: string, decision?: object) => ({
    ...{ digest: "7F3K-Q2M9", kind: "error", type: "Error", message: "", trust: "server" },
    ...{ count: 1, publicCount: 0, pageCount: 0, linkedCount: 0, firstSeenMs: 1, lastSeenMs: 1 },
    state,
    ...(decision !== undefined && { decision: { v: 1, state, atMs: 1, ...decision } }),
  });
  const list = {
    ...{ v: 1, total: 4, asOfMs: AT_MS },
    issues: [
      summary("open"),
      summary("muted", {}),
      summary("ignored", {}),
      summary("ignored", { untilMs: 5 }),
    ],
  };
  const read = ISSUE_LIST_JSON.parse(list);
  expect(read.issues.map(({ state, decision }) => [state, decision?.state])).toEqual([
    ["open", undefined],
    ["archived", "archived"],
    ["archived", "archived"],
    ["snoozed", "snoozed"],
  ]);
  expect(ISSUE_LIST_JSON.toWritten(read)).toMatchObject({
    v: 1,
    issues: [{ state: "open" }, { state: "muted" }, { state: "muted" }, { state: "ignored" }],
  });
});
