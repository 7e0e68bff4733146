import type { Issue } from "../../../core/issue/issue.ts";
import { listPlaces } from "../../../core/place/stack-counts.ts";

/** The search text of an issue's title and places, for an issue without the text of a report. */
export function toTitleSearchText({ type, message, culprit, route, stacks }: Issue): string {
  const places = listPlaces(stacks).flatMap((one) => [`${one.file}:${one.line}`, one.function]);
  const parts = [type, message, culprit, route, ...places];
  return [...new Set(parts)].filter((part) => part !== undefined).join(" ");
}
