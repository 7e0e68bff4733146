/** Deploys as marks of a chart. */
import type { DeployMoment } from "../../../core/ports/source-maps-port.ts";
import { abbreviate } from "../long-text.tsx";
import { formatAbsoluteTime } from "../time.tsx";
import type { ChartMark } from "./mark-labels.ts";

const NAME_CHARS = 40;
const MAX_DESCRIBED = 3;

/**
 * The deploys between two times (Unix ms), the oldest first, with the names of their environments;
 * with `isOfReleases` those of their releases.
 */
export function toDeployMarks(
  deploys: readonly DeployMoment[],
  { fromMs, toMs }: { fromMs: number; toMs: number },
  isOfReleases = false,
): readonly ChartMark[] {
  return deploys
    .filter(({ atMs }) => atMs >= fromMs && atMs <= toMs)
    .map((deploy): ChartMark => {
      const { release, environment, atMs } = deploy;
      const name = isOfReleases ? release : (environment ?? release);
      const title = `${nameDeploy(deploy)}, ${formatAbsoluteTime(atMs)}`;
      return { kind: "deploy", name, title, position: (atMs - fromMs) / (toMs - fromMs) };
    })
    .sort((a, b) => a.position - b.position);
}

/**
 * `. Deploys: 1.4.0 to production, 21 Nov 2026, 17:00:00 UTC`: the last ones; "" if there are none.
 */
export function describeDeploys(marks: readonly ChartMark[]): string {
  const titles = marks.flatMap(({ kind, title }) => (kind === "deploy" && title ? [title] : []));
  return titles.length === 0 ? "" : `. Deploys: ${titles.slice(-MAX_DESCRIBED).join("; ")}`;
}

function nameDeploy({ release, environment }: DeployMoment): string {
  const name = abbreviate(release, NAME_CHARS);
  return environment === undefined ? name : `${name} to ${abbreviate(environment, NAME_CHARS)}`;
}
