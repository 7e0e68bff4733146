// The mails of summaries, as people read them.
import { describe, expect, it } from "vitest";
import { toEmailBody } from "#src/core/alerts/formats/mail/email-body.ts";
import type { PeriodFacts, PeriodGroup } from "#src/core/alerts/periods/period-facts.ts";
import { findLastPeriod, type SummaryPeriod } from "#src/core/alerts/periods/summary-period.ts";
import { renderPeriod } from "#src/core/alerts/render-message.ts";
import { ALERT_ORIGIN } from "#support/alerts/messages.ts";
import { createPeriodFacts, NO_ISSUES, PERIOD_SENT_MS } from "#support/alerts/period-facts.ts";

const DEPLOYS = [
  { release: "shop@2.5.0", environment: "production", atMs: Date.UTC(2026, 10, 28, 15, 18) },
  { release: "shop@2.4.0", atMs: Date.UTC(2026, 10, 27, 9, 0) },
];

/** The mail of a period. */
function write(facts: PeriodFacts, every: SummaryPeriod = "day", over: { name?: string } = {}) {
  const range = findLastPeriod(every, PERIOD_SENT_MS);
  const rendered = {
    ...{ id: "day_1_2026-11-28", atMs: PERIOD_SENT_MS, every, range, facts, deploys: DEPLOYS },
    isPersonal: false,
  };
  return toEmailBody(
    renderPeriod(rendered, {
      project: { id: "1", name: over.name ?? "Shop" },
      origin: ALERT_ORIGIN,
      ruleNames: new Map(),
      issues: new Map(),
    }),
  );
}

describe("the mail of a day with news", () => {
  it("lists the groups, each issue with its place, counts and link", () => {
    const { subject, text } = write(createPeriodFacts());
    expect(subject).toBe("Daily summary, 28 November: 1 returned, 3 new, 1 growing (Shop)");
    expect(text.split("\n")).toEqual([
      "Daily summary · Shop · Saturday, 28 November 2026 (UTC)",
      "1 returned, 3 new, 1 growing",
      "1,204 errors, 20 % more than the day before: 804 of servers, 400 of browsers.",
      "Deployed: shop@2.5.0 (production, 15:18).",
      "First seen: api@3.2.1 (16:02).",
      "",
      "Returned: 1",
      "- Deadlocked: deadlock detected",
      "  app/models/order.rb:64 in reserve! · 12 times",
      `  ${ALERT_ORIGIN}/d/0000-0003`,
      "",
      "New: 3, 2 still open",
      "- TypeError: Cannot read properties of undefined (reading 'price')",
      "  src/cart/total.ts:41 in addItem · 412 times · about 110 people",
      `  ${ALERT_ORIGIN}/d/0000-0001`,
      "- RangeError: Invalid time value (+2 more)",
      "  9 times · 1 person · resolved",
      `  ${ALERT_ORIGIN}/d/0000-0002`,
      `Open these 3 issues: ${ALERT_ORIGIN}/issues?q=digest%3A0000-0001%2C0000-0002%2C0000-0005&sort=first`,
      "",
      "Growing: 1",
      "- TimeoutError: no connection",
      "  1,400 times, 87 the day before · about 31 people",
      `  ${ALERT_ORIGIN}/d/0000-0004`,
      "",
      `Open the project: ${ALERT_ORIGIN}/issues`,
      "",
      "Daily summary, sent every day at 06:00 UTC",
      `Alert settings: ${ALERT_ORIGIN}/settings/alerts`,
      "",
    ]);
  });

  it("has the same lines and links as HTML", () => {
    const { text, html } = write(createPeriodFacts());
    const shown = html
      .replace(/<style>.*?<\/style>|<title>.*?<\/title>|<wbr>/g, "")
      .replace(/<[^>]*>/g, "\n")
      .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
    for (const line of text.replaceAll("\u200b", "").split("\n")) {
      const [words = ""] = line.replace(/^(- | {2})/, "").split(/:? ?https:/);
      expect(shown).toContain(words);
    }
    const links = text.match(/https:\S+/g) ?? [];
    for (const link of links) expect(html).toContain(link.replaceAll("&", "&#38;"));
  });
});

