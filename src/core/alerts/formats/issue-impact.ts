/** The lines of a message about an issue: where it was thrown, who resolved it, how often. Pure. */
import { pluralize } from "../../numbers.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../utc-time.ts";
import type { AlertedIssue, AlertMessage } from "../alert-message.ts";
import { type AlertTriggerKind, getTrigger } from "../triggers/triggers.ts";
import { toInertLine } from "./inert-text.ts";
import { joinPhrases, type Phrase, toReported } from "./phrase.ts";

const MAX_NAME_CHARS = 120;
const MAX_SENTENCE_CHARS = 300;
const MAX_SENTENCES = 3;

/** The lines, the most important first. */
export function describeImpact(
  issue: AlertedIssue,
  message: Pick<AlertMessage, "reasons" | "atMs">,
): readonly Phrase[] {
  return [
    ...describeWhere(issue),
    ...describeReturn(issue, message),
    ...describeOthers(issue, message),
    ...describeFigures(issue, message),
  ];
}

/** The sentences of triggers that no other line of the message says. */
function describeOthers(
  { resolved }: AlertedIssue,
  { reasons }: Pick<AlertMessage, "reasons">,
): readonly Phrase[] {
  const isSaid = (trigger: AlertTriggerKind) =>
    getTrigger(trigger).isSentenceOptional === true ||
    (trigger === "regressed" && resolved !== undefined);
  return reasons
    .filter(({ trigger, text }) => !isSaid(trigger) && text !== "")
    .slice(0, MAX_SENTENCES)
    .map(({ text }) => [toReported(toInertLine(text, MAX_SENTENCE_CHARS))]);
}

/** `src/total.ts:41 in addItem · POST /api/checkout · Safari 17, iOS`. */
function describeWhere(issue: AlertedIssue): readonly Phrase[] {
  const { place, route, browser, logger, missingMap } = issue;
  const names = [place, route, browser].map((name = "") => toName(name));
  const parts: Phrase[] = names.filter((name) => name !== "").map((name) => [toReported(name)]);
  const from = toName(logger ?? "");
  if (from !== "") parts.unshift(["logger ", toReported(from)]);
  if (missingMap !== undefined) {
    const release = toName(missingMap);
    parts.push(release === "" ? ["no source map"] : ["no source map for ", toReported(release)]);
  }
  return joinPhrases(parts);
}

/** `Resolved by Ada in 2.3.0, 2 days ago; back in 2.4.0`. */
function describeReturn(
  { resolved, release }: AlertedIssue,
  { reasons, atMs }: Pick<AlertMessage, "reasons" | "atMs">,
): readonly Phrase[] {
  const isReturn = reasons.some(({ trigger }) => trigger === "regressed");
  if (!isReturn || resolved === undefined) return [];
  const [by, fixedIn, backIn] = [resolved.by, resolved.release, release].map((name = "") =>
    toName(name),
  );
  const ago = formatAge(atMs - resolved.atMs);
  return [
    [
      "Resolved",
      ...(by ? [" by ", toReported(by)] : []),
      ...(fixedIn ? [" in ", toReported(fixedIn), ","] : []),
      ago === undefined ? " a moment ago" : ` ${ago} ago`,
      ...(backIn ? ["; back in ", toReported(backIn)] : []),
    ],
  ];
}

/** `12 times, 9 users in 2 min · first in shop@2.4.1 (deployed 14 min ago)`. */
function describeFigures(
  issue: AlertedIssue,
  { reasons, atMs }: Pick<AlertMessage, "reasons" | "atMs">,
): readonly Phrase[] {
  const { count, userCount = 0, firstSeenMs, lastSeenMs, assignee = "" } = issue;
  const users = userCount > 0 ? pluralize(userCount, "user") : "";
  const figures = reasons.find((reason) => reason.figures !== undefined)?.figures;
  const span = formatAge(lastSeenMs - firstSeenMs);
  const times = [pluralize(count, "time"), users].filter((part) => part !== "").join(", ");
  const seen =
    figures === undefined
      ? `${times}${span === undefined || count < 2 ? "" : ` in ${span}`}`
      : [figures, users].filter((part) => part !== "").join("; ");
  const assigned = toName(assignee);
  return joinPhrases([
    [seen],
    ...describeReleases(issue, atMs),
    ...(assigned === "" ? [] : [["assigned to ", toReported(assigned)]]),
  ]);
}

function describeReleases(issue: AlertedIssue, atMs: number): readonly Phrase[] {
  const { firstRelease, release, deployedMs } = issue;
  const first = toName(firstRelease ?? release ?? "");
  const last = toName(release ?? "");
  if (first === "") return [];
  const ago = deployedMs === undefined ? undefined : formatAge(atMs - deployedMs);
  return [
    [
      "first in ",
      toReported(first),
      ...(ago === undefined ? [] : [` (deployed ${ago} ago)`]),
      ...(last === "" || last === first ? [] : [", now in ", toReported(last)]),
    ],
  ];
}

/** `8 s`, `14 min`, `3 h`, `2 days`; undefined below a second and for no number. */
export function formatAge(ms: number): string | undefined {
  if (!(ms >= 1_000)) return undefined;
  if (ms < MINUTE_MS) return `${Math.round(ms / 1_000)} s`;
  if (ms < HOUR_MS) return `${Math.round(ms / MINUTE_MS)} min`;
  if (ms < 2 * DAY_MS) return `${Math.round(ms / HOUR_MS)} h`;
  return pluralize(Math.round(ms / DAY_MS), "day");
}

function toName(text: string): string {
  return toInertLine(text, MAX_NAME_CHARS);
}
