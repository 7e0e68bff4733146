/** What a row says of an arrival, part by part: the server and the page's script write the same. */
import type { Arrival } from "../../core/arrival.ts";

/** The parts of a row. */
export type PartName =
  | "atMs"
  | "isNew"
  | "type"
  | "message"
  | "times"
  | "side"
  | "where"
  | "route"
  | "release"
  | "browser";

/** The words of each part; a part without any is not in the row. */
export function saidOf(arrival: Arrival): { readonly [Part in PartName]?: string | undefined } {
  const { atMs, isNew, type, kind, times } = arrival;
  return {
    ...arrival,
    atMs: clockOf(atMs),
    isNew: isNew && "New",
    type: type || kind,
    times: times ? `×${times}` : undefined,
  };
}

/** `17:41:43`; a sender's clock may say what no calendar holds, and then there is no JSON of it. */
function clockOf(atMs: number): string {
  const written: string | null = new Date(atMs).toJSON();
  return written?.slice(-13, -5) ?? "–";
}
