/** A stack in the original source if maps resolve it, and with advice if they do not. */

import { getBasePathProject } from "../../../core/accounts/project-path.ts";
import type { Frame } from "../../../core/report.ts";
import { explainStack } from "../../../core/symbolication/report/explain-frame.ts";
import { toOriginalFrame } from "../../../core/symbolication/report/original-stack.ts";
import type { NamedBuild } from "../../../core/symbolication/report/upload-command.ts";
import type { FrameResolution } from "../../../core/symbolication/resolution.ts";
import { useDesk } from "../../parts/desk-context.tsx";
import { Frames } from "./frame-list.tsx";

/** Further application frames have no lines of source: a recursion may have a hundred frames. */
const MAX_FRAMES_WITH_LINES = 20;

/** The frames as sent; `resolutions` is empty for a stack that is shown as it was sent. */
export function StackFrames({
  frames,
  resolutions,
  build,
}: {
  frames: readonly Frame[];
  resolutions: readonly FrameResolution[];
  build: NamedBuild;
}) {
  const project = getBasePathProject(useDesk().base);
  if (resolutions.length === 0) return <Frames frames={frames} />;
  return (
    <Frames
      frames={limitLines(
        frames.map((frame, index) => toOriginalFrame(frame, resolutions[index])),
        resolutions,
      )}
      resolutions={resolutions}
      advice={[...explainStack(frames, resolutions, { ...build, project })]}
    />
  );
}

/** Removes the lines of source of resolved library frames, except of the frame that threw. */
function limitLines(
  frames: readonly Frame[],
  resolutions: readonly FrameResolution[],
): readonly Frame[] {
  let shown = 0;
  return frames.map((frame, index) => {
    if (resolutions[index]?.kind !== "resolved" || frame.source === undefined) return frame;
    const hasLines = (frame.inApp || index === 0) && shown < MAX_FRAMES_WITH_LINES;
    if (hasLines) shown++;
    const { source: _, sourceBefore: _before, sourceAfter: _after, ...withoutLines } = frame;
    return hasLines ? frame : withoutLines;
  });
}
