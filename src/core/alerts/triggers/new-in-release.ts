/** The first occurrence of an issue in a release. Pure. */
import { isAtLeast } from "../../trust/trust.ts";
import { isBelow, listCounted } from "./detection.ts";
import { defineIssueTrigger } from "./trigger.ts";

export const newInRelease = defineIssueTrigger({
  kind: "new-in-release",
  label: "An issue occurs in a release for the first time",
  params: {},
  title: () => "First seen in a release",
  shortTitle: "New in a release",
  sentence: ({ detail = "" }) => `The first occurrence in ${detail}.`,
  isSentenceOptional: true,
  webhookEvent: "issue.new_in_release",
  isCommon: true,
  isRepeating: true,
  detect(change) {
    const { before, after } = change;
    if (before?.releases === after.releases || isBelow(after.trust, change)) return [];
    const known = new Set(before?.releases?.values.map(([name]) => name));
    const counted = new Set(after.releases?.values.map(([name]) => name));
    const detail = listCounted(change).find(
      ({ release, trust }) =>
        isAtLeast(trust, after.trust) &&
        release !== undefined &&
        counted.has(release) &&
        !known.has(release),
    )?.release;
    return detail === undefined ? [] : [{ figures: { detail }, level: after.trust }];
  },
});
