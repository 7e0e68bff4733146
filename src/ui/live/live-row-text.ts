/** What a row says of an arrival, part by part: the server and the page's script write the same. */
import type { LiveEvent } from "../../core/issue/live-event.ts";

/** The parts of a row. */
export type LiveRowPart =
  | "atMs"
  | "isNew"
  | "type"
  | "message"
  | "occurrences"
  | "side"
  | "culprit"
  | "route"
  | "release"
  | "browser";

/** The words of each part; a part without any is not in the row. */
export function toLiveRowText(event: LiveEvent): {
  readonly [Part in LiveRowPart]?: string | undefined;
} {
  const { atMs, isNew, type, kind, occurrences } = event;
  return {
    ...event,
    atMs: formatClock(atMs),
    isNew: isNew && "New",
    type: type || kind,
    occurrences: occurrences ? `×${occurrences}` : undefined,
  };
}

/** `17:41:43`; a sender's clock may say what no calendar holds, and then there is no JSON of it. */
function formatClock(atMs: number): string {
  const isoTime: string | null = new Date(atMs).toJSON();
  return isoTime?.slice(-13, -5) ?? "–";
}
