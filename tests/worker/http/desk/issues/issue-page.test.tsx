import { waitOnExecutionContext } from "cloudflare:test";
import fc from "fast-check";
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, describe, expect, it } from "vitest";
import { aggregateReport } from "#src/core/issue/aggregate-report.ts";
import type { ActivityEntry, Annotations } from "#src/core/issue/annotations.ts";
import type { Issue } from "#src/core/issue/issue.ts";
import { findCounterpart } from "#src/core/issue/related-reports.ts";
import type { TopValues } from "#src/core/issue/top-values.ts";
import { summarizeReport } from "#src/core/report/report-summary.ts";
import type { Report, ReportGrouping } from "#src/core/report.ts";
import { createRegistryClient } from "#src/store/accounts/registry-client.ts";
import type { ProjectStore } from "#src/store/client/project-store.ts";
import { ActivityTimeline } from "#src/ui/issue/activity/activity.tsx";
import {
  computeFrequency,
  FrequencyChart,
  listMarks,
} from "#src/ui/issue/frequency/frequency-chart.tsx";
import { TopValueList } from "#src/ui/issue/sidebar/top-value-list.tsx";
import { listScaleCounts } from "#src/ui/parts/chart/chart-scale.ts";
import { type ChartMark, placeMarkLabels } from "#src/ui/parts/chart/mark-labels.ts";
import { ScopeContext } from "#src/ui/parts/scope-switch.tsx";
import { startVisit, visit } from "#support/http/visit.ts";
import { replaceMethods } from "#support/replace-methods.ts";
import { createReport, toReportId } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { bindings, log, NOW_MS, projectStore } from "#support/store/store.ts";

afterEach(() => emptyStore());

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const DIGEST = "7F3K-Q2M9";

const issue = aggregateReport(undefined, summarizeReport(createReport(1), "p"), NOW_MS);
const renderText = (node: ReactNode) =>
  renderToStaticMarkup(node)
    .replace(/<\/p>/g, "\n")
    .replace(/<[^>]*>/g, "")
    .trim();
const toText = (html: string) => html.replace(/<[^>]*>/g, "").replace(/\s+/g, " ");
const readPage = async (path = `/d/${DIGEST}`, over: Partial<ProjectStore> = {}) =>
  (await visit(path, { services: { projectStore: replaceMethods(projectStore, over) } })).body;

it("the page shows the user and the application's context as text, and folds what SDKs always add", async () => {
  const detail = {
    user: { id: "u42", email: "<b>ada</b>" },
    contexts: { cart: { items: 3 }, os: { name: "Linux" } },
  };
  await log.append([createReport(1, { detail, level: "fatal" })]);
  const html = await readPage(`/d/${DIGEST}?streaming=off`);
  const section = /<section class="context">.*?<\/section>/s.exec(html)?.[0] ?? "";
  const [open = "", folded = ""] = section.split("<details>");
  expect(open.replace(/<[^>]*>/g, " ")).toMatch(
    /user +id +u42 +email +&lt;b&gt;ada&lt;\/b&gt; +cart +items +3/,
  );
  expect(folded).toMatch(/^<summary>os<\/summary>.*Linux/s);
  expect(html).toContain("<span>fatal</span>");
  const { body } = await visit(`/d/${DIGEST}.md`);
  expect(body).toContain("## Context");
  expect(body).toMatch(/`user\.id` `u42`/);
  expect(body).not.toContain("Linux");
});

