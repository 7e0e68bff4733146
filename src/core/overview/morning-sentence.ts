/**
 * The first sentence of the home page: what needs a person, and whether it is worse than yesterday.
 * Made of parts, each of which is left out below its threshold. Pure.
 */
import { formatNumber, pluralize } from "../numbers.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../utc-time.ts";
import type { AttentionCounts } from "./attention.ts";
import type { Surge, SurgeShare } from "./find-surge.ts";

/** A part of a sentence. A time is shown in the zone of the reader. */
export type SentencePart =
  | { readonly kind: "text" | "strong" | "code"; readonly text: string }
  | { readonly kind: "time"; readonly atMs: number };

/** What the sentence is about. */
export interface MorningFacts {
  readonly nowMs: number;
  /** The issues of the list below, by reason. */
  readonly needs: AttentionCounts;
  /** True if there are more. */
  readonly isNeedsCapped?: boolean;
  readonly surge?: (Surge & { readonly share?: SurgeShare }) | undefined;
  /** The life of a project that is younger than a day, its errors and issues. */
  readonly young?:
    | { readonly lifeMs: number; readonly errors: number; readonly issues: number }
    | undefined;
  /** The last error; undefined if none is known. */
  readonly lastErrorMs?: number | undefined;
}

/** The errors of yesterday that a factor needs. */
const MIN_BEFORE = 5;
const ALL_SHARE = 0.98;

export function writeMorningSentence(facts: MorningFacts): readonly SentencePart[] {
  const { needs, isNeedsCapped = false, surge, young, lastErrorMs, nowMs } = facts;
  if (young !== undefined) return writeYoung(young);
  const isQuiet = needs.length === 0;
  const need = isQuiet ? "Nothing needs you." : writeNeeds(needs, isNeedsCapped);
  if (surge !== undefined) {
    // Nothing calls for one person, but the whole does.
    if (isQuiet) return [...writeSurge(surge), text(" No issue stands out.")];
    return [strong(need), text(" "), ...writeSurge(surge)];
  }
  if (!isQuiet) return [strong(need)];
  const last =
    lastErrorMs === undefined ? "No error yet." : `Last error ${ago(lastErrorMs, nowMs)}.`;
  return [strong(need), text(` ${last}`)];
}

/** What is said of one issue, and of several. */
const PREDICATES: Readonly<Record<AttentionCounts[number][0], readonly [string, string]>> = {
  escalating: ["is escalating", "are escalating"],
  regressed: ["regressed", "regressed"],
  assigned: ["is yours", "are yours"],
  new: ["is new", "are new"],
  "snooze-ended": ["is back from a snooze", "are back from a snooze"],
  message: ["has a message", "have a message"],
};
/** The other reasons are one number. */
const MAX_PREDICATES = 3;

/** `1 issue is yours, 19 are new.` */
function writeNeeds(needs: AttentionCounts, isCapped: boolean): string {
  const sum = (counts: AttentionCounts) => counts.reduce((total, [, count]) => total + count, 0);
  if (isCapped) return `${formatNumber(sum(needs))}+ issues need you.`;
  const others = sum(needs.slice(MAX_PREDICATES));
  const parts = needs.slice(0, MAX_PREDICATES).map(([kind, count], n) => {
    const size = n === 0 ? pluralize(count, "issue") : formatNumber(count);
    return `${size} ${PREDICATES[kind][count === 1 ? 0 : 1]}`;
  });
  const rest =
    others === 0 ? [] : [`${formatNumber(others)} more ${others === 1 ? "needs" : "need"} you`];
  return `${[...parts, ...rest].join(", ")}.`;
}

function writeYoung({ lifeMs, errors, issues }: NonNullable<MorningFacts["young"]>) {
  return [
    strong(`${pluralize(errors, "error")} in the first ${formatLife(lifeMs)}`),
    text(`, in ${pluralize(issues, "issue")}. Too early to compare.`),
  ];
}

function writeSurge(surge: NonNullable<MorningFacts["surge"]>): readonly SentencePart[] {
  const { sinceMs, count, total, before, share } = surge;
  const since: readonly SentencePart[] = [text(" since "), { kind: "time", atMs: sinceMs }];
  // The legend of the chart has all errors of the day.
  const size =
    count === total
      ? `All ${pluralize(count, "error")}`
      : `${formatNumber(count)} of ${pluralize(total, "error")}`;
  const what: readonly SentencePart[] =
    before >= MIN_BEFORE
      ? [text("Errors are "), strong(`${formatNumber(Math.floor(count / before))}× yesterday`)]
      : [strong(size), text(" in 24 hours came")];
  const past: readonly SentencePart[] =
    before >= MIN_BEFORE
      ? []
      : [text(`, ${before === 0 ? "none" : formatNumber(before)} at that time yesterday`)];
  const where: readonly SentencePart[] =
    share === undefined
      ? []
      : [
          text(share.share >= ALL_SHARE ? ", all in " : ", nearly all in "),
          { kind: "code", text: share.release },
        ];
  return [...what, ...since, ...past, ...where, text(".")];
}

/** `minute`, `50 minutes`, `6 hours`. */
function formatLife(lifeMs: number): string {
  if (lifeMs < 1.5 * MINUTE_MS) return "minute";
  return lifeMs < 2 * HOUR_MS
    ? pluralize(Math.round(lifeMs / MINUTE_MS), "minute")
    : pluralize(Math.round(lifeMs / HOUR_MS), "hour");
}

function ago(atMs: number, nowMs: number): string {
  const agoMs = Math.max(0, nowMs - atMs);
  if (agoMs < MINUTE_MS) return "just now";
  if (agoMs < HOUR_MS) return `${Math.floor(agoMs / MINUTE_MS)} min ago`;
  if (agoMs < 2 * DAY_MS) return `${Math.floor(agoMs / HOUR_MS)} h ago`;
  return `${Math.floor(agoMs / DAY_MS)} days ago`;
}

function text(words: string): SentencePart {
  return { kind: "text", text: words };
}

function strong(words: string): SentencePart {
  return { kind: "strong", text: words };
}

/** The sentence as text. */
export function formatSentence(
  parts: readonly SentencePart[],
  formatTime: (atMs: number) => string,
): string {
  return parts.map((part) => (part.kind === "time" ? formatTime(part.atMs) : part.text)).join("");
}
