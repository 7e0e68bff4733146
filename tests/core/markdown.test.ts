import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Issue } from "#src/core/issue/issue.ts";
import { issueToMarkdown } from "#src/core/issue/issue-to-markdown.ts";
import { toCodeBlock, toCodeSpan } from "#src/core/markdown.ts";
import type { Report } from "#src/core/report.ts";
import { createReport } from "#support/reports/reports.ts";

const AT_MS = Date.UTC(2026, 10, 21, 17, 0, 0);

/** Text that tries to break out of the code around it. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...["`", "``", "```", "````", "~~~", "\n", "\r", "\r\n", "\n    ", "\\", "|", "# ", "> "],
        ...[
          "<script>",
          "<!--",
          "](",
          "![a](b)",
          "https://evil.example",
          "@everyone",
          "- ",
          "\u2028",
        ],
        ...["\u202e", "\0", "\t", "\u0085", " ", "مرحبا", "💥"],
      ),
      fc.string({ unit: "binary", maxLength: 8 }),
    ),
    { maxLength: 20 },
  )
  .map((pieces) => pieces.join(""));

/** The lengths of all runs of backticks, in their order. */
const runsIn = (text: string) => [...text.matchAll(/`+/g)].map(([run]) => run.length);

describe("a code span", () => {
  it.each([
    ["plain", "`plain`"],
    ["two\n lines\tof it", "`two lines of it`"],
    ["a `b` c", "``a `b` c``"],
    ["``", "``` `` ```"],
    ["`a", "`` `a ``"],
    ["a\\", "`a\\`"],
    ["a\u202eb\0c", "`abc`"],
    ["a\u{e0049}\u{e0067}b\u200bc\u{e0101}\ue000\ud800", "`abc`"],
    ["👩\u200d💻 ❤\ufe0f", "`👩\u200d💻 ❤\ufe0f`"],
    ["", "(nothing)"],
    [" \n ", "(nothing)"],
  ])("of %j is %s", (text, written) => {
    expect(toCodeSpan(text)).toBe(written);
  });

  it("is one line and closed only by its last backticks for any text", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const written = toCodeSpan(text);
        if (written === "(nothing)") return;
        expect(written).not.toMatch(/[\n\r\u2028\u2029\0\u202e]/);
        const [opening, ...others] = runsIn(written);
        expect(others.indexOf(opening ?? 0)).toBe(others.length - 1);
      }),
    );
  });
});

describe("a code block", () => {
  it.each([
    ["a\nb", "```\na\nb\n```\n"],
    ["a\r\nb\rc\n\n", "```\na\nb\nc\n```\n"],
    ["```\n# out\n```", "````\n```\n# out\n```\n````\n"],
    ["", "```\n\n```\n"],
  ])("encloses %j", (text, written) => {
    expect(toCodeBlock(text)).toBe(written);
  });

  it("is closed only by its last line for any text", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const written = toCodeBlock(text);
        expect(written.match(/^(`{3,})\n[\s\S]*\n\1\n$/)).not.toBeNull();
        expect(outsideCode(written)).toBe("");
      }),
    );
  });
});

describe("an issue as Markdown", () => {
  it("contains title, facts, stack, causes, request, breadcrumbs and releases", () => {
    expect(issueToMarkdown({ ...written("cart"), nowMs: AT_MS })).toBe(`# \`cart: cart\`

- Digest: \`7F3K-Q2M9\`, <https://errata.example/d/7F3K-Q2M9>
- State: open, assigned to \`cart\`
- Seen: 2 times, 2026-11-21T17:00:00.000Z to 2026-11-21T17:00:01.000Z
- Trust: server
- Linked reports: 1
- Failed after a success status: once
- Where: \`cart\`
- Route: \`cart\`
- Blocked: \`cart\`
- Release: \`cart\`
- Environment: \`cart\`

## Stack

Report \`00000000000000000000000000000001\` of the server, 2026-11-21T17:00:00.001Z, trust: server

\`\`\`
cart: cart
    at cart (cart:3:9)
      > cart
    at (anonymous) (unknown) [library]
\`\`\`

### Caused by

\`\`\`
cart: cart
    at cart (cart:3:9)
      > cart
    at (anonymous) (unknown) [library]
\`\`\`

## Component stack

\`\`\`
cart
\`\`\`

## Request

- Request: \`cart cart\`
- Route: \`cart\`
- Browser: \`cart\`
- Response: \`200, sent before the failure\`
- \`cart\` \`cart\`

## Breadcrumbs

\`\`\`
   -1.0 s  cart  cart
\`\`\`

## Releases

- \`cart\`: once, 2026-11-21T17:00:00.000Z
`);
  });

  it("has the same text outside of code for any reported text", () => {
    const plain = outsideCode(issueToMarkdown({ ...written("x"), nowMs: AT_MS }));
    fc.assert(
      fc.property(hostile, (text) => {
        const markdown = issueToMarkdown({ ...written(`x${text}`), nowMs: AT_MS });
        expect(outsideCode(markdown)).toBe(plain);
      }),
    );
  });

  it("needs no report and tolerates an invalid time", () => {
    const { issue } = written("cart");
    const markdown = issueToMarkdown({
      issue: { ...issue, lastSeenMs: 1e300 },
      url: "https://errata.example/d/7F3K-Q2M9",
      nowMs: AT_MS,
    });
    expect(markdown).not.toContain("## Stack");
    expect(markdown).toContain("an unknown time");
  });

  it("contains the body of a CSP report for any sample", () => {
    const { issue, report, url } = written("cart");
    fc.assert(
      fc.property(hostile, (text) => {
        const cspReport = { ...report, kind: "csp", detail: { sample: text } } as const;
        const markdown = issueToMarkdown({ issue, report: cspReport, url, nowMs: AT_MS });
        expect(outsideCode(markdown)).toContain("\n## Browser report\n\n\n## Request\n");
      }),
    );
  });

  it("truncates a stack of 300 frames and states how many are omitted", () => {
    const { issue, report, url } = written("cart");
    const frames = Array.from({ length: 300 }, () => ({ function: "deep", inApp: true }));
    const markdown = issueToMarkdown({ issue, report: { ...report, frames }, url, nowMs: AT_MS });
    expect(markdown).toContain("… and 260 older frames");
    expect(markdown.length).toBeLessThan(10_000);
  });
});

