import type { Issue } from "../../../core/issue/issue.ts";

/** The search text of an issue's title, for an issue without the text of a report. */
export function toTitleSearchText({ type, message, culprit, route }: Issue): string {
  return [type, message, culprit, route].filter((part) => part !== undefined).join(" ");
}
