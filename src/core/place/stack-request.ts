/** The request about sent stacks of issues, and the places in its answer. Pure. */
import { limits } from "../limits.ts";
import { parseSentStack } from "../report/sent-stack.ts";
import { scrubTextSecrets } from "../scrubbing/scrub-text.ts";
import { SECRET_PATTERNS } from "../scrubbing/secret-patterns.ts";
import type { FrameResolution, ResolveRequest } from "../symbolication/resolution.ts";
import { truncateText } from "../truncate.ts";
import type { StackKey, StackResolution, UnresolvedStack } from "./stack-counts.ts";

/** The request about one sent stack. */
export function toResolveRequest({
  stack,
  release,
  dist,
  pageHost,
  firstMs,
}: UnresolvedStack): ResolveRequest {
  const frames = parseSentStack(stack);
  const ids = new Map(frames.map(({ file, debugIds = [] }) => [file, debugIds]));
  return {
    stacks: [frames.map(({ debugIds: _, ...frame }) => frame)],
    origins: [{ pageHost, atMs: firstMs }],
    images: [...ids].flatMap(([file, own]) => own.map((debugId) => ({ file, debugId }))),
    withoutLines: true,
    release,
    dist,
  };
}

/** The place of a stack: the first resolved frame of the application, if there is one. */
export function toStackResolution(
  key: StackKey,
  resolutions: readonly FrameResolution[],
): StackResolution {
  const at = resolutions.findIndex((frame) => frame.kind === "resolved" && frame.inApp);
  const top = resolutions[at];
  if (top?.kind !== "resolved") return { ...key, frames: 0 };
  const name = top.function;
  const place = {
    file: toText(top.file),
    line: top.line,
    function: name === undefined ? undefined : toText(name),
  };
  return { ...key, frames: at + 1, place };
}

/** The words by which searches find the resolved frames of the application. */
export function toSearchWords(resolutions: readonly FrameResolution[]): string {
  const words = resolutions.flatMap((frame) =>
    frame.kind === "resolved" && frame.inApp
      ? [`${toText(frame.file)}:${frame.line}`, toText(frame.function ?? "")]
      : [],
  );
  return [...new Set(words)].filter((word) => word !== "").join(" ");
}

/** Source names may contain secrets, and may have any length. */
function toText(text: string): string {
  return truncateText(scrubTextSecrets(text, SECRET_PATTERNS), limits.maxPlaceChars);
}
