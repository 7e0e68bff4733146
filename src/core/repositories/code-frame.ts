/** A frame of a report as links to code and owners of code see it. */
import type { Frame } from "../report.ts";
import type { FrameResolution } from "../symbolication/resolution.ts";
import type { CodeFrame } from "./frame-path.ts";

/** The frame as a source map names it; without a resolution, as it was sent. */
export function toCodeFrame(frame: Frame, resolution?: FrameResolution): CodeFrame {
  if (resolution?.kind !== "resolved") return frame;
  const { file, line, inApp } = resolution;
  return { file, line, inApp, isResolved: true };
}
