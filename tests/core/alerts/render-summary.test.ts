import { describe, expect, it } from "vitest";
import type { DueAlert } from "#src/core/alerts/due-alert.ts";
import { type RenderContext, renderMessage, renderTest } from "#src/core/alerts/render-message.ts";
import type { AlertTriggerKind } from "#src/core/alerts/triggers/triggers.ts";
import { ALERT_AT_MS, ALERT_ORIGIN } from "#support/alerts/messages.ts";
import { createIssue } from "#support/reports/issues.ts";

const toDigest = (n: number) => `0000-${String(n).padStart(4, "0")}`;

function createAlert(n: number, ...kinds: readonly AlertTriggerKind[]): DueAlert {
  const triggers = kinds.map((kind) => ({ kind, rules: [] }));
  return { atMs: ALERT_AT_MS + n, digest: toDigest(n), triggers };
}

/** Issues whose numbers are their counts. */
function createContext(...numbers: readonly number[]): RenderContext {
  const issues = numbers.map((n) => ({
    ...createIssue({ digest: toDigest(n) }),
    count: n,
  }));
  return {
    project: { id: "1", name: "Shop" },
    origin: ALERT_ORIGIN,
    ruleNames: new Map(),
    issues: new Map(issues.map((issue) => [issue.digest, issue])),
  };
}

const render = (alerts: readonly DueAlert[], more = 0) =>
  renderMessage({ id: "m", alerts, more }, createContext(1, 2, 3, 4, 5, 6));

describe("a summary of several alerts", () => {
  it("counts what happened, and lists what returned and what grows first", () => {
    const message = render([
      createAlert(6, "new-issue"),
      createAlert(1, "regressed"),
      createAlert(2, "escalating"),
      createAlert(5, "new-issue"),
      createAlert(3, "users"),
    ]);
    expect(message.title).toBe("2 new, 1 growing, 1 returned, 1 other issue since 14:02 UTC");
    expect(message.issues.map(({ digest, triggers }) => [digest, triggers?.[0]])).toEqual([
      [toDigest(1), "regressed"],
      [toDigest(2), "escalating"],
      [toDigest(3), "users"],
      [toDigest(6), "new-issue"],
      [toDigest(5), "new-issue"],
    ]);
  });

  it("leads to exactly its issues", () => {
    const { summary } = render([createAlert(2, "regressed"), createAlert(1, "new-issue")]);
    const query = new URL(summary?.url ?? "").searchParams.get("q");
    expect(query).toBe(`digest:${toDigest(2)},${toDigest(1)}`);
  });

  it("leads to the new issues if there are more than a link can name", () => {
    const alerts = Array.from({ length: 41 }, (_, n) => createAlert(n, "new-issue"));
    const { summary, title } = render(alerts, 4_959);
    expect(title).toBe("5000 new issues since 14:02 UTC");
    expect(new URL(summary?.url ?? "").searchParams.get("q")).toBe("is:new");
  });

  it("says once what the alerts were about", () => {
    const alerts = [createAlert(1, "new-issue"), createAlert(2, "new-issue")];
    expect(render(alerts).reasons).toMatchObject([{ text: "New issue: 2" }]);
  });
});

describe("figures of one", () => {
  it.each([
    [{ kind: "occurrences", value: 1 }, "1 occurrence"],
    [{ kind: "users", value: 1 }, "1 person affected"],
    [{ kind: "users", value: 100 }, "100 people affected"],
  ] as const)("have a singular: %j is %s", (figures, title) => {
    const alert = { atMs: 0, digest: toDigest(1), triggers: [{ ...figures, rules: [] }] };
    expect(render([alert]).title).toBe(title);
  });
});

describe("feedback", () => {
  it("is only in messages about feedback", () => {
    const feedback = { ...createIssue({ kind: "feedback", message: "I cannot pay" }) };
    const context = createContext(1);
    const [issue] = [...context.issues.values()];
    const issues = new Map([
      [toDigest(1), { ...issue, latestReports: feedback.latestReports } as typeof feedback],
    ]);
    const renderWith = (kind: AlertTriggerKind) =>
      renderMessage({ id: "m", alerts: [createAlert(1, kind)], more: 0 }, { ...context, issues });
    expect(renderWith("user-feedback").issues[0]?.feedback?.text).toBe("I cannot pay");
    expect(renderWith("regressed").issues[0]?.feedback).toBeUndefined();
  });
});

describe("a test", () => {
  it("is marked, and says if its issue is made up", () => {
    const context = createContext(1);
    expect(renderTest("t", 0, context, toDigest(1))).toMatchObject({
      kind: "test",
      issues: [{ digest: toDigest(1) }],
    });
    expect(renderTest("t", 0, context)).toMatchObject({ kind: "test", isMadeUp: true });
  });
});
