/**
 * How lines of the log and of chunks are erased. A line keeps its number, because positions are made of it: of an erased report
 * there remains that something happened, of an erased issue nothing.
 */
import { ERASED } from "../core/erased.ts";
import type { Mark } from "../core/issue.ts";
import { markOf } from "../core/mark.ts";
import { present } from "../core/present.ts";
import type { Digest, Report, ReportId } from "../core/report.ts";
import type { Place } from "./keys.ts";
import { isWithin, type UpTo } from "./merges.ts";
import { NO_ID } from "./packed-ids.ts";
import { parseStoredReport, parseSumLine, sumLine } from "./stored.ts";
import { holdsText } from "./written-text.ts";

/** What is to be erased: some reports, all that counts in an issue, or all in which a text stands in any case of its letters. */
export type Erasure =
  | { readonly ids: readonly ReportId[] }
  | {
      readonly digest: Digest;
      readonly aliases: readonly string[];
      readonly merged?: readonly Digest[];
      /** What was split off from it: up to these places its reports count in it. */
      readonly parted?: readonly { readonly digest: Digest; readonly upTo: UpTo }[];
      /** Up to these places its own reports count in other issues. */
      readonly elsewhere?: readonly UpTo[];
    }
  | { readonly text: string };

/** A line that was erased, and the report that stood there, if it was one. */
export interface ErasedLine {
  readonly line: number;
  /** True when nothing remains, not even that it happened. */
  readonly gone: boolean;
  readonly digest?: Digest;
  readonly id?: ReportId;
  /** What the report said, as an issue shows it. */
  readonly message?: string;
}

/** What stands in the place of a line that is gone. No reader takes it for a report, a sum or tallies. */
const GONE_LINE = '{"gone":1}';

/** The lines of a chunk that an erasure means, by their numbers from 0. */
export function meantLines(
  lines: readonly string[],
  erasure: Erasure,
  of: Pick<Place, "hour" | "shard" | "chunk">,
): readonly ErasedLine[] {
  return lines.flatMap((text, line) => {
    const report = parseStoredReport(text);
    const sum = report === null ? parseSumLine(text) : null;
    const counted = report ?? sum?.mark;
    if (counted === undefined || !isMeant(counted, erasure, { ...of, line })) return [];
    const { digest } = counted;
    const message = report === null ? undefined : markOf(report, "").message;
    return { line, gone: "digest" in erasure, digest, ...present({ id: report?.id, message }) };
  });
}

/** The same lines, with what was erased in its reduced form; in the same number and order. */
export function eraseLines(
  lines: readonly string[],
  erased: readonly Pick<ErasedLine, "line" | "gone">[],
): readonly string[] {
  const left = [...lines];
  for (const { line, gone } of erased) {
    const text = left[line];
    if (text !== undefined) left[line] = gone ? GONE_LINE : remainderOf(text);
  }
  return left;
}

function isMeant(
  counted: Pick<Report, "id" | "digest" | "side" | "aliases" | "traceId">,
  erasure: Erasure,
  place: Place,
): boolean {
  const { id, digest, side, aliases = [], traceId = "" } = counted;
  if ("ids" in erasure) return erasure.ids.includes(id);
  if ("text" in erasure) return holdsText(counted, erasure.text);
  const isLed =
    side === "browser" && [...aliases, traceId].some((code) => erasure.aliases.includes(code));
  const { merged = [], parted = [], elsewhere = [] } = erasure;
  const isOwn = digest === erasure.digest && !elsewhere.some((upTo) => isWithin(place, upTo));
  const wasIn = parted.some((one) => one.digest === digest && isWithin(place, one.upTo));
  return isOwn || merged.includes(digest) || wasIn || isLed;
}

/** That it happened, when, and in which release and browser: what an issue counts by, and nobody's words. */
function remainderOf(line: string): string {
  const report = parseStoredReport(line);
  const sum = report === null ? parseSumLine(line) : null;
  if (sum !== null) return sumLine({ ...sum, mark: bareMark(sum.mark) });
  if (report === null) return line;
  const mark = bareMark(markOf(report, ""));
  return sumLine({ mark, times: 1, untilMs: mark.atMs });
}

function bareMark(mark: Omit<Mark, "position">): Omit<Mark, "position"> {
  const { digest, linked, kind, side, atMs } = mark;
  const { release, environment, browser, silent, noise, visitors } = mark;
  return {
    ...{ id: NO_ID, digest, linked, kind, side, atMs, message: ERASED },
    // The name of an error is nobody's; what else stands there may be.
    type: /^[\w$. ]{1,80}$/.test(mark.type) ? mark.type : "",
    ...present({ release, environment, browser, silent, noise, visitors }),
  };
}
