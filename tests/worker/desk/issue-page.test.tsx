import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, describe, expect, it } from "vitest";
import { aggregateReport } from "../../../src/core/issue/aggregate-report.ts";
import type { Annotations, ActivityEntry as Done } from "../../../src/core/issue/annotations.ts";
import type { Issue } from "../../../src/core/issue/issue.ts";
import { findCounterpart } from "../../../src/core/issue/related-reports.ts";
import type { TopValues } from "../../../src/core/issue/top-values.ts";
import type { ProjectStore } from "../../../src/core/ports/storage-ports.ts";
import { summarizeReport } from "../../../src/core/report/report-summary.ts";
import { ActivityTimeline } from "../../../src/ui/issue/activity/activity.tsx";
import {
  computeFrequency,
  listReleaseTicks,
  placeTickLabels,
  type ReleaseTick,
  roundUpAxisMax,
} from "../../../src/ui/issue/frequency/frequency.ts";
import { FrequencyChart } from "../../../src/ui/issue/frequency/frequency-chart.tsx";
import { TopValueList } from "../../../src/ui/issue/sidebar/top-value-list.tsx";
import { visit } from "../../support/app.ts";
import { fresh } from "../../support/fresh.ts";
import { aReport, reportId } from "../../support/reports.ts";
import { desk, log, NOW_MS } from "../../support/store.ts";

afterEach(() => fresh());

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const DIGEST = "7F3K-Q2M9";

const issue = aggregateReport(undefined, summarizeReport(aReport(1), "p"), NOW_MS);
const textOf = (node: ReactNode) =>
  renderToStaticMarkup(node)
    .replace(/<\/p>/g, "\n")
    .replace(/<[^>]*>/g, "")
    .trim();
const page = async (path = `/d/${DIGEST}`, over: Partial<ProjectStore> = {}) =>
  (await visit(path, { services: { projectStore: { ...desk, ...over } } })).body;