/** An issue and a report with `text` in every text member. */
function written(text: string): { issue: Issue; report: Report; url: string } {
  const frames = [
    { function: text, file: text, line: 3, column: 9, inApp: true, source: text },
    { inApp: false },
  ];
  const report = createReport(1, {
    ...{ type: text, message: text, stack: text, componentStack: text, frames },
    causes: [{ type: text, message: text, frames }],
    request: { method: text, url: text, route: text, userAgent: text, headers: [[text, text]] },
    response: { status: 200, isSilent200: true },
    breadcrumbs: [{ atMs: AT_MS + 1 - 1_000, category: text, message: text }],
  });
  const issue: Issue = {
    ...{ v: 2, digest: "7F3K-Q2M9", kind: "error", type: text, message: text, state: "open" },
    ...{ culprit: text, route: text, blockedUri: text, release: text, environment: text },
    ...{
      assignee: text,
      trust: "server",
      count: 2,
      publicCount: 0,
      pageCount: 0,
      linkedCount: 1,
      silent200Count: 1,
      aliases: [],
      latestReports: [],
      days: [],
    },
    ...{ firstSeenMs: AT_MS, lastSeenMs: AT_MS + 1_000, asOfMs: AT_MS },
    releases: { values: [[text, 1, AT_MS, AT_MS]], otherCount: 0 },
  };
  return { issue, report, url: "https://errata.example/d/7F3K-Q2M9" };
}

/** The text outside of code blocks and code spans, as CommonMark reads it. */
function outsideCode(markdown: string): string {
  const outside: string[] = [];
  let fence = 0;
  for (const line of markdown.split("\n")) {
    const [, ticks = ""] = /^ {0,3}(`{3,})[^`]*$/.exec(line) ?? [];
    if (fence > 0) fence = ticks.length >= fence && line.trim() === ticks ? 0 : fence;
    else if (ticks !== "") fence = ticks.length;
    else outside.push(line.replace(/(?<!`)(`+)(?!`)(.*?[^`])\1(?!`)/gs, "code"));
  }
  return outside.join("\n").trim();
}
