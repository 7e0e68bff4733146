/** Replaces the frames of a report with resolved ones. Pure. */
import type { Frame, Report } from "../../report.ts";
import type { FrameResolution, ResolvedFrame } from "../resolution.ts";
import { toOriginalComponentStack } from "./component-stack.ts";

/** The resolutions of a report's frames, by stack as in the request (`createResolveRequest`). */
export type StackResolutions = readonly (readonly FrameResolution[])[];

/** The stacks of a report in the original source, or why they are shown as sent. */
export type Symbolication =
  | { readonly state: "resolved"; readonly stacks: StackResolutions }
  /** The visitor asked for the stack as it was sent. */
  | { readonly state: "as-sent" }
  /** The object with the maps does not respond. */
  | { readonly state: "unavailable" };

/** The resolutions; none if the stacks are as sent. */
export function getResolutions(symbolication: Symbolication | null): StackResolutions {
  return symbolication?.state === "resolved" ? symbolication.stacks : [];
}

/** The frame in the original source; the frame itself if it is not resolved. */
export function toOriginalFrame(frame: Frame, resolution: FrameResolution | undefined): Frame {
  return resolution?.kind === "resolved" ? replaceFrame(frame, resolution) : frame;
}

/** Local variables belong to the minified function and keep its minified names. */
function replaceFrame({ vars }: Frame, resolved: ResolvedFrame): Frame {
  const { file, line, column, inApp, source, sourceBefore, sourceAfter } = resolved;
  return {
    file,
    line,
    column,
    inApp,
    function: resolved.function,
    source,
    sourceBefore,
    sourceAfter,
    vars,
  };
}

/** The report with the resolved frames in its stack, its causes and its component stack. */
export function toOriginalReport(report: Report, resolutions: StackResolutions): Report {
  const [error = [], ...ofCauses] = resolutions;
  const { frames, causes, componentStack } = report;
  const ofComponents = ofCauses[causes?.length ?? 0];
  return {
    ...report,
    frames: frames.map((frame, n) => toOriginalFrame(frame, error[n])),
    causes: causes?.map((cause, nth) => ({
      ...cause,
      frames: cause.frames.map((frame, n) => toOriginalFrame(frame, ofCauses[nth]?.[n])),
    })),
    componentStack:
      componentStack === undefined || ofComponents === undefined
        ? componentStack
        : toOriginalComponentStack(componentStack, ofComponents),
  };
}

/** True if at least one frame is resolved. */
export function hasResolvedFrames(resolutions: StackResolutions): boolean {
  return resolutions.some((stack) => stack.some(({ kind }) => kind === "resolved"));
}
