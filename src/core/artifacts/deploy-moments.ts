/** When releases were deployed, for charts. Pure. */
import type { Deploy, DeployMoment, ReleaseFacts } from "../ports/source-maps-port.ts";

/** Moments that one chart has room for. */
const MAX_MOMENTS = 20;

/** What of a release says when it was deployed. */
export type ReleaseDeploys = Pick<ReleaseFacts, "version" | "releasedMs" | "deploys">;

/** The time of a deploy: its end, else its start; undefined if the tool sent neither. */
export function getDeployMs({ finishedMs, startedMs }: Deploy): number | undefined {
  return finishedMs ?? startedMs;
}

/** The deploys since a time, newest first, at most 20. */
export function listDeployMoments(
  releases: readonly ReleaseDeploys[],
  sinceMs: number,
): readonly DeployMoment[] {
  return releases
    .flatMap(({ version: release, releasedMs, deploys }) => [
      ...deploys.map((deploy) => ({
        release,
        environment: deploy.environment,
        atMs: getDeployMs(deploy),
      })),
      ...(deploys.length === 0 ? [{ release, atMs: releasedMs }] : []),
    ])
    .filter((moment): moment is DeployMoment => (moment.atMs ?? -1) >= sinceMs)
    .sort((a, b) => b.atMs - a.atMs)
    .slice(0, MAX_MOMENTS);
}
