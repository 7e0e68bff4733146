/** The places in the original source where the reports of an issue fail. Pure. */
import type { IssuePlace } from "../../place/issue-place.ts";
import type { Report } from "../../report.ts";
import { getResolutions, type Symbolication } from "./original-stack.ts";

/** The top resolved frame of the application in some reports of one release. */
export interface CountedPlace extends IssuePlace {
  readonly release?: string;
  /** Reports among those that were read. */
  readonly count: number;
}

/**
 * The places of these reports, most frequent first. Linked reports and reports without a resolved
 * frame of the application have none.
 */
export function countPlaces(
  reports: readonly Report[],
  symbolications: readonly (Symbolication | null)[],
): readonly CountedPlace[] {
  const places = new Map<string, CountedPlace>();
  for (const [n, { release, isLinked }] of reports.entries()) {
    const [frames = []] = getResolutions(symbolications[n] ?? null);
    const top = frames.find((frame) => frame.kind === "resolved" && frame.inApp);
    if (isLinked || top?.kind !== "resolved") continue;
    const { file, line } = top;
    const key = JSON.stringify([release, file, line, top.function]);
    places.set(key, {
      ...{ file, line, count: (places.get(key)?.count ?? 0) + 1 },
      ...(top.function !== undefined && { function: top.function }),
      ...(release !== undefined && { release }),
    });
  }
  return [...places.values()].sort((a, b) => b.count - a.count);
}

/**
 * True if reports of one release fail in different places: probably different errors with the same
 * message. Between releases, lines move.
 */
export function hasSeveralPlaces(places: readonly CountedPlace[]): boolean {
  return new Set(places.map(({ release }) => release)).size < places.length;
}
