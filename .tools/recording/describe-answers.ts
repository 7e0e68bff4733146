// The shape of recorded answers: which members they have, and of which types. Two runs with the same
// reports have the same one, though ids and times differ.

import type { Recording } from "../../src/warm-up/recording.ts";

/** A member by its path and type: `/issues PROJECT_INDEX.listIssues [].issues[].count number`. */
export function describeAnswers({ shared, pages }: Recording): string[] {
  const described = new Set<string>();
  const describeAll = (page: string, answers: Recording["shared"]) => {
    for (const [call, all] of Object.entries(answers)) describe(described, `${page} ${call} `, all);
  };
  describeAll("every page", shared);
  for (const { path, status, answers } of pages) {
    const page = path.replace(DIGEST, "{digest}");
    described.add(`${page} ${status}`);
    describeAll(page, answers);
  }
  return [...described].sort();
}

const DIGEST = /[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}/;
/** Keys that are data, such as days, digests and names of tags. */
const IS_DATA = /[^a-zA-Z]|^.$/;

function describe(described: Set<string>, path: string, value: unknown): void {
  if (Array.isArray(value)) {
    for (const one of value) describe(described, `${path}[]`, one);
  } else if (typeof value === "object" && value !== null) {
    for (const [name, one] of Object.entries(value))
      describe(described, `${path}.${IS_DATA.test(name) ? "*" : name}`, one);
  } else if (typeof value === "string" && value.startsWith("{")) {
    // A line of the log.
    describe(described, `${path} JSON`, JSON.parse(value));
  } else described.add(`${path} ${value === null ? "null" : typeof value}`);
}
