/** The places in the original source where reports of an issue fail. Pure. */
import * as v from "valibot";
import {
  code,
  number,
  type StoredValue,
  storedObject,
  text,
  timeMs,
  tuple,
} from "../schema/stored-object.ts";

/** The first frame of the application that a source map resolved. */
export type IssuePlace = StoredValue<typeof placeSchema>;
export const placeSchema = /* @__PURE__ */ storedObject({
  /** `src/cart.tsx` */
  file: text(),
  line: number,
  function: v.optional(text()),
});

/** A place in the build of one release. */
export interface CountedPlace extends IssuePlace {
  readonly release?: string;
  /** Occurrences. */
  readonly count: number;
  readonly firstMs: number;
  readonly lastMs: number;
  /** Stored reports that failed there, newest first. */
  readonly reports: readonly PlacedReport[];
}

/** A stored report, and its time. */
export type PlacedReport = StoredValue<typeof placedReportSchema>;
export const placedReportSchema = /* @__PURE__ */ tuple([code("id"), timeMs]);

/** `cart.tsx:41 in readPrice`; without the function if its name is unknown. */
export function formatPlace(place: IssuePlace): string {
  return formatFullPlace({ ...place, file: place.file.slice(place.file.lastIndexOf("/") + 1) });
}

/** `src/cart.tsx:41 in readPrice`. */
export function formatFullPlace({ file, line, function: name }: IssuePlace): string {
  return name === undefined ? `${file}:${line}` : `${file}:${line} in ${name}`;
}

/** `src/cart.tsx:41 readPrice`: names a place of an issue in URLs, in all releases. */
export function toPlaceKey({ file, line, function: name }: IssuePlace): string {
  return [`${file}:${line}`, ...(name === undefined ? [] : [name])].join(" ");
}

/** The place, or the culprit, which names minified code. */
export function formatCulprit(issue: {
  readonly place?: IssuePlace;
  readonly culprit?: string;
}): string | undefined {
  return issue.place === undefined ? issue.culprit : formatPlace(issue.place);
}

/**
 * True if reports of one release fail in different places: probably different errors with the same
 * message. Between releases, lines move.
 */
export function hasSeveralPlaces(places: readonly CountedPlace[]): boolean {
  return new Set(places.map(({ release }) => release)).size < places.length;
}
