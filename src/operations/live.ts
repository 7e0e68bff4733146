/** The reports that have just arrived. */
import * as v from "valibot";
import type { LiveEvent } from "../core/issue/live-event.ts";
import { ok } from "../core/result.ts";
import { list } from "../core/schema/stored-object.ts";
import { plainText } from "./inputs.ts";
import { flag, number, reportKind, side } from "./issue-output.ts";
import { defineRead } from "./operation.ts";
import { byErrata, reported, time, trustLevel } from "./provenance.ts";

const MAX_TEXT_CHARS = 200;

export const listLiveReports = defineRead({
  name: "reports.live",
  summary: "List the reports that have just arrived, newest first, or follow them as a stream.",
  role: "viewer",
  rate: "read",
  route: "GET /live",
  isStream: true,
  input: v.strictObject({
    text: v.optional(plainText(MAX_TEXT_CHARS, "words of type, message or place")),
    after: v.optional(v.pipe(v.string(), v.description("the id of the newest report of before"))),
  }),
  output: v.strictObject({
    reports: list(
      v.strictObject({
        id: byErrata(),
        digest: byErrata("Of the issue that counts it"),
        kind: reportKind,
        side,
        trust: trustLevel,
        atMs: time,
        type: reported(),
        message: reported(),
        culprit: v.optional(reported("Function and file that threw")),
        route: v.optional(reported()),
        release: v.optional(reported()),
        environment: v.optional(reported()),
        browser: v.optional(reported()),
        author: v.optional(reported("Of feedback")),
        occurrences: v.optional(number),
        isNew: v.optional(flag),
      }),
    ),
  }),
  reasons: [],
  load: async (_, { services }) => ok(await services.projectStore.listLiveEvents()),
  toOutput: (events, input) => selectLiveReports(events, input),
});

/** The events that have the words of `text`, up to the one with the id `after`; newest first. */
export function selectLiveReports(
  newestFirst: readonly LiveEvent[],
  { text = "", after }: { readonly text?: string | undefined; readonly after?: string | undefined },
) {
  const known = newestFirst.findIndex(({ id }) => id === after);
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const reports = (known === -1 ? newestFirst : newestFirst.slice(0, known)).filter((event) => {
    const { type, message, culprit = "", digest } = event;
    const searched = `${type} ${message} ${culprit} ${digest}`.toLowerCase();
    return words.every((word) => searched.includes(word));
  });
  return { reports: [...reports] };
}