describe("an issue with a grouping key", () => {
  const inApp = true;
  const toGrouping = (name: string): ReportGrouping => ({
    version: 1,
    parts: [
      { role: "type", value: "KeyError" },
      { role: "message", value: "<b>EUR</b>" },
      { role: "function", value: name },
    ],
  });
  const over = (name: string): Partial<Report> => ({
    ...{ type: "KeyError", message: "'EUR'", grouping: toGrouping(name) },
    frames: [{ function: "priceOf", file: "/srv/prices.py", inApp }],
  });

  it("says why its reports are together, on the page, in JSON and in Markdown", async () => {
    await log.append([createReport(1, over("prices#priceOf"))]);
    const html = await readPage(`/d/${DIGEST}?streaming=off`);
    expect(toText(html)).toContain(
      "Grouped by KeyError, the message &lt;b&gt;EUR&lt;/b&gt;, and the function prices#priceOf.ChangeRules version 1.",
    );
    const json = JSON.parse((await visit(`/d/${DIGEST}.json`)).body);
    expect(json).toMatchObject({
      grouping: toGrouping("prices#priceOf"),
      groupedBy:
        "Grouped by “KeyError”, the message “<b>EUR</b>”, and the function “prices#priceOf”",
    });
    expect((await visit(`/d/${DIGEST}.md`)).body).toContain(
      "- Grouped by `KeyError`, the message `<b>EUR</b>`, and the function `prices#priceOf` (rules version 1)\n",
    );
  });

  it("says how similar and merged issues differ", async () => {
    await log.append([
      createReport(1, over("prices#priceOf")),
      createReport(2, { ...over("cart#add"), digest: "0000-0000" }),
      createReport(3, { ...over("mail#send"), digest: "0000-1001" }),
    ]);
    await projectStore.annotate(DIGEST, { change: "merge", from: ["0000-1001"] });
    const html = await readPage(`/d/${DIGEST}?streaming=off`);
    const [, similar = ""] = html.split('id="similar"');
    expect(toText(similar)).toContain("KeyError &#x27;EUR&#x27;other function cart#add0000-0000");
    const [, merged = ""] = html.split('id="merged"');
    expect(toText(merged)).toContain("other function mail#send");
  });

  it("is named after a member of a group, with the number of the others", async () => {
    const member = (type: string) => ({ type, message: "no price", frames: [], parent: 0 });
    const causes = [member("ValueError"), member("OSError"), member("KeyError")];
    const group = { type: "ExceptionGroup", message: "3 errors", isGroup: true } as const;
    await log.append([createReport(1, { ...group, causes })]);
    const html = await readPage(`/d/${DIGEST}?streaming=off`);
    expect(html).toMatch(/<title>ValueError: no price \(\+2 more\)/);
    expect(toText(html)).toContain("ValueError no price +2 more");
    expect(toText(html)).toContain("ExceptionGroup 3 errors");
    expect(toText(html)).toContain("Members (3)");
    const json = JSON.parse((await visit(`/d/${DIGEST}.json`)).body);
    expect(json).toMatchObject({
      ...{ title: "ValueError: no price (+2 more)", type: "ValueError", otherErrors: 2 },
    });
    const { body } = await visit(`/d/${DIGEST}.md`);
    expect(body).toMatch(/^# `ValueError: no price \(\+2 more\)`/);
    expect(body).toContain("### Member 3 of 3\n\n```\nKeyError: no price");
    expect(toText(await readPage("/issues?streaming=off"))).toContain("no price +2 more");
  });

  it("says how much the clock of a sender differs", async () => {
    await log.append([createReport(1, { clockSkewMs: -3.1 * HOUR_MS })]);
    const html = await readPage(`/d/${DIGEST}?streaming=off`);
    expect(toText(html.replaceAll("<!-- -->", ""))).toContain("29 min ago clock 3 h slow");
  });
});

describe("the frequency chart", () => {
  const oldIssue = { ...issue, firstSeenMs: NOW_MS - 20 * DAY_MS };

  it("has a bar for each day of its life, at most thirty, and ends today", () => {
    const days = [
      ["2026-10-22", 8],
      ["2026-10-23", 1],
      ["2026-11-21", 3],
    ] as const;
    const ancient = { ...issue, firstSeenMs: NOW_MS - 90 * DAY_MS, days };
    const { unit, series, fromMs } = computeFrequency(ancient, NOW_MS);
    const counts = series.server;
    expect([unit, counts.length, counts[0], counts.at(-1)]).toEqual(["day", 30, 1, 3]);
    expect(counts.reduce((sum, count) => sum + count)).toBe(4);
    expect(fromMs).toBe(Date.UTC(2026, 9, 23));
    const lengths = [3, 20].map((age) => {
      const young = { ...issue, firstSeenMs: NOW_MS - age * DAY_MS, days };
      return computeFrequency(young, NOW_MS).series.server.length;
    });
    expect(lengths).toEqual([14, 22]);
  });

  it.each([
    ["24h", "hour", 24, 7],
    ["7d", "day", 7, 12],
    ["14d", "day", 14, 12],
    ["30d", "day", 22, 16],
  ] as const)("shows the period %s of a longer life", (period, unit, length, total) => {
    const [days, hours] = [
      [
        ["2026-11-02", 4],
        ["2026-11-20", 5],
        ["2026-11-21", 7],
      ],
      [
        ["2026112017", 5],
        ["2026112117", 7],
      ],
    ] as const;
    const frequency = computeFrequency({ ...oldIssue, days, hours }, NOW_MS, undefined, period);
    expect([frequency.unit, frequency.series.server.length]).toEqual([unit, length]);
    expect(frequency.series.server.reduce((sum, count) => sum + count)).toBe(total);
  });

  it.each([
    ["24h", "Reports per day, last 7 days; none in 24 hours"],
    ["7d", "Reports per day, last 7 days"],
    ["14d", "Reports per day, last 14 days"],
  ] as const)("shows of %s the next period with a report, and says so", (period, caption) => {
    const seen = { ...oldIssue, days: [["2026-11-17", 3]], hours: [["2026111717", 3]] } as const;
    const html = renderToStaticMarkup(
      <ScopeContext value={{ period }}>
        <FrequencyChart issue={seen} nowMs={NOW_MS} />
      </ScopeContext>,
    );
    expect(html).toContain(`${caption}<`);
  });

  it("stacks the reports of browsers on those of servers; without the latter, all are of browsers", () => {
    const steps = { days: [["2026-11-21", 3]], lowerDays: [["2026-11-21", 40]] } as const;
    const mixed = computeFrequency({ ...oldIssue, ...steps }, NOW_MS).series;
    expect([mixed.server.at(-1), mixed.browser.at(-1)]).toEqual([3, 40]);
    const signed = computeFrequency({ ...oldIssue, ...steps, trust: "page" }, NOW_MS).series;
    expect([signed.server.at(-1), signed.browser.at(-1)]).toEqual([0, 43]);
  });

  it("has one bar per hour if the issue is younger than two days", () => {
    const hours = [["2026112117", 2]] as const;
    const young = { ...issue, count: 2, firstSeenMs: NOW_MS - 20 * HOUR_MS, hours };
    const { unit, series, toMs } = computeFrequency(young, NOW_MS);
    const counts = series.server;
    expect([unit, counts.length, counts.at(-1)]).toEqual(["hour", 22, 2]);
    expect(toMs).toBe(Date.UTC(2026, 10, 21, 18));
    expect(computeFrequency({ ...oldIssue, count: 2, hours }, NOW_MS).unit).toBe("day");
  });

  it("has one bar per minute in its first hour, while the times of all reports are known", () => {
    const { unit, series, toMs } = computeFrequency(issue, NOW_MS);
    expect([unit, series.server.length, series.server.indexOf(1)]).toEqual(["minute", 32, 1]);
    expect(toMs - NOW_MS).toBeLessThanOrEqual(60_000);
    const sampled = { ...issue, count: 9, hours: [["2026112117", 9]] as const };
    expect(computeFrequency(sampled, NOW_MS).unit).toBe("hour");
  });

  it("begins with the deploy that came before the issue, and marks no other application", () => {
    const firstRelease = "shop@1.4.0";
    const releases = { values: [[firstRelease, 1, NOW_MS, NOW_MS]], otherCount: 0 } as const;
    const atMs = issue.firstSeenMs - 40 * 60_000;
    const deploys = ["shop@1.4.0", "shop@1.3.9", "api@2.1.0", "1.0"].map((release, n) => ({
      ...{ release, environment: "production", atMs: atMs + n * 1_000 },
    }));
    const html = renderToStaticMarkup(
      <FrequencyChart
        issue={{ ...issue, firstRelease, releases }}
        deploys={deploys}
        nowMs={NOW_MS}
      />,
    );
    expect(html).toContain("Deploys: shop@1.4.0 to production, ");
    expect(html.match(/<line class="mark"/g)).toHaveLength(2);
    expect(html).not.toMatch(/api@|data-kind="release"/);
  });

  it.each([
    [0, []],
    [1, [1]],
    [2, [1, 2]],
    [7, [5]],
    [11, [5, 10]],
    [61, [50]],
    [104, [50, 100]],
    [1_001, [500, 1_000]],
    [9_999, [5_000]],
  ])("with a maximum of %i has lines at round counts below it: %j", (count, lines) => {
    expect(listScaleCounts(count, 2)).toEqual(lines);
  });

  it("marks the releases that were first seen within its range, and no others", () => {
    const releases: TopValues = {
      values: [
        ["1.4.0", 9, NOW_MS - DAY_MS, NOW_MS],
        ["1.3.0", 2, NOW_MS - 10 * DAY_MS, NOW_MS],
        ["1.0.0", 5, NOW_MS - 100 * DAY_MS, NOW_MS],
        ["9.9.9", 1, 1e300, 1e300],
      ],
      otherCount: 0,
    };
    const marks = listMarks({ releases }, [], computeFrequency(oldIssue, NOW_MS));
    expect(marks.map(({ name }) => name)).toEqual(["1.3.0", "1.4.0"]);
    const html = renderToStaticMarkup(
      <ScopeContext value={{ period: "30d" }}>
        <FrequencyChart
          issue={{ ...oldIssue, releases, days: [["2026-11-21", 11]] }}
          nowMs={NOW_MS}
        />
      </ScopeContext>,
    );
    expect(html).toContain(
      'aria-label="11 times in the last 22 days, at most 11 per day. Releases first seen: 1.3.0, 1.4.0."',
    );
    expect(html.match(/class="mark"/g)).toHaveLength(2);
    expect(html).toContain("21 Nov: <b>11 times</b>");
    expect(html).not.toContain("style=");
  });

  it("marks when the issue was resolved and regressed, or the last decision alone", () => {
    const frequency = computeFrequency(oldIssue, NOW_MS);
    const decision = { v: 2, state: "resolved", atMs: NOW_MS - DAY_MS } as const;
    const activity = [
      { action: "resolved", atMs: NOW_MS - 3 * DAY_MS },
      { action: "regressed", atMs: NOW_MS - 2 * DAY_MS },
      { action: "archived", atMs: NOW_MS - 2 * DAY_MS },
      { action: "resolved", atMs: NOW_MS - DAY_MS },
    ] as const;
    const listKinds = (marks: readonly ChartMark[]) => marks.map(({ kind }) => kind);
    expect(listKinds(listMarks({ decision }, activity, frequency))).toEqual([
      "resolved",
      "regressed",
      "resolved",
    ]);
    expect(listKinds(listMarks({ decision }, undefined, frequency))).toEqual(["resolved"]);
    const regressed = { v: 2, state: "open", atMs: 0, regressedAtMs: NOW_MS } as const;
    expect(listKinds(listMarks({ decision: regressed }, undefined, frequency))).toEqual([
      "regressed",
    ]);
  });

  it("has one stop of the Tab key, with a figure for each bar", () => {
    const days = [
      ["2026-11-20", 1],
      ["2026-11-21", 1_200],
    ] as const;
    const html = renderToStaticMarkup(
      <ScopeContext value={{ period: "30d" }}>
        <FrequencyChart issue={{ ...oldIssue, days }} nowMs={NOW_MS} />
      </ScopeContext>,
    );
    expect(html.match(/<input type="radio"[^>]* name="frequency"/g)).toHaveLength(2);
    expect(html).toContain("20 Nov: <b>1 time</b>");
    expect(html).toContain("21 Nov: <b>1,200 times</b>");
    const scale = [...html.matchAll(/class="scale"[^>]*>([^<]*)</g)].map(([, text]) => text);
    expect(scale).toEqual(["500", "1k times in 1 day"]);
  });

  it("labels the newest marks first", () => {
    const labels = placeMarkLabels([0.05, 0.5, 0.52, 0.9, 0.99].map(toMark), 0.2);
    expect(labels.map(({ position, isBefore }) => [position, isBefore])).toEqual([
      [0.99, true],
      [0.52, false],
      [0.5, true],
      [0.05, false],
    ]);
  });

  it("keeps the name of the newest of moments that are too close, and of one on a phone", () => {
    const marks = ["shop@2.3.0", "shop@2.4.0", "api@1.0.0", "shop@2.5.0"].map((name, n) => {
      return { kind: "deploy", name, position: [0.1, 0.5, 0.52, 0.96][n] ?? 0 } as const;
    });
    const width = ({ name }: ChartMark) => name.length / 100;
    const list = (maxLabels?: number) =>
      placeMarkLabels(marks, width, maxLabels).map(({ name }) => name);
    expect(list()).toEqual(["shop@2.5.0", "api@1.0.0", "shop@2.4.0", "shop@2.3.0"]);
    const close = marks.map((mark) => ({ ...mark, position: 0.9 + mark.position / 20 }));
    expect(placeMarkLabels(close, width).map(({ name }) => name)).toEqual(["shop@2.5.0"]);
    expect(list(1)).toEqual(["shop@2.5.0"]);
  });

  it("keeps every label in the chart, clear of other labels and of the lines of newer marks", () => {
    const position = fc.double({ min: 0, max: 1, noNaN: true });
    const width = fc.double({ min: 0.05, max: 0.4, noNaN: true });
    fc.assert(
      fc.property(fc.array(position, { maxLength: 12 }), width, (positions, share) => {
        const marks = positions.map(toMark);
        const spans = placeMarkLabels(marks, share).map(({ position: at, isBefore }) => ({
          at,
          start: isBefore ? at - share : at,
        }));
        for (const [n, { at, start }] of spans.entries()) {
          expect(start).toBeGreaterThanOrEqual(0);
          expect(start + share).toBeLessThanOrEqual(1);
          const crossed = positions.filter((one) => one > start && one < start + share);
          expect(crossed.filter((one) => one > at)).toEqual([]);
          const near = spans.slice(n + 1).filter((one) => Math.abs(one.start - start) < share);
          expect(near.filter((one) => Math.abs(one.start - start) < share - 1e-9)).toEqual([]);
        }
      }),
    );
  });

  function toMark(position: number): ChartMark {
    return { kind: "release", name: `at ${position}`, position };
  }
});

describe("the most frequent values of an issue", () => {
  const topValues: TopValues = {
    values: [['a "b"', 3, 1, 1], ...[1, 2, 3, 4, 5].map(otherValue)],
    otherCount: 2,
  };
  function otherValue(n: number) {
    return [`other ${n}`, 1, 1, 1] as const;
  }

  it("are shown with their shares and links to matching issues; the other values are summed", () => {
    const html = renderToStaticMarkup(<TopValueList topValues={topValues} filter="release" />);
    expect(html).toContain(`href="/issues?${new URLSearchParams({ q: 'release:"a ""b"""' })}"`);
    expect(html).toContain('<rect class="part" y="3" width="30" height="5"');
    expect(renderText(<TopValueList topValues={topValues} />)).toContain(
      "3 times with other values",
    );
    expect(html).not.toMatch(/<meter|style=/);
  });
});

describe("the report from the other side", () => {
  const server = summarizeReport(createReport(1), "p");
  const browser = { ...summarizeReport(createReport(2, { side: "browser", isLinked: true }), "p") };
  const notice = {
    ...summarizeReport(createReport(3, { side: "browser", isLinked: true, kind: "notice" }), "p"),
  };
  const feedback = { ...notice, id: toReportId(4), kind: "feedback" } as const;

  it.each([
    {
      name: "the browser's error, which precedes the notice",
      latest: [notice, server, browser],
      expectedId: 2,
    },
    { name: "the notice if there is no error", latest: [feedback, notice, server], expectedId: 3 },
    {
      name: "the server's error if the browser's error is open",
      latest: [server, browser],
      open: 2,
      expectedId: 1,
    },
    {
      name: "none if all reports are from one side",
      latest: [server, { ...server, id: toReportId(9) }],
    },
    { name: "none for feedback", latest: [feedback, server] },
    {
      name: "none for a report that is no longer in the list",
      latest: [server, browser],
      open: 8,
    },
    { name: "none without reports", latest: [] },
  ])("is $name", ({ latest, open, expectedId }) => {
    const other = findCounterpart(
      { latestReports: latest },
      open === undefined ? undefined : toReportId(open),
    );
    expect(other?.id).toBe(expectedId === undefined ? undefined : toReportId(expectedId));
  });

  it("is shown next to the open report, with its newest frames", async () => {
    const frames = [{ function: "hydrateCart", file: "https://a.example/app.js", inApp: true }];
    await log.append([
      createReport(1),
      createReport(2, {
        side: "browser",
        isLinked: true,
        message: "the message of the browser",
        frames,
      }),
    ]);
    const body = await readPage();
    expect(body).toMatch(/In the browser.*the message of the browser.*hydrateCart.*app\.js/s);
    expect(await readPage(`/d/${DIGEST}?report=${toReportId(2)}`)).toMatch(/On the server/);
  });
});

describe("the activity list", () => {
  const renderActivity = (...activity: readonly ActivityEntry[]) => {
    const annotations: Annotations = { v: 2, activity };
    return renderText(
      <ActivityTimeline issue={issue} annotations={annotations} nowMs={NOW_MS} />,
    ).split("\n");
  };

  it.each<readonly [ActivityEntry, string]>([
    [{ atMs: NOW_MS, action: "assigned", to: "Ada", by: "Ben" }, "Assigned to Ada by Ben just now"],
    [{ atMs: NOW_MS, action: "assigned", to: "Ada", by: "Ada" }, "Taken by Ada just now"],
    [{ atMs: NOW_MS, action: "unassigned" }, "Unassigned just now"],
    [{ atMs: NOW_MS, action: "opened" }, "Reopened just now"],
    [{ atMs: NOW_MS, action: "archived" }, "Archived just now"],
    [{ atMs: NOW_MS, action: "resolved" }, "Resolved just now"],
    [{ atMs: NOW_MS, action: "resolved", release: "1.4.0" }, "Resolved in 1.4.0 just now"],
    [
      { atMs: NOW_MS, action: "resolved", inNextRelease: true },
      "Resolved in the next release just now",
    ],
    [
      { atMs: NOW_MS, action: "snoozed", untilEscalation: true },
      "Snoozed until it escalates just now",
    ],
    [
      { atMs: NOW_MS, action: "snoozed", untilMs: NOW_MS + HOUR_MS },
      "Snoozed until 18:30 UTC just now",
    ],
    [{ atMs: NOW_MS, action: "snoozed", untilCount: 100 }, "Snoozed until seen 100 times just now"],
    [
      { atMs: NOW_MS, action: "snoozed", untilNextRelease: true, afterRelease: "1.4.0" },
      "Snoozed until a release after 1.4.0 just now",
    ],
    [
      {
        ...{ atMs: NOW_MS, action: "returned", endedBy: "escalation" },
        ...{ endedValue: 120, endedUsual: 4.2 },
      },
      "Snooze ended: it escalates, 120 in an hour, usually 4.2 just now",
    ],
    [{ atMs: NOW_MS, action: "regressed", release: "1.4.0" }, "Regressed in 1.4.0 just now"],
    [{ atMs: NOW_MS, action: "merged", from: "0000-0000" }, "Merged 0000-0000 just now"],
    [{ atMs: NOW_MS, action: "split", digest: "0000-0000" }, "Split off 0000-0000 just now"],
    [
      { atMs: NOW_MS, action: "linked", label: "acme/shop#12", by: "Ada" },
      "Linked to acme/shop#12 by Ada just now",
    ],
    [
      { atMs: NOW_MS, action: "unlinked", label: "acme/shop#12" },
      "Unlinked from acme/shop#12 just now",
    ],
  ])("shows a sentence for %j", (entry, sentence) => {
    expect(renderActivity(entry)).toEqual([sentence, "First seen 29 min ago"]);
  });

  it("shows the newest entry first, and folds all but the newest twenty", () => {
    const many = Array.from({ length: 30 }, (_, n): ActivityEntry => {
      return { atMs: NOW_MS, action: "assigned", to: `n${n}` };
    });
    const lines = renderActivity(...many);
    expect(lines[0]).toContain("n29");
    expect(lines.join(" ")).toContain("10 earlier");
    expect(lines.at(-1)).toContain("First seen");
  });
});

describe("the code that the visitor saw", () => {
  const captures = import.meta.glob<string>("../../../../fixtures/next.*.json", {
    query: "?raw",
    import: "default",
    eager: true,
  });
  /** The captured report of a Next.js failure, and the code that its page showed. */
  const readCapture = (name: string) => {
    const file = captures[`../../../../fixtures/next.${name}.json`] ?? "";
    return JSON.parse(file) as { digestInHtmlSource: string; onRequestError: object };
  };
  const send = (body: object) =>
    visit("/monitoring", { method: "POST", body: JSON.stringify(body) });
  const reportNotice = (digest: string, at: number) =>
    send({ errata: 1, how: "notice", digest, at });
  const readCompletePage = (digest = DIGEST) => readPage(`/d/${digest}?streaming=off`);
  const findShownCode = (html: string) =>
    /(?:Notice|Code) on the visitor’s screen.*?<code>([^<]*)</s.exec(html)?.[1];
  const findAliases = (html: string) => {
    const codes = /class="aliases-line".*?<\/p>/s.exec(html)?.[0] ?? "";
    return codes.replace(/^[^>]*>|<!--.*?-->|<[^>]*>/g, "");
  };

  it.each([["no-boundary-global-error"], ["server-component-with-error-boundary"]])(
    "is Next.js' own code, which is also shown next to the digest: %s",
    async (name) => {
      const { digestInHtmlSource: code, onRequestError } = readCapture(name);
      await send(onRequestError);
      const [issue] = (await projectStore.listNewestIssues()).issues;
      const before = await readCompletePage(issue?.digest);
      expect([findShownCode(before), findAliases(before)]).toEqual([undefined, `also ${code}`]);
      await reportNotice(`${code}@E394`, NOW_MS);
      const html = await readCompletePage(issue?.digest);
      // A framework shows its code in words of its own.
      expect(html).not.toContain("Notice on the visitor");
      expect([findShownCode(html), findAliases(html)]).toEqual([code, `also ${code}`]);
    },
  );

  it("is our digest once a notice with the digest was reported", async () => {
    const { digestInHtmlSource: code, onRequestError } = readCapture("no-boundary-global-error");
    await send(onRequestError);
    const digest = (await projectStore.listNewestIssues()).issues[0]?.digest ?? "";
    await reportNotice(digest, NOW_MS - 5_000);
    await reportNotice(code, NOW_MS);
    expect(findShownCode(await readCompletePage(digest))).toBe(digest);
  });

  it("is the newest of several codes, and three of them are shown next to the digest", async () => {
    const codes = ["1740730974", "1740730975", "1740730976", "1740730977", "1740730978"];
    for (const [n, code] of codes.entries()) {
      await log.append([createReport(n, { aliases: [code] })]);
      await projectStore.listNewestIssues();
      await reportNotice(code, NOW_MS - 50_000 + n * 1_000);
    }
    const html = await readCompletePage();
    expect(findShownCode(html)).toBe("1740730978");
    expect(findAliases(html)).toBe("also 1740730978 1740730977 1740730976 2 more");
    expect(html).toContain('<a href="#aliases">');
    expect(html).toContain('<section id="aliases">');
  });

  it("is omitted if no notice was reported", async () => {
    await log.append([createReport(1)]);
    const html = await readCompletePage();
    expect([findShownCode(html), findAliases(html)]).toEqual([undefined, ""]);
  });
});

describe("the page begins with what answers first, and", () => {
  const never = () => new Promise<never>(() => undefined);
  const countHeadings = (html: string) =>
    html.match(/<h1 [^>]*>(?:(?!<\/h1>).)*the price of the cart is missing</gs)?.length ?? 0;

  it("shows the current issue once if KV is slow", async () => {
    await log.append([createReport(1)]);
    const html = await readPage(`/d/${DIGEST}`, { getIssue: never });
    expect(html).toContain("</html>");
    expect(countHeadings(html)).toBe(1);
    expect(html).not.toContain("<div hidden id=");
  });

  it("shows the snapshot at once if the index is slow, then the current issue", async () => {
    await log.append([createReport(1)]);
    const copy = (await projectStore.getFreshIssue(DIGEST)) as Issue;
    const index = Promise.withResolvers<void>();
    const { responding, ctx } = startVisit(`/d/${DIGEST}`, {
      services: {
        projectStore: replaceMethods(projectStore, {
          getIssue: async () => ({ ...copy, message: "as copied" }),
          getCurrentIssue: async (digest) => {
            await index.promise;
            return projectStore.getCurrentIssue(digest);
          },
        }),
      },
    });
    const reader = (await responding).body?.pipeThrough(new TextDecoderStream()).getReader();
    const shell = (await reader?.read())?.value ?? "";
    expect([shell.includes("as copied</"), countHeadings(shell)]).toEqual([true, 0]);
    index.resolve();
    let rest = "";
    for (let part = await reader?.read(); part?.done === false; part = await reader?.read())
      rest += part.value;
    expect([rest.includes("as copied</"), countHeadings(rest)]).toEqual([false, 1]);
    await waitOnExecutionContext(ctx);
  });
});

describe("while the index is unavailable", () => {
  const unavailable = () => Promise.reject(new Error("unavailable"));

  it("the page shows the snapshot with its age, and states that no data is lost", async () => {
    await log.append([createReport(1)]);
    const copy = (await projectStore.getFreshIssue(DIGEST)) as Issue;
    const readSnapshot = async () => ({ ...copy, asOfMs: NOW_MS - 60_000 });
    const { body, response, logged } = await visit(`/d/${DIGEST}`, {
      services: {
        projectStore: replaceMethods(projectStore, {
          getIssue: readSnapshot,
          getCurrentIssue: unavailable,
        }),
      },
    });
    expect(response.status).toBe(200);
    expect(body).toContain("the price of the cart is missing");
    expect(body.replaceAll("<!-- -->", "")).toMatch(
      /The index is temporarily unavailable\. This is the issue as of <time[^>]*>1 min ago/,
    );
    expect(body).toContain("Activity is temporarily unavailable. No data is lost.");
    expect(body).toContain("Similar issues are temporarily unavailable.");
    expect(logged).toEqual([]);
  });

  it("JSON has null for the annotations, and Markdown is complete", async () => {
    await log.append([createReport(1)]);
    expect(
      JSON.parse(await readPage(`/d/${DIGEST}.json`, { getAnnotations: unavailable })).annotations,
    ).toBeNull();
    expect(await readPage(`/d/${DIGEST}.md`, { getAnnotations: unavailable })).toContain(
      "## Stack",
    );
  });
});

describe("the Markdown of an issue", () => {
  it("is served for .md and by Accept, with the newest report or the requested one", async () => {
    await log.append([
      createReport(1, { message: "the first" }),
      createReport(2, { message: "the second" }),
    ]);
    const { response, body } = await visit(`/d/${DIGEST}.md`);
    expect(response.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
    expect(body).toContain(`<http://localhost:8787/d/${DIGEST}>`);
    expect(body).toContain("the second");
    const accept = { headers: { accept: "text/markdown" } };
    expect((await visit(`/d/${DIGEST}`, accept)).body).toBe(body);
    expect(await readPage(`/d/${DIGEST}.md?report=${toReportId(1)}`)).toContain(
      "TypeError: the first",
    );
    const unknown = await visit(`/d/${DIGEST}.md?report=${toReportId(9)}`);
    expect(unknown.response.status).toBe(404);
  });

  it("is refused for an unknown digest, in JSON", async () => {
    const { response, body } = await visit("/d/0000-0000.md");
    expect([response.status, JSON.parse(body).reason]).toEqual([404, "unknown-digest"]);
  });

  it.each([
    { page: "", text: "TypeError: the second" },
    { page: `?report=${toReportId(1)}`, text: "TypeError: the first" },
    { page: `?report=${toReportId(1)}&raw=1`, text: "TypeError: the first" },
  ])("is at the URL that the button of the page $page copies", async ({ page, text }) => {
    const frames = [{ file: "https://shop.example/cart.js", line: 1, column: 1, inApp: true }];
    await log.append([
      createReport(1, { message: "the first", frames }),
      createReport(2, { message: "the second", frames }),
    ]);
    const urls: string[] = [];
    const rewriter = new HTMLRewriter().on("[data-copy-url]", {
      element: (element) => void urls.push(element.getAttribute("data-copy-url") ?? ""),
    });
    await rewriter.transform(new Response(await readPage(`/d/${DIGEST}${page}`))).text();
    const url = urls.map((one) => one.replaceAll("&amp;", "&"))[0] ?? "";
    expect(await readPage(url)).toContain(text);
    expect(url.endsWith("&raw=1")).toBe(page.endsWith("&raw=1"));
  });
});

describe("an issue with little data", () => {
  it.each([
    { name: "no stack", report: createReport(1), text: "This report has no stack trace." },
    {
      name: "no message",
      report: createReport(1, { message: "" }),
      text: "(no message)",
    },
    {
      name: "only browsers' reports",
      report: createReport(1, { isLinked: true, side: "browser", kind: "notice" }),
      text: "Only browsers have reported this digest",
    },
  ])("has a text for $name", async ({ report, text }) => {
    await log.append([report]);
    expect(await readPage()).toContain(text);
  });

  it("copies identifiers for agents, and no text that a report could have", async () => {
    const report = {
      type: "CANARY",
      message: "CANARY",
      release: "CANARY",
      tags: [["CANARY", "a"]],
    };
    await log.append([createReport(1, report as never)]);
    const [, text = ""] = /data-copy="(Fix[^"]*)"/.exec(await readPage()) ?? [];
    expect(text).toBe(
      `Fix the issue 7F3K-Q2M9 of Errata: call get_investigation of the MCP server errata with digest 7F3K-Q2M9 and report ${toReportId(1)}.`,
    );
  });

  describe("without the contents of its report", () => {
    const readLost = async (ageDays: number, entries: readonly object[] = []) => {
      await log.append([createReport(1)]);
      const { atMs = 0 } = (await projectStore.getFreshIssue(DIGEST))?.latestReports[0] ?? {};
      const nowMs = () => atMs + ageDays * DAY_MS;
      const client = createRegistryClient({ ...bindings }, { nowMs, waitUntil: () => undefined });
      const registry = replaceMethods(client, { listAuditEntries: async () => entries as never });
      const { body } = await visit(`/d/${DIGEST}?streaming=off`, {
        services: {
          ...{ nowMs, registry },
          projectStore: replaceMethods(projectStore, { readReport: async () => null }),
        },
      });
      return toText(body);
    };
    const erased = (atMs: number) => [
      { sequence: 1, atMs, by: "Ada", action: "erasures.start", outcome: "done" },
    ];

    it("says that they have expired only if the report is old enough", async () => {
      expect(await readLost(31)).toContain("have expired: Errata keeps them for at least 30 days");
      expect(await readLost(1)).toContain("are missing, although Errata keeps them");
    });

    it("says that they were erased if the report is too young to have expired", async () => {
      const text = await readLost(1, erased(NOW_MS + DAY_MS));
      expect(text).toContain("report were erased: the last erasure of a text from this project");
      expect(text).not.toContain("expired");
      expect(await readLost(31, erased(NOW_MS + DAY_MS))).toContain("have expired, because");
    });

    it("offers no copy of them", async () => {
      expect(await readLost(1)).not.toContain("Copy as Markdown");
    });
  });
});
