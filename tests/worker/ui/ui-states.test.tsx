import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { aggregateReport, summarizeIssue } from "#src/core/issue/aggregate-report.ts";
import { createDecision, type DecisionInput, getCurrentState } from "#src/core/issue/decision.ts";
import type { Decision, Issue } from "#src/core/issue/issue.ts";
import { applyRegression } from "#src/core/issue/regression.ts";
import { SNOOZE_OPTIONS } from "#src/core/issue/snooze-options.ts";
import { summarizeReport } from "#src/core/report/report-summary.ts";
import type { ProjectStore } from "#src/store/client/project-store.ts";
import { IssueActions } from "#src/ui/issue/actions.tsx";
import { DecisionText } from "#src/ui/issue/activity/decision-text.tsx";
import { IssueListTable } from "#src/ui/issues/issues-table.tsx";
import { MatchesPage } from "#src/ui/lookup/matches-page.tsx";
import { visit } from "#support/http/visit.ts";
import { replaceMethods } from "#support/replace-methods.ts";
import { createReport } from "#support/reports/reports.ts";
import { NOW_MS, projectStore } from "#support/store/store.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const open = aggregateReport(
  undefined,
  summarizeReport(createReport(1, { release: "1.3.0" }), "p"),
  NOW_MS,
);
/** The issue with a decision made two days ago at the current count. */
const decided = (choice: DecisionInput, more: Partial<Issue> = {}): Issue => {
  const issue = { ...open, ...more };
  return { ...issue, decision: createDecision(choice, open, NOW_MS - 2 * DAY_MS) };
};
const regressedAfter = (choice: DecisionInput, release?: string): Issue => {
  const issue = decided(choice);
  const seen = {
    ...({ atMs: NOW_MS - HOUR_MS, isLinked: false, trust: "server" } as const),
    ...(release && { release }),
  };
  const decision =
    issue.decision && applyRegression(issue.decision, seen, "server", () => undefined);
  return { ...issue, ...(decision && { decision }) };
};

const renderText = (node: ReactNode) =>
  renderToStaticMarkup(node)
    .replace(/<[^>]*>/g, "")
    .replace(/\s+/g, " ")
    .trim();

describe("the decision text", () => {
  it.each<readonly [Issue, string]>([
    [open, "Open"],
    [decided({ state: "open" }), "Open since it was reopened 2 days ago."],
    [decided({ state: "archived" }), "Archived 2 days ago."],
    [decided({ state: "resolved" }), "Resolved 2 days ago."],
    [decided({ state: "resolved", release: "1.4.0" }), "Resolved in 1.4.0, 2 days ago."],
    [
      decided({ state: "resolved", inNextRelease: true }),
      "Resolved in the next release, 2 days ago.",
    ],
    [decided({ state: "snoozed" }), "Snoozed until it escalates."],
    [decided({ state: "snoozed", forMs: 2 * DAY_MS + HOUR_MS }), "Snoozed until 18:30 UTC."],
    [decided({ state: "snoozed", forMs: 7 * DAY_MS }), "Snoozed until 26 Nov, 17:30 UTC."],
    [decided({ state: "snoozed", forCount: 100 }, { count: 64 }), "Snoozed until 37 more times."],
    [
      decided({ state: "snoozed", forMs: 7 * DAY_MS, forCount: 1 }),
      "Snoozed until 26 Nov, 17:30 UTC or 1 more time.",
    ],
    [
      decided({ state: "snoozed", forMs: DAY_MS }),
      "Open again. The snooze has ended: it was until 20 Nov, 17:30 UTC.",
    ],
    [
      decided({ state: "snoozed", forCount: 1_339 }, { count: 1_340 }),
      "Open again. The snooze has ended: it was until seen 1,340 times.",
    ],
    [
      regressedAfter({ state: "resolved", release: "1.3.0" }, "1.4.0"),
      "Regressed It was resolved in 1.3.0 and regressed in 1.4.0, 1 h ago.",
    ],
    [
      regressedAfter({ state: "resolved" }),
      "Regressed It was resolved 2 days ago and regressed 1 h ago.",
    ],
    [
      regressedAfter({ state: "resolved", inNextRelease: true }, "1.4.0"),
      "Regressed It was resolved 2 days ago and regressed in 1.4.0, 1 h ago.",
    ],
  ])("case %#: %j", (issue, text) => {
    expect(renderText(<DecisionText issue={issue} nowMs={NOW_MS} />)).toBe(text);
  });
});

/** The entries of the menu *Snooze*, in order. */
const MENU = [...SNOOZE_OPTIONS.map(({ word }) => word), "archive"].map(
  (word) => `timeZone=UTC do=${word}`,
);

