/** JSON of a report: as it is stored, with its stacks in the original source next to those sent. */
import type { Frame, Report } from "../core/report.ts";
import { toOriginalComponentStack } from "../core/symbolication/report/component-stack.ts";
import { explainStack, type FrameAdvice } from "../core/symbolication/report/explain-frame.ts";
import { getResolutions, type Symbolication } from "../core/symbolication/report/original-stack.ts";
import { getNamedBuild } from "../core/symbolication/report/resolve-request.ts";
import type { NamedBuild } from "../core/symbolication/report/upload-command.ts";
import type { FrameResolution } from "../core/symbolication/resolution.ts";

/** A frame in the original source, or why it has no original place, with advice. */
type ResolvedFrameJson = FrameResolution & { readonly advice?: FrameAdvice };

/**
 * The report; `resolvedFrames` of the report and of each cause has a member for each of `frames`.
 * `symbolication` says whether maps were asked; it is absent if no frame names a file.
 */
export function toReportJson(report: Report, symbolication: Symbolication | null, project: string) {
  const [error, ...ofCauses] = getResolutions(symbolication);
  const build = { ...getNamedBuild(report), project };
  const { causes, componentStack } = report;
  const ofComponents = ofCauses[causes?.length ?? 0];
  return {
    ...report,
    ...(symbolication !== null && { symbolication: symbolication.state }),
    ...toResolvedFrames(report.frames, error, build),
    ...(causes !== undefined && {
      causes: causes.map((cause, n) => ({
        ...cause,
        ...toResolvedFrames(cause.frames, ofCauses[n], build),
      })),
    }),
    ...(componentStack !== undefined &&
      ofComponents !== undefined && {
        resolvedComponentStack: toOriginalComponentStack(componentStack, ofComponents),
      }),
  };
}

function toResolvedFrames(
  frames: readonly Frame[],
  resolutions: readonly FrameResolution[] | undefined,
  build: NamedBuild,
): { readonly resolvedFrames?: readonly ResolvedFrameJson[] } {
  if (resolutions === undefined) return {};
  const advice = explainStack(frames, resolutions, build);
  return {
    resolvedFrames: resolutions.map((resolution, index) => {
      const one = advice.get(index);
      return { ...resolution, ...(one !== undefined && { advice: one }) };
    }),
  };
}
