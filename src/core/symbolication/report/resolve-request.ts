/** The request of a report to the uploaded source maps. Pure. */
import { asRecord, asText } from "../../decode/as-type.ts";
import { limits } from "../../limits.ts";
import { selectDebugImages } from "../../report/debug-images.ts";
import type { Frame, Report } from "../../report.ts";
import { createMappedTest } from "../../scripts/can-have-map.ts";
import { getPageHost } from "../../scripts/script-address.ts";
import { truncateOneLine } from "../../truncate.ts";
import type { ResolveRequest, SentFrame } from "../resolution.ts";
import { parseComponentFrames } from "./component-stack.ts";
import type { NamedBuild } from "./upload-command.ts";

/**
 * The stacks of the report, of the error first, then of each cause, then of the components if they
 * name scripts, with the debug ids of their files. Null if no frame names a file.
 */
export function createResolveRequest(
  report: Pick<
    Report,
    | ("format" | "frames" | "causes" | "componentStack" | "detail" | "release")
    | ("request" | "occurredAtMs")
  >,
): ResolveRequest | null {
  const components = parseComponentFrames(report.componentStack);
  const stacks = [
    report.frames,
    ...(report.causes ?? []).map(({ frames }) => frames),
    ...(components.length > 0 ? [components] : []),
  ];
  const sent = stacks.map((frames) => {
    const isMapped = createMappedTest(
      report,
      frames.map(({ file }) => file),
    );
    return frames.map((frame) => toSentFrame(frame, isMapped(frame.file)));
  });
  const files = new Set(sent.flat().flatMap(({ file }) => file ?? []));
  if (files.size === 0) return null;
  const pageHost = getPageHost(report.request?.url);
  const origin = { pageHost, atMs: report.occurredAtMs };
  return {
    stacks: sent,
    origins: stacks.map(() => origin),
    images: selectDebugImages(report.detail, files),
    ...getNamedBuild(report),
  };
}

/** The build that the report names, as uploads name it. Only Sentry events have a dist. */
export function getNamedBuild({ release, detail }: Pick<Report, "release" | "detail">): NamedBuild {
  return {
    release: truncateOneLine(release, limits.maxReleaseChars),
    dist: truncateOneLine(asText(asRecord(detail)?.dist), limits.maxReleaseChars),
  };
}

/** A frame without a file is not resolved. */
function toSentFrame(frame: Frame, isMapped: boolean): SentFrame {
  const { file, line, column, function: name } = frame;
  return { ...(!isMapped && { file }), line, column, function: name };
}