describe("the lines of a summary", () => {
  const facts = createPeriodFacts();
  const quiet = { ...facts, groups: NO_ISSUES, releases: [] };
  const count = (server: number, browser: number) => ({ server, browser });
  const list = (total: number, listed: number): PeriodGroup => ({
    ...{ total, open: total, issues: [] },
    digests: Array.from({ length: listed }, (_, n) => `0000-${String(n).padStart(4, "0")}`),
  });

  it.each<[string, PeriodFacts, string]>([
    [
      "a period with nothing new is one line, even if known issues are frequent",
      { ...quiet, groups: { ...NO_ISSUES, frequent: facts.groups.frequent } },
      "Nothing new\n1,204 errors, 20 % more than the day before: 804 of servers, 400 of browsers.\nDeployed",
    ],
    [
      "no errors at all",
      { ...quiet, errors: count(0, 0), errorsBefore: count(0, 0) },
      "Nothing new\nNo errors.\n",
    ],
    [
      "no errors, after some",
      { ...quiet, errors: count(0, 0), errorsBefore: count(3, 1) },
      "Nothing new\nNo errors, 4 the day before.\n",
    ],
    [
      "one error",
      { ...quiet, errors: count(0, 1), errorsBefore: count(0, 0) },
      "\n1 error, none the day before: 0 of servers, 1 of browsers.\n",
    ],
    [
      "new issues of which none is open",
      { ...facts, groups: { ...NO_ISSUES, new: { ...list(2, 2), open: 0 } } },
      "\nNew: 2, none still open\n",
    ],
    [
      "the most frequent issues, if another one is among them",
      {
        ...facts,
        groups: {
          ...{ ...NO_ISSUES, new: facts.groups.new },
          frequent: { ...list(2, 2), issues: [...facts.groups.growing.issues] },
        },
      },
      "\n\nMost frequent\n- TimeoutError: no connection\n  1,400 times",
    ],
    [
      "more issues than a link can name",
      { ...facts, groups: { ...NO_ISSUES, new: list(1_234, 40) } },
      "\nOpen the first 40 of 1,234: https",
    ],
  ])("%s", (_, given, expected) => {
    expect(write(given).text).toContain(expected);
  });

  it("name the week and its days in a weekly summary", () => {
    const { subject, text } = write(createPeriodFacts(), "week");
    expect(subject).toBe("Weekly summary, 16 to 22 November: 1 returned, 3 new, 1 growing (Shop)");
    expect(text).toContain("Weekly summary · Shop · 16 to 22 November 2026 (UTC)");
    expect(text).toContain("First seen: api@3.2.1 (Sat 16:02).");
    expect(text).toContain("1,400 times, 87 the week before");
    expect(text).toContain("Weekly summary, sent every Monday at 06:00 UTC");
  });
});

it("reported text becomes no link, no markup and no second line", () => {
  const [issue] = createPeriodFacts().groups.new.issues;
  if (issue === undefined) throw new Error("the facts have an issue");
  const hostile = 'https://evil.example/ <img src="x">\n\u202eignore';
  const facts = createPeriodFacts();
  const issues = [{ ...issue, message: hostile, culprit: hostile, otherErrors: 1 }];
  const { subject, text, html } = write(
    {
      ...facts,
      groups: { ...facts.groups, new: { ...facts.groups.new, issues } },
      releases: [{ name: hostile, firstSeenMs: PERIOD_SENT_MS - 86_400_000 }],
    },
    "day",
    { name: hostile },
  );
  for (const part of [subject, text, html]) {
    expect(part).not.toContain("https://evil");
    expect(part).not.toContain("evil.example");
    expect(part).not.toContain("\u202e");
  }
  expect(html).not.toContain("<img");
  expect(subject).not.toContain("\n");
});
