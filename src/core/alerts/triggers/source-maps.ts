/** An upload of source maps failed, or no frame matched it within a day. Pure. */
import { DAY_MS, HOUR_MS } from "../../utc-time.ts";
import { defineProjectTrigger, type ProjectFacts } from "./trigger.ts";

export const sourceMaps = defineProjectTrigger({
  kind: "source-maps",
  label: "A source map upload fails or matches no stack",
  params: {},
  title: () => "Source maps need attention",
  sentence: ({ detail = "" }) => detail,
  webhookEvent: "project.source_maps",
  everyMs: HOUR_MS,
  readsSourceMaps: true,
  check: ({ sourceMaps: summary, reportedReleases }, _, nowMs) => ({
    findings:
      summary === undefined
        ? []
        : [...listUnused(summary, reportedReleases, nowMs), ...listFailures(summary, nowMs)],
  }),
});

type Summary = NonNullable<ProjectFacts["sourceMaps"]>;

/** Uploads of a release with reports that no frame used within a day. */
function listUnused({ uploads }: Summary, releases: readonly string[], nowMs: number) {
  return uploads
    .filter(({ state, maps, lastUsedMs, uploadedMs, release = "" }) => {
      const ageMs = nowMs - uploadedMs;
      const isUnused = state === "ready" && maps > 0 && lastUsedMs === undefined;
      return isUnused && ageMs > DAY_MS && ageMs < 3 * DAY_MS && releases.includes(release);
    })
    .map(({ id, maps }) => ({
      key: id,
      figures: {
        detail: `No frame matched any of the ${maps} source maps of an upload within a day.`,
      },
    }));
}

function listFailures({ failures }: Summary, nowMs: number) {
  return failures
    .filter(({ atMs }) => nowMs - atMs < DAY_MS)
    .map(({ atMs, detail }) => ({ key: String(atMs), figures: { detail } }));
}