it("shows whom it happened to and what the application said, as text, and folds what SDKs always say", async () => {
  const detail = {
    user: { id: "u42", email: "<b>ada</b>" },
    contexts: { cart: { items: 3 }, os: { name: "Linux" } },
  };
  await log.append([aReport(1, { detail, level: "fatal" })]);
  const html = await page(`/d/${DIGEST}?streaming=off`);
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

describe("how often it happened over time", () => {
  const old = { ...issue, firstSeenMs: NOW_MS - 20 * DAY_MS };

  it("is told by the day, thirty of them, the last one today", () => {
    const days = [
      ["2026-10-22", 8],
      ["2026-10-23", 1],
      ["2026-11-21", 3],
    ] as const;
    const { unit, counts, fromMs } = computeFrequency({ ...old, days }, NOW_MS);
    expect([unit, counts.length, counts[0], counts.at(-1)]).toEqual(["day", 30, 1, 3]);
    expect(counts.reduce((sum, count) => sum + count)).toBe(4);
    expect(fromMs).toBe(Date.UTC(2026, 9, 23));
  });

  it("is told by the hour while the issue is younger than two days", () => {
    const hours = [["2026112117", 2]] as const;
    const { unit, counts, toMs } = computeFrequency({ ...issue, hours }, NOW_MS);
    expect([unit, counts.length, counts.at(-1)]).toEqual(["hour", 48, 2]);
    expect(toMs).toBe(Date.UTC(2026, 10, 21, 18));
    expect(computeFrequency({ ...old, hours }, NOW_MS).unit).toBe("day");
  });

  it.each([
    [0, 1],
    [1, 1],
    [7, 8],
    [9, 10],
    [11, 20],
    [61, 80],
    [100, 100],
    [1_001, 2_000],
    [9_999, 10_000],
  ])("%i stands below a top of %i", (count, top) => {
    expect(roundUpAxisMax(count)).toBe(top);
  });

  it("marks the releases that were first seen within it, and no other", () => {
    const releases: TopValues = {
      values: [
        ["1.4.0", 9, NOW_MS - DAY_MS, NOW_MS],
        ["1.3.0", 2, NOW_MS - 10 * DAY_MS, NOW_MS],
        ["1.0.0", 5, NOW_MS - 100 * DAY_MS, NOW_MS],
        ["9.9.9", 1, 1e300, 1e300],
      ],
      otherCount: 0,
    };
    const ticks = listReleaseTicks(releases, computeFrequency(old, NOW_MS));
    expect(ticks.map(({ name }) => name)).toEqual(["1.3.0", "1.4.0"]);
    const html = renderToStaticMarkup(
      <FrequencyChart issue={{ ...old, releases, days: [["2026-11-21", 11]] }} nowMs={NOW_MS} />,
    );
    expect(html).toContain(
      'aria-label="11 times in the last 30 days, at most 11 per day. Releases first seen: 1.3.0, 1.4.0."',
    );
    expect(html.match(/class="tick"/g)).toHaveLength(2);
    expect(html).toContain("<title>21 Nov: 11 times</title>");
    expect(html).not.toContain("style=");
  });

  it("labels what has room, the newest first, and never over another label", () => {
    const tick = (at: number): ReleaseTick => ({ name: `at ${at}`, firstMs: at, position: at });
    const labels = placeTickLabels([0.05, 0.5, 0.52, 0.9, 0.99].map(tick), 0.2);
    expect(labels.map(({ position, isBefore }) => [position, isBefore])).toEqual([
      [0.99, true],
      [0.52, false],
      [0.5, true],
      [0.05, false],
    ]);
  });
});

describe("what an issue's occurrences have in common", () => {
  const tops: TopValues = {
    values: [['a "b"', 3, 1, 1], ...[1, 2, 3, 4, 5].map(others)],
    otherCount: 2,
  };
  function others(n: number) {
    return [`other ${n}`, 1, 1, 1] as const;
  }

  it("shows each value with its share, leads to the issues that have it, and sums the rest", () => {
    const html = renderToStaticMarkup(<TopValueList topValues={tops} filter="release" />);
    expect(html).toContain(`href="/issues?${new URLSearchParams({ q: 'release:"a ""b"""' })}"`);
    expect(html).toContain('<rect width="14" height="6"');
    expect(textOf(<TopValueList topValues={tops} />)).toContain("3 times with other values");
    expect(html).not.toMatch(/<meter|style=/);
  });
});

describe("the other side", () => {
  const server = summarizeReport(aReport(1), "p");
  const browser = { ...summarizeReport(aReport(2, { side: "browser", isLinked: true }), "p") };
  const notice = {
    ...summarizeReport(aReport(3, { side: "browser", isLinked: true, kind: "notice" }), "p"),
  };
  const written = { ...notice, id: reportId(4), kind: "feedback" } as const;

  it.each([
    { name: "the browser's error before the notice", latest: [notice, server, browser], is: 2 },
    { name: "the notice where there is no other", latest: [written, notice, server], is: 3 },
    { name: "the server's beside an open browser's", latest: [server, browser], open: 2, is: 1 },
    { name: "none of one side alone", latest: [server, { ...server, id: reportId(9) }] },
    { name: "none beside what a person wrote", latest: [written, server] },
    {
      name: "none beside a report that is too old to be named",
      latest: [server, browser],
      open: 8,
    },
    { name: "none of nothing", latest: [] },
  ])("is $name", ({ latest, open, is }) => {
    const other = findCounterpart(
      { latestReports: latest },
      open === undefined ? undefined : reportId(open),
    );
    expect(other?.id).toBe(is === undefined ? undefined : reportId(is));
  });

  it("stands beside the open report, with its newest frames", async () => {
    const frames = [{ function: "hydrateCart", file: "https://a.example/app.js", inApp: true }];
    await log.append([
      aReport(1),
      aReport(2, { side: "browser", isLinked: true, message: "what the browser said", frames }),
    ]);
    const body = await page();
    expect(body).toMatch(/In the browser.*what the browser said.*hydrateCart.*app\.js/s);
    expect(await page(`/d/${DIGEST}?report=${reportId(2)}`)).toMatch(/On the server/);
  });
});

describe("activity", () => {
  const said = (...activity: readonly Done[]) => {
    const notes: Annotations = { v: 1, activity };
    return textOf(<ActivityTimeline issue={issue} annotations={notes} nowMs={NOW_MS} />).split(
      "\n",
    );
  };

  it.each<readonly [Done, string]>([
    [{ atMs: NOW_MS, action: "assigned", to: "Ada", by: "Ben" }, "Assigned to Ada by Ben just now"],
    [{ atMs: NOW_MS, action: "unassigned" }, "Unassigned just now"],
    [{ atMs: NOW_MS, action: "opened" }, "Reopened just now"],
    [{ atMs: NOW_MS, action: "muted" }, "Muted just now"],
    [{ atMs: NOW_MS, action: "resolved" }, "Resolved just now"],
    [{ atMs: NOW_MS, action: "resolved", release: "1.4.0" }, "Resolved in 1.4.0 just now"],
    [
      { atMs: NOW_MS, action: "resolved", inNextRelease: true },
      "Resolved in the next release just now",
    ],
    [{ atMs: NOW_MS, action: "ignored" }, "Ignored just now"],
    [
      { atMs: NOW_MS, action: "ignored", untilMs: NOW_MS + HOUR_MS },
      "Ignored until 18:30 UTC just now",
    ],
    [{ atMs: NOW_MS, action: "ignored", untilCount: 100 }, "Ignored until seen 100 times just now"],
    [{ atMs: NOW_MS, action: "regressed", release: "1.4.0" }, "Regressed in 1.4.0 just now"],
    [{ atMs: NOW_MS, action: "merged", from: "0000-0000" }, "Merged 0000-0000 just now"],
    [{ atMs: NOW_MS, action: "split", digest: "0000-0000" }, "Split off 0000-0000 just now"],
  ])("says %j", (done, sentence) => {
    expect(said(done)).toEqual([sentence, "First seen 29 min ago"]);
  });

  it("has the newest first, and folds what is older than twenty", () => {
    const many = Array.from({ length: 30 }, (_, n): Done => {
      return { atMs: NOW_MS, action: "assigned", to: `n${n}` };
    });
    const lines = said(...many);
    expect(lines[0]).toContain("n29");
    expect(lines.join(" ")).toContain("10 earlier");
    expect(lines.at(-1)).toContain("First seen");
  });
});

describe("what the visitor saw", () => {
  const captures = import.meta.glob<string>("../../fixtures/next.*.json", {
    query: "?raw",
    import: "default",
    eager: true,
  });
  /** What Next.js' server said of a failure whose page showed a code, as both were captured. */
  const captured = (name: string) => {
    const file = captures[`../../fixtures/next.${name}.json`] ?? "";
    return JSON.parse(file) as { digestInHtmlSource: string; onRequestError: object };
  };
  const send = (body: object) =>
    visit("/monitoring", { method: "POST", body: JSON.stringify(body) });
  const shown = (digest: string, at: number) => send({ errata: 1, how: "notice", digest, at });
  const now = (digest = DIGEST) => page(`/d/${digest}?streaming=off`);
  const exhibit = (html: string) => /What the visitor saw.*?<code>([^<]*)</s.exec(html)?.[1];
  const alsoKnown = (html: string) => {
    const codes = /class="aliases-line".*?<\/p>/s.exec(html)?.[0] ?? "";
    return codes.replace(/^[^>]*>|<!--.*?-->|<[^>]*>/g, "");
  };

  it.each([["no-boundary-global-error"], ["server-component-with-error-boundary"]])(
    "is Next.js' own code, and that stands beside the digest too: %s",
    async (name) => {
      const { digestInHtmlSource: code, onRequestError } = captured(name);
      await send(onRequestError);
      const [issue] = (await desk.listNewestIssues()).issues;
      const before = await now(issue?.digest);
      expect([exhibit(before), alsoKnown(before)]).toEqual([undefined, `also ${code}`]);
      await shown(`${code}@E394`, NOW_MS);
      const html = await now(issue?.digest);
      expect([exhibit(html), alsoKnown(html)]).toEqual([code, `also ${code}`]);
    },
  );

  it("is our digest as soon as one was shown that", async () => {
    const { digestInHtmlSource: code, onRequestError } = captured("no-boundary-global-error");
    await send(onRequestError);
    const digest = (await desk.listNewestIssues()).issues[0]?.digest ?? "";
    await shown(digest, NOW_MS - 5_000);
    await shown(code, NOW_MS);
    expect(exhibit(await now(digest))).toBe(digest);
  });

  it("is the newest of several codes, and three of them stand beside the digest", async () => {
    const codes = ["1740730974", "1740730975", "1740730976", "1740730977", "1740730978"];
    for (const [n, code] of codes.entries()) {
      await log.append([aReport(n, { aliases: [code] })]);
      await desk.listNewestIssues();
      await shown(code, NOW_MS - 50_000 + n * 1_000);
    }
    const html = await now();
    expect(exhibit(html)).toBe("1740730978");
    expect(alsoKnown(html)).toBe("also 1740730978 1740730977 1740730976 2 more");
    expect(html).toContain('<a href="#aliases">');
    expect(html).toContain('<section id="aliases">');
  });

  it("is nothing, and no code stands there, where nobody has said so", async () => {
    await log.append([aReport(1)]);
    const html = await now();
    expect([exhibit(html), alsoKnown(html)]).toEqual([undefined, ""]);
  });
});

describe("while the index is away", () => {
  const away = () => Promise.reject(new Error("away"));

  it("the page shows the copy, says how old it is, and that nothing of what was said is lost", async () => {
    await log.append([aReport(1)]);
    const copy = (await desk.getFreshIssue(DIGEST)) as Issue;
    const known = async () => ({ ...copy, asOfMs: NOW_MS - 60_000 });
    const { body, response, logged } = await visit(`/d/${DIGEST}`, {
      services: {
        projectStore: {
          ...desk,
          getIssue: known,
          getFreshIssue: known,
          getAnnotations: away,
          listSimilarIssues: away,
        },
      },
    });
    expect(response.status).toBe(200);
    expect(body).toContain("the price of the cart is missing");
    expect(body.replaceAll("<!-- -->", "")).toMatch(
      /The index is temporarily unavailable\. The issue as of <time[^>]*>1 min ago/,
    );
    expect(body).toContain("Activity is temporarily unavailable. No data is lost.");
    expect(body).toContain("Similar issues are temporarily unavailable.");
    expect(logged).toEqual([]);
  });

  it("JSON has no notes rather than wrong ones, and Markdown is whole", async () => {
    await log.append([aReport(1)]);
    expect(
      JSON.parse(await page(`/d/${DIGEST}.json`, { getAnnotations: away })).annotations,
    ).toBeNull();
    expect(await page(`/d/${DIGEST}.md`, { getAnnotations: away })).toContain("## Stack");
  });
});

describe("Markdown", () => {
  it("is sent by .md and by Accept, of the newest report or of the one that is asked for", async () => {
    await log.append([aReport(1, { message: "the first" }), aReport(2, { message: "the second" })]);
    const { response, body } = await visit(`/d/${DIGEST}.md`);
    expect(response.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
    expect(body).toContain(`<http://localhost:8787/d/${DIGEST}>`);
    expect(body).toContain("the second");
    const accept = { headers: { accept: "text/markdown" } };
    expect((await visit(`/d/${DIGEST}`, accept)).body).toBe(body);
    expect(await page(`/d/${DIGEST}.md?report=${reportId(1)}`)).toContain("TypeError: the first");
    const unknown = await visit(`/d/${DIGEST}.md?report=${reportId(9)}`);
    expect(unknown.response.status).toBe(404);
  });

  it("of an unknown digest is refused in JSON", async () => {
    const { response, body } = await visit("/d/0000-0000.md");
    expect([response.status, JSON.parse(body).reason]).toEqual([404, "unknown-digest"]);
  });

  it("is what the page's button copies", async () => {
    await log.append([aReport(1)]);
    const copies: string[] = [];
    const reading = new HTMLRewriter().on("[data-copy]", {
      element: (element) => void copies.push(element.getAttribute("data-copy") ?? ""),
    });
    await reading.transform(new Response(await page())).text();
    const markdown = await page(`/d/${DIGEST}.md`);
    const written = markdown.replaceAll("<", "&lt;").replaceAll(">", "&gt;");
    expect(copies).toContain(written);
  });
});

describe("an issue of which little is known", () => {
  it.each([
    { name: "no stack", report: aReport(1), says: "This report has no stack trace." },
    {
      name: "no message",
      report: aReport(1, { message: "" }),
      says: "(no message)",
    },
    {
      name: "only browsers' reports",
      report: aReport(1, { isLinked: true, side: "browser", kind: "notice" }),
      says: "Only browsers have reported this digest",
    },
  ])("with $name says so", async ({ report, says }) => {
    await log.append([report]);
    expect(await page()).toContain(says);
  });

  it("without its bodies still shows what is counted", async () => {
    await log.append([aReport(1)]);
    const body = await page(undefined, { readReport: async () => null });
    expect(body).toContain("The contents of this report have expired");
    expect(body).toContain("Copy as Markdown");
  });
});
