/**
 * The first sentence of the home page: what needs a person, and whether it is worse than yesterday.
 * Made of parts, each of which is left out below its threshold. Pure.
 */
import { formatNumber, pluralize } from "../numbers.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../utc-time.ts";
import type { Surge, SurgeShare } from "./find-surge.ts";

/** A part of a sentence. A time is shown in the zone of the reader. */
export type SentencePart =
  | { readonly kind: "text" | "strong" | "code"; readonly text: string }
  | { readonly kind: "time"; readonly atMs: number };

/** What the sentence is about. */
export interface MorningFacts {
  readonly nowMs: number;
  /** The rows of the list below. */
  readonly needs: number;
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
  const thing = needs === 1 && !isNeedsCapped ? "thing needs" : "things need";
  const need =
    needs === 0
      ? "Nothing needs you."
      : `${formatNumber(needs)}${isNeedsCapped ? "+" : ""} ${thing} you.`;
  if (surge !== undefined) {
    // Nothing calls for one person, but the whole does.
    if (needs === 0) return [...writeSurge(surge), text(" No issue stands out.")];
    return [strong(need), text(" "), ...writeSurge(surge)];
  }
  if (needs > 0) return [strong(need)];
  const last =
    lastErrorMs === undefined ? "No error yet." : `Last error ${ago(lastErrorMs, nowMs)}.`;
  return [strong(need), text(` ${last}`)];
}

function writeYoung({ lifeMs, errors, issues }: NonNullable<MorningFacts["young"]>) {
  return [
    strong(`${pluralize(errors, "error")} in the first ${formatLife(lifeMs)}`),
    text(`, in ${pluralize(issues, "issue")}. Too early to compare.`),
  ];
}

function writeSurge(surge: NonNullable<MorningFacts["surge"]>): readonly SentencePart[] {
  const { sinceMs, count, before, share } = surge;
  const since: readonly SentencePart[] = [text(" since "), { kind: "time", atMs: sinceMs }];
  const what: readonly SentencePart[] =
    before >= MIN_BEFORE
      ? [text("Errors are "), strong(`${formatNumber(Math.floor(count / before))}× yesterday`)]
      : [strong(pluralize(count, "error"))];
  const past: readonly SentencePart[] =
    before >= MIN_BEFORE
      ? []
      : [text(before === 0 ? ", none yesterday" : `, ${formatNumber(before)} yesterday`)];
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
