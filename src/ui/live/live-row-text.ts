/** The texts of a live row by part, for the server and the page's script. */
import type { LiveEvent } from "../../core/issue/live-event.ts";

export type LiveRowPart =
  | "atMs"
  | "isNew"
  | "type"
  | "message"
  | "occurrences"
  | "author"
  | "side"
  | "culprit"
  | "route"
  | "release"
  | "browser";

/** The text of each part. Parts without text are not in the row. */
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

/** `Mon, 23 Nov 2026 UTC`: the day of an event, as a heading of its rows. */
export function formatLiveDay({ atMs }: Pick<LiveEvent, "atMs">): string {
  const at = new Date(atMs);
  return Number.isNaN(at.getTime())
    ? "–"
    : `${at.toUTCString().slice(0, 16).replace(" 0", " ")} UTC`;
}

/** `17:41:43`, or a dash: a sender's time can be outside the range of dates, whose JSON is null. */
function formatClock(atMs: number): string {
  const isoTime: string | null = new Date(atMs).toJSON();
  return isoTime?.slice(-13, -5) ?? "–";
}
