import type { ReactNode } from "react";
import { renderToReadableStream, renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import type { Annotations } from "#src/core/issue/annotations.ts";
import type { Issue, IssueSummary } from "#src/core/issue/issue.ts";
import { parseIssueQuery } from "#src/core/issue/issue-query.ts";
import type { TopValues } from "#src/core/issue/top-values.ts";
import type { AttentionReason } from "#src/core/overview/attention.ts";
import type { ReportSummary } from "#src/core/report/report-summary.ts";
import type { Report } from "#src/core/report.ts";
import { createCodeFinder } from "#src/core/repositories/source-link.ts";
import type { Symbolication } from "#src/core/symbolication/report/original-stack.ts";
import { HOUR_MS } from "#src/core/utc-time.ts";
import { ENGLISH } from "#src/core/visitors/english.ts";
import { FailurePage } from "#src/ui/failure/failure-page.tsx";
import { Notice } from "#src/ui/failure/notice.tsx";
import { HomePage } from "#src/ui/home/home-page.tsx";
import { IssuePage } from "#src/ui/issue/issue-page.tsx";
import { IssuesPage } from "#src/ui/issues/issues-page.tsx";
import { Layout } from "#src/ui/layout/layout.tsx";
import { MatchesPage } from "#src/ui/lookup/matches-page.tsx";
import { UnknownCodePage } from "#src/ui/lookup/unknown-code-page.tsx";
import { ReceiptPage } from "#src/ui/receipt/receipt-page.tsx";
import { SelfTestPage } from "#src/ui/setup/self-test-page.tsx";
import { SourceMapsPage } from "#src/ui/source-maps/source-maps-page.tsx";
import { UploadPage } from "#src/ui/source-maps/upload-page.tsx";

const SENTENCE =
  "Application error: a client-side exception has occurred (see the browser console for more information)";
const DIGEST = "7F3K-Q2M9";
const NOW_MS = Date.UTC(2026, 10, 21, 12);

describe("the notice", () => {
  it("reads as the sentence and the digest on its own line", () => {
    const lines = listLines(renderToStaticMarkup(<Notice digest={DIGEST} reportId="r" />));
    expect(lines.slice(0, 2)).toEqual([SENTENCE, `Digest: ${DIGEST}`]);
  });

  it("is only the sentence if the server did not fail", () => {
    expect(listLines(renderToStaticMarkup(<Notice />))).toEqual([SENTENCE]);
  });

  it("is an alert with its digest and report as data attributes", () => {
    const html = renderToStaticMarkup(<Notice digest={DIGEST} reportId="r" />);
    expect(html).toMatch(/^<div [^>]*role="alert"/);
    expect(html).toContain(`data-notice="" data-digest="${DIGEST}" data-report="r"`);
    expect(html).toContain(`href="/e/${DIGEST}"`);
    expect(html).toContain(`data-copy="${DIGEST}"`);
  });

  it("is not an alert as an example", () => {
    const html = renderToStaticMarkup(<Notice digest={DIGEST} isExample />);
    expect(html).not.toMatch(/role="alert"|data-notice|data-digest|data-report/);
  });

  it("is the heading of the failure page", () => {
    const html = renderToStaticMarkup(<FailurePage digest={DIGEST} />);
    expect(html).toContain(`<h1 class="notice-sentence">${SENTENCE}</h1>`);
  });
});

const MARKUP = `<script>alert(1)</script><img src=x onerror=alert(2)>"'`;
const SCRIPT_URL = "javascript:alert(3)";

const hostileSummary: IssueSummary = {
  digest: DIGEST,
  kind: "error",
  type: MARKUP,
  message: MARKUP.repeat(200),
  culprit: MARKUP,
  route: MARKUP,
  release: MARKUP,
  environment: MARKUP,
  state: "open",
  decision: {
    v: 2,
    state: "open",
    atMs: NOW_MS,
    regressedAtMs: 1e300,
    regressedInRelease: MARKUP,
    resolvedInRelease: MARKUP,
  },
  trust: "server",
  count: 3,
  publicCount: 1,
  pageCount: 0,
  linkedCount: 1,
  firstSeenMs: Number.NaN,
  lastSeenMs: 1e300,
};

const hostileReportSummary: ReportSummary = {
  id: MARKUP,
  digest: DIGEST,
  trust: "public",
  isLinked: false,
  position: "p",
  kind: "error",
  side: "server",
  atMs: NOW_MS,
  type: MARKUP,
  message: MARKUP,
  url: SCRIPT_URL,
  browser: MARKUP,
};

const hostileTopValues: TopValues = {
  values: [
    [MARKUP, 3, NOW_MS - 1, NOW_MS],
    [SCRIPT_URL, 1, NOW_MS - 1, NOW_MS],
  ],
  otherCount: 1,
};

const hostileIssue: Issue = {
  ...hostileSummary,
  v: 2,
  latestReports: [
    hostileReportSummary,
    { ...hostileReportSummary, id: "0", isLinked: true, side: "browser" },
  ],
  aliases: [MARKUP, SCRIPT_URL],
  days: [[MARKUP, 4]],
  ...{ releases: hostileTopValues, environments: hostileTopValues, browsers: hostileTopValues },
  ...{ pages: hostileTopValues, tags: { [MARKUP]: hostileTopValues, plan: hostileTopValues } },
  firstRelease: SCRIPT_URL,
  assignee: MARKUP,
  mergedDigests: ["0000-0000"],
  grouping: { version: 1, parts: [{ role: "message", value: MARKUP }] },
  mergedGroupings: {
    "0000-0000": { version: 1, parts: [{ role: "function", value: SCRIPT_URL, of: "cause" }] },
  },
  silent200Count: 2,
  asOfMs: NOW_MS,
};

const hostileAnnotations: Annotations = {
  v: 2,
  activity: [
    { atMs: 1e300, action: "commented", id: MARKUP, text: MARKUP, by: MARKUP },
    { atMs: NOW_MS, action: "assigned", to: MARKUP },
    { atMs: NOW_MS, action: "resolved", release: MARKUP },
    { atMs: NOW_MS, action: "regressed", release: SCRIPT_URL },
  ],
};

/** Resolved frames with these names, and an unmapped one. */
const hostileSymbolication: Symbolication = {
  state: "resolved",
  stacks: [
    [
      {
        kind: "resolved",
        file: SCRIPT_URL,
        mapSource: MARKUP,
        line: 3,
        column: 9,
        function: MARKUP,
        inApp: true,
        source: MARKUP,
        sourceBefore: [MARKUP],
        sourceAfter: [SCRIPT_URL],
        matchedBy: "name",
        otherDist: MARKUP,
      },
    ],
    [{ kind: "unmapped", reason: "other-url", uploadedUrl: MARKUP }],
  ],
};

const frame = {
  function: MARKUP,
  file: SCRIPT_URL,
  line: 3,
  column: 9,
  inApp: true,
  source: MARKUP,
};

const hostileReport: Report = {
  v: 1,
  id: MARKUP,
  digest: DIGEST,
  trust: "public",
  isLinked: true,
  kind: "csp",
  side: "browser",
  format: "reporting-api",
  occurredAtMs: NOW_MS,
  receivedAtMs: NOW_MS,
  scrubbedCount: 1,
  type: MARKUP,
  message: MARKUP,
  frames: Array.from({ length: 300 }, (_, index) => ({ ...frame, inApp: index % 3 === 0 })),
  isGroup: true,
  typeModule: MARKUP,
  causes: [{ type: MARKUP, typeModule: MARKUP, message: MARKUP, frames: [frame] }],
  template: { text: MARKUP, params: [MARKUP, { [MARKUP]: SCRIPT_URL }] },
  componentStack: MARKUP,
  request: {
    method: MARKUP,
    url: SCRIPT_URL,
    route: MARKUP,
    headers: [[MARKUP, MARKUP]],
    userAgent: MARKUP,
  },
  response: { status: 200, isSilent200: true },
  tags: [[MARKUP, SCRIPT_URL]],
  breadcrumbs: [{ atMs: 1e300, category: MARKUP, level: MARKUP, message: MARKUP }],
  detail: { [MARKUP]: MARKUP },
  truncated: [MARKUP],
};

const HOSTILE_SHARE = { attribute: MARKUP, value: MARKUP, share: 0.9, otherShare: 0.1 };

const later = <T,>(value: T): Promise<T> => Promise.resolve(value);

const PAGES: readonly { readonly name: string; readonly page: ReactNode }[] = [
  {
    name: "home",
    page: (
      <HomePage
        data={later({
          overview: {
            columns: {
              ...{ fromMs: NOW_MS - HOUR_MS, toMs: NOW_MS, stepMs: HOUR_MS },
              series: { server: [1], browser: [2] },
            },
            people: 3,
            needs: [],
            hasMaps: false,
            attention: {
              total: 3,
              rows: [
                { kind: "regressed", by: MARKUP, resolvedInRelease: MARKUP, release: SCRIPT_URL },
                { kind: "assigned", by: MARKUP },
                { kind: "message", text: MARKUP },
              ].map((reason) => ({
                issue: hostileSummary,
                reason: reason as AttentionReason,
              })),
            },
            later: [],
            open: { total: 3 },
            ...{ issues: 3, noise: 0 },
            releases: [
              {
                ...{ name: MARKUP, trust: "public", firstSeenMs: NOW_MS - 5, sessions: 0 },
                ...{ errors: 1, newIssueCount: 1, regressedCount: 0 },
              },
            ],
            policies: [{ directive: MARKUP, isReportOnly: true, sources: 1, count: 2 }],
            team: [
              {
                ...{ by: MARKUP, action: "commented", atMs: 1e300, digest: DIGEST },
                ...{ title: MARKUP, issues: 1, text: MARKUP },
              },
            ],
          },
          sentence: [
            { kind: "strong", text: MARKUP },
            { kind: "code", text: MARKUP },
            { kind: "time", atMs: 1e300 },
          ],
          deploys: [{ release: MARKUP, environment: SCRIPT_URL, atMs: NOW_MS - 9 }],
        })}
        newest={later(null)}
        period="24h"
        span={undefined}
        nowMs={NOW_MS}
      />
    ),
  },
  {
    name: "home without the index",
    page: (
      <HomePage
        data={Promise.resolve(null)}
        newest={later({ v: 2, issues: [hostileSummary], total: 9, asOfMs: NOW_MS })}
        period="24h"
        span={undefined}
        nowMs={NOW_MS}
      />
    ),
  },
  {
    name: "issues",
    page: (
      <IssuesPage
        query={parseIssueQuery(`is:open plan:"${MARKUP.replaceAll('"', '""')}" ${MARKUP}`)}
        scopedQuery={parseIssueQuery(`env:"${MARKUP.replaceAll('"', '""')}"`)}
        url={`/issues?q=${SCRIPT_URL}`}
        isLive
        listing={later({
          page: {
            v: 1,
            issues: [{ ...hostileSummary, assignee: MARKUP, recentDays: [[MARKUP, 3]] }],
            total: 1,
            unknownTags: ["tag.plan"],
            asOfMs: NOW_MS,
          },
          isEmpty: false,
        })}
        facets={later([{ key: "tag.plan", values: [[MARKUP, 3]] }])}
        views={later([{ name: MARKUP, query: MARKUP, sort: "last" }])}
        pausedKeys={[]}
        isOneLine={false}
        nowMs={NOW_MS}
      />
    ),
  },
  {
    name: "issue",
    page: (
      <IssuePage
        digest={DIGEST}
        snapshot={hostileIssue}
        freshIssue={later(hostileIssue)}
        report={later(hostileReport)}
        retentionDays={90}
        symbolication={later(hostileSymbolication)}
        comparison={later({
          differences: [
            { ...HOSTILE_SHARE, otherIssues: 4, otherReports: 300 },
            { ...HOSTILE_SHARE, attribute: `tag ${MARKUP}`, otherIssues: 4, otherReports: 90 },
          ],
          usual: [{ ...HOSTILE_SHARE, attribute: "release" }],
        })}
        editor={{ editor: "vscode", root: MARKUP }}
        reactTexts={later({ version: MARKUP, texts: { 31: `${MARKUP} %s` } })}
        code={later({
          finder: createCodeFinder({
            repositories: [{ id: "1", kind: "github", url: "https://github.com/acme/shop" }],
            release: MARKUP,
            commits: [{ id: MARKUP, files: [MARKUP] }],
          }),
          owner: {
            owners: [MARKUP],
            member: MARKUP,
            source: "rules",
            pattern: MARKUP,
            line: 1,
            matched: MARKUP,
          },
        })}
        counterpart={later(hostileReport)}
        annotations={later(hostileAnnotations)}
        deploys={later([{ release: "1.4.0", environment: "production", atMs: NOW_MS }])}
        fix={later({
          fix: {
            state: "proven",
            change: { url: "javascript:alert(1)", title: MARKUP, author: MARKUP },
            release: MARKUP,
            proof: {
              release: MARKUP,
              since: { reports: 0, sessions: 4_102 },
              before: { reports: 9, sessions: 300 },
            },
            handOff: { atMs: NOW_MS, to: "1", name: MARKUP, message: "1" },
          },
          agents: [{ id: "1", name: MARKUP }],
        })}
        suspects={later([
          {
            commit: { id: MARKUP, message: MARKUP, author: MARKUP, url: "javascript:alert(1)" },
            file: MARKUP,
            frame: 0,
          },
        ])}
        similar={later([{ ...hostileSummary, digest: "0000-0000" }])}
        trace={later([
          { digest: DIGEST, summary: hostileReportSummary },
          { digest: "0000-0000", summary: { ...hostileReportSummary, side: "browser" } },
        ])}
        splitDigests={[]}
        nowMs={NOW_MS}
      />
    ),
  },
  {
    name: "source maps",
    page: (
      <SourceMapsPage
        summary={later({
          uploads: [
            {
              id: MARKUP,
              uploadedMs: NOW_MS,
              release: MARKUP,
              dist: MARKUP,
              tool: MARKUP,
              state: "failed",
              problem: MARKUP,
              files: 1,
              maps: 1,
              scriptsWithoutMap: 1,
              storedBytes: 1,
            },
          ],
          storedBytes: 1,
          maxStoredBytes: 2,
          failures: [{ atMs: NOW_MS, detail: MARKUP }],
        })}
        fields={{ script: MARKUP, release: SCRIPT_URL, debugId: MARKUP }}
        check={later({
          asked: { file: SCRIPT_URL, release: MARKUP },
          result: { script: { kind: "unmapped", reason: "other-url", uploadedUrl: MARKUP } },
        })}
        nowMs={NOW_MS}
      />
    ),
  },
  {
    name: "upload",
    page: (
      <UploadPage
        id={MARKUP}
        files={[{ url: SCRIPT_URL, kind: "map", debugId: MARKUP, bytes: 1, problems: [MARKUP] }]}
      />
    ),
  },
  {
    name: "matches",
    page: (
      <MatchesPage
        query={MARKUP}
        matches={[hostileSummary, { ...hostileSummary, digest: "0", route: SCRIPT_URL }]}
        nowMs={NOW_MS}
      />
    ),
  },
  { name: "unknown", page: <UnknownCodePage code={{ kind: "nothing", query: MARKUP }} /> },
  { name: "control flow", page: <UnknownCodePage code={{ kind: "control-flow", name: MARKUP }} /> },
  {
    name: "awaited",
    page: <UnknownCodePage code={{ kind: "report-id", id: MARKUP }} query={MARKUP} />,
  },
  {
    name: "self-test",
    page: <SelfTestPage kinds={[]} recent={later([hostileSummary])} nowMs={NOW_MS} />,
  },
  {
    name: "receipt",
    page: (
      <ReceiptPage
        visitor={ENGLISH}
        digest={MARKUP}
        status={later({ firstSeenMs: 1, weekCount: 1, fixProgress: "fixed" })}
        comment={{ isSent: false, error: MARKUP, enteredText: MARKUP }}
        nowMs={NOW_MS}
      />
    ),
  },
];

describe.each(PAGES)("the page $name with markup in every field", ({ page }) => {
  it("has no reported element, attribute or link", async () => {
    const found = await inspect(await renderHtml(page));
    expect(found.elements).not.toContain("script");
    expect(found.elements).not.toContain("img");
    expect(found.attributes.filter((name) => name === "style" || name.startsWith("on"))).toEqual(
      [],
    );
    expect(found.links.filter((href) => !/^(?:\/|\?|#|https?:|$)/.test(href))).toEqual([]);
    expect(found.elements.length).toBeGreaterThan(10);
  });

  it("shows reported markup as text", async () => {
    expect(await renderHtml(page)).toContain("&lt;script&gt;alert(1)");
  });
});

/** A complete page in its layout as one document, without React's scripts. */
async function renderHtml(page: ReactNode): Promise<string> {
  const stream = await renderToReadableStream(<Layout isSignedIn>{page}</Layout>, {
    progressiveChunkSize: Number.MAX_SAFE_INTEGER,
    onError(error) {
      throw error;
    },
  });
  await stream.allReady;
  return new Response(stream).text();
}

/** The elements, attributes and links that an HTML parser finds in `html`. */
async function inspect(html: string) {
  const elements: string[] = [];
  const attributes: string[] = [];
  const links: string[] = [];
  const rewriter = new HTMLRewriter().on("*", {
    element(element) {
      elements.push(element.tagName);
      for (const [name = "", value = ""] of element.attributes) {
        attributes.push(name);
        if (name === "href" || name === "src" || name === "action") links.push(value);
      }
    },
  });
  await rewriter.transform(new Response(html)).text();
  return { elements, attributes, links };
}

/** The text of markup as shown without a style sheet: one line per block. */
function listLines(html: string): readonly string[] {
  return html
    .replace(/<\/(?:p|h1|div)>/g, "\n")
    .replace(/<[^>]*>/g, "")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