describe("the action forms", () => {
  const over: Decision = createDecision({ state: "snoozed", forMs: 1 }, open, NOW_MS - DAY_MS);
  it.each<readonly [string, Issue, readonly string[]]>([
    [
      "an open issue",
      open,
      [
        "state=resolved",
        "state=resolved release=1.3.0",
        "state=resolved inNextRelease=1",
        ...MENU,
        "state=archived",
      ],
    ],
    ["a resolved issue", decided({ state: "resolved" }), ["state=open"]],
    [
      "a snoozed issue",
      decided({ state: "snoozed" }),
      [
        "state=resolved",
        "state=resolved release=1.3.0",
        "state=resolved inNextRelease=1",
        ...MENU,
        "state=archived",
        "state=open",
      ],
    ],
  ])("offer the allowed decisions for %s", async (_, issue, choices) => {
    expect(await choicesIn(createActions(issue))).toEqual(choices);
  });

  it("offer the same for an issue whose snooze has ended as for an open issue", async () => {
    const again = await choicesIn(createActions({ ...open, decision: over }));
    expect(again).toEqual(await choicesIn(createActions(open)));
  });

  it("offer no release if the issue has none", async () => {
    const { release: _, ...issue } = open;
    const choices = await choicesIn(createActions(issue));
    expect(choices.filter((choice) => /\brelease=/.test(choice))).toEqual([]);
  });

  it("have a name on every button and a button for every menu", () => {
    const html = renderToStaticMarkup(createActions(open));
    const buttons = html.match(/<button.*?<\/button>/g) ?? [];
    expect(buttons.length).toBeGreaterThan(8);
    for (const button of buttons) {
      const text = button.replace(/<[^>]*>/g, "").trim();
      expect(text !== "" || /aria-label="[^"]+"/.test(button)).toBe(true);
    }
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    const targets = [...html.matchAll(/ popovertarget="([^"]+)"/gi)].map(([, id]) => id);
    expect(targets).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe("lists show the current state", () => {
  const soon = summarizeIssue({ ...open, ...decided({ state: "snoozed", forMs: 2 * DAY_MS + 1 }) });
  const regressed = summarizeIssue(
    regressedAfter({ state: "resolved", release: "1.3.0" }, "1.4.0"),
  );
  it.each([
    ["the list", (nowMs: number) => <IssueListTable issues={[soon]} nowMs={nowMs} caption="all" />],
    [
      "the matches",
      (nowMs: number) => <MatchesPage query="x" matches={[soon, regressed]} nowMs={nowMs} />,
    ],
  ])("%s shows an issue as snoozed until its time is over", (_, table) => {
    expect(renderToStaticMarkup(table(NOW_MS))).toContain('data-state="snoozed"');
    expect(renderToStaticMarkup(table(NOW_MS + 1))).not.toContain('data-state="snoozed"');
  });

  it("and mark regressed issues", () => {
    const list = (issue: typeof soon) =>
      renderText(<IssueListTable issues={[issue]} nowMs={NOW_MS} caption="all" />);
    expect(list(regressed)).toContain("Regressed");
    expect(list(soon)).not.toContain("Regressed");
  });
});

describe("the receipt", () => {
  const renderReceipt = async (issue: Issue) => {
    const knows: ProjectStore = replaceMethods(projectStore, { getFreshIssue: async () => issue });
    return (await visit(`/e/${open.digest}?streaming=off`, { services: { projectStore: knows } }))
      .body;
  };
  const parts = (html: string) => /<h2>.*<\/dl>/s.exec(html)?.[0];

  it("shows a resolved issue as fixed, and a regressed one as known", async () => {
    const resolved = { state: "resolved", release: "1.3.0" } as const;
    expect(await renderReceipt(decided({ state: "resolved" }))).toContain("It is fixed.");
    expect(await renderReceipt(decided(resolved))).toContain("A fix is on its way.");
    expect(await renderReceipt(regressedAfter(resolved, "1.4.0"))).toContain("We know about it.");
  });

  it("reveals no other decision", async () => {
    const plain = parts(await renderReceipt(open));
    expect(plain).toContain("We know about it.");
    for (const issue of [
      decided({ state: "snoozed", forMs: 7 * DAY_MS }),
      decided({ state: "archived" }),
      decided({ state: "open" }),
      regressedAfter({ state: "resolved" }),
    ])
      expect(parts(await renderReceipt(issue))).toBe(plain);
  });
});

/** The fields that each submit button sends, one line per button in order. */
const createActions = (issue: Issue) => (
  <IssueActions
    digest={issue.digest}
    state={getCurrentState(issue, NOW_MS)}
    release={issue.release}
  />
);

async function choicesIn(node: ReactNode): Promise<readonly string[]> {
  const choices: string[] = [];
  let hidden: string[] = [];
  const pair = (element: { getAttribute(name: string): string | null }) =>
    element.getAttribute("name") === null
      ? []
      : [`${element.getAttribute("name")}=${element.getAttribute("value")}`];
  const rewriter = new HTMLRewriter()
    .on("form", {
      element(form) {
        hidden = [];
        expect(form.getAttribute("method")).toBe("post");
        expect(form.getAttribute("action")).toBe(`/d/${open.digest}/state`);
      },
    })
    .on("form input[type=hidden]", { element: (input) => void hidden.push(...pair(input)) })
    .on("form button[type=submit]", {
      element: (button) => void choices.push([...hidden, ...pair(button)].join(" ")),
    });
  await rewriter.transform(new Response(renderToStaticMarkup(node))).text();
  return choices;
}
