// The first sentence of the home page, made of parts that each have a threshold.

import { expect, it } from "vitest";
import {
  formatSentence,
  type MorningFacts,
  writeMorningSentence,
} from "#src/core/overview/morning-sentence.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#src/core/utc-time.ts";

const NOW_MS = Date.UTC(2026, 10, 28, 15, 34);
const sinceMs = NOW_MS - 12 * MINUTE_MS;

const write = (facts: Omit<MorningFacts, "nowMs">) => {
  const parts = writeMorningSentence({ nowMs: NOW_MS, ...facts });
  const marked = parts.map((part) =>
    part.kind === "strong"
      ? { ...part, text: `**${part.text}**` }
      : part.kind === "code"
        ? { ...part, text: `\`${part.text}\`` }
        : part,
  );
  return formatSentence(marked, (atMs) => new Date(atMs).toISOString().slice(11, 16));
};

it.each<[string, Omit<MorningFacts, "nowMs">]>([
  [
    "**3 issues are new.** Errors are **3× yesterday** since 15:22, all in `shop@1.0.0`.",
    {
      needs: [["new", 3]],
      surge: {
        sinceMs,
        count: 36,
        total: 900,
        before: 12,
        share: { release: "shop@1.0.0", share: 1 },
      },
    },
  ],
  [
    "**1 issue is new.** Errors are **29× yesterday** since 15:22, nearly all in `shop@2.5.0`.",
    {
      needs: [["new", 1]],
      surge: {
        sinceMs,
        count: 179,
        total: 900,
        before: 6,
        share: { release: "shop@2.5.0", share: 0.96 },
      },
    },
  ],
  [
    "**7 issues are new.** **142 of 151 errors** in 24 hours came since 15:22, 2 at that time yesterday.",
    { needs: [["new", 7]], surge: { sinceMs, count: 142, total: 151, before: 2 } },
  ],
  [
    "**7 issues are new.** **All 142 errors** in 24 hours came since 15:22, none at that time yesterday.",
    { needs: [["new", 7]], surge: { sinceMs, count: 142, total: 142, before: 0 } },
  ],
  [
    "Errors are **4× yesterday** since 15:22. No issue stands out.",
    { needs: [], surge: { sinceMs, count: 40, total: 900, before: 10 } },
  ],
  [
    "**1 issue is yours, 19 are new.**",
    {
      needs: [
        ["assigned", 1],
        ["new", 19],
      ],
    },
  ],
  [
    "**2 issues are escalating, 1 regressed, 1 is yours, 8 more need you.**",
    {
      needs: [
        ["escalating", 2],
        ["regressed", 1],
        ["assigned", 1],
        ["new", 7],
        ["message", 1],
      ],
    },
  ],
  [
    "**52+ issues need you.**",
    {
      needs: [
        ["assigned", 2],
        ["new", 50],
      ],
      isNeedsCapped: true,
    },
  ],
  [
    "**Nothing needs you.** Last error 41 min ago.",
    { needs: [], lastErrorMs: NOW_MS - 41 * MINUTE_MS },
  ],
  ["**Nothing needs you.** Last error 5 h ago.", { needs: [], lastErrorMs: NOW_MS - 5 * HOUR_MS }],
  [
    "**Nothing needs you.** Last error 9 days ago.",
    { needs: [], lastErrorMs: NOW_MS - 9 * DAY_MS },
  ],
  ["**Nothing needs you.** Last error just now.", { needs: [], lastErrorMs: NOW_MS + 5 }],
  ["**Nothing needs you.** No error yet.", { needs: [] }],
  [
    "**11 errors in the first 50 minutes**, in 2 issues. Too early to compare.",
    { needs: [["new", 2]], young: { lifeMs: 50 * MINUTE_MS, errors: 11, issues: 2 } },
  ],
  [
    "**1 error in the first minute**, in 1 issue. Too early to compare.",
    { needs: [["new", 1]], young: { lifeMs: 5_000, errors: 1, issues: 1 } },
  ],
  [
    "**1,200 errors in the first 6 hours**, in 40 issues. Too early to compare.",
    {
      needs: [["new", 40]],
      surge: { sinceMs, count: 500, total: 900, before: 1 },
      young: { lifeMs: 6 * HOUR_MS, errors: 1_200, issues: 40 },
    },
  ],
])("%s", (sentence, facts) => {
  expect(write(facts)).toBe(sentence);
});
