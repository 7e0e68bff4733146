/**
 * Explains why a frame is not in the original source: one sentence, one action, and its command.
 * Pages, JSON and Markdown use the same texts. Pure.
 */

import { joinWords } from "../../plain-text.ts";
import { isScriptName } from "../../scripts/can-have-map.ts";
import { truncateText } from "../../truncate.ts";
import type { FrameResolution, SentFrame, UnmappedFrame } from "../resolution.ts";
import { formatUploadCommand, type NamedBuild } from "./upload-command.ts";

/** One sentence each; `command` is for a shell. */
export interface FrameAdvice {
  readonly problem: string;
  readonly action?: string;
  readonly command?: string;
}

/** A frame as sent, with what decides whether it needs advice. */
export interface AdvisedFrame extends SentFrame {
  readonly inApp: boolean;
  /** The source line, if the sender knows it. */
  readonly source?: string;
}

/**
 * Advice by the index of its frame. Only frames of the application have any, and each problem has
 * it once per stack.
 */
export function explainStack(
  frames: readonly AdvisedFrame[],
  resolutions: readonly FrameResolution[],
  build: NamedBuild,
): ReadonlyMap<number, FrameAdvice> {
  const advice = new Map<number, FrameAdvice>();
  const seen = new Set<string>();
  const hasOwnFrames = frames.some(({ inApp }) => inApp);
  for (const [index, frame] of frames.entries()) {
    const resolution = resolutions[index];
    if (resolution === undefined) continue;
    // SDKs of Workers mark no frame as application code.
    const isOwn = hasOwnFrames ? frame.inApp : looksBundled(frame);
    if (!isAdvised(isOwn, frame, resolution)) continue;
    const kind = resolution.kind === "resolved" ? "no-text" : resolution.reason;
    const text = seen.has(kind) ? null : explainFrame(frame, resolution, build);
    if (text !== null) {
      advice.set(index, text);
      seen.add(kind);
    }
  }
  return advice;
}

/** True if a built script's frame of the application is shown as it was sent. */
export function hasMinifiedFrames(
  frames: readonly AdvisedFrame[],
  resolutions: readonly FrameResolution[],
): boolean {
  return frames.some(
    (frame, index) => resolutions[index]?.kind !== "resolved" && frame.inApp && looksBundled(frame),
  );
}

function isAdvised(isOwn: boolean, frame: AdvisedFrame, resolution: FrameResolution): boolean {
  if (resolution.kind === "resolved") return resolution.inApp;
  if (!isOwn) return false;
  return resolution.reason !== "nothing-uploaded" || looksBundled(frame);
}

const BUILT_PATH =
  /^(?:https?|app|capacitor|ionic):\/\/|[\\/](?:dist|build|\.next|_next|\.output)[\\/]/i;
const MINIFIED_COLUMN = 200;
const MINIFIED_LINE_CHARS = 500;

/**
 * True for a script that a build probably wrote. A server that runs its own `.js` files needs no
 * map: advice on each of its frames would only distract.
 */
export function looksBundled({
  file = "",
  column = 0,
  source,
}: Omit<AdvisedFrame, "inApp">): boolean {
  const path = file.replace(/[?#].*$/s, "");
  if (!isScriptName(path)) return false;
  if (column > MINIFIED_COLUMN || (source?.length ?? 0) > MINIFIED_LINE_CHARS) return true;
  return source === undefined && (BUILT_PATH.test(path) || !/[\\/]/.test(path));
}

/** The advice for one frame; null if it needs none. */
export function explainFrame(
  frame: SentFrame,
  resolution: FrameResolution,
  build: NamedBuild,
): FrameAdvice | null {
  if (resolution.kind === "unmapped") return explainUnmapped(frame, resolution, build);
  if (resolution.source !== undefined) return null;
  return {
    problem: `The map of ${toScriptName(frame.file)} does not contain the source code.`,
    action: "Configure the bundler to include sourcesContent to see source lines here.",
  };
}

function explainUnmapped(
  frame: SentFrame,
  why: UnmappedFrame,
  build: NamedBuild,
): FrameAdvice | null {
  const script = toScriptName(frame.file);
  switch (why.reason) {
    case "not-expected":
      return null;
    case "no-position":
      return { problem: `The report names no line of ${script}.` };
    case "nothing-uploaded":
      return explainMissingUpload(frame, script, why.debugId, build);
    case "other-url":
      return why.uploadedUrl === undefined
        ? {
            problem: `Release ${toName(build.release)} has uploads, but none of ${script}.`,
            action: "Upload all scripts of the build with their maps:",
            command: formatUploadCommand(build, frame.file),
          }
        : {
            problem: `Uploaded as ${toName(why.uploadedUrl)}, but the page loads ${toLoadedName(frame.file, why.uploadedUrl)}.`,
            action: "Upload with the prefix that the page uses:",
            command: formatUploadCommand(build, frame.file),
          };
    case "other-debug-id":
      return {
        problem: `The deployed ${script} (debug id ${toShortId(why.debugId)}) is not the uploaded one (${toShortId(why.uploadedId)}).`,
        action: "Inject debug ids once, then deploy and upload the same files.",
        command: "sentry-cli sourcemaps inject dist",
      };
    case "other-dist":
      return {
        problem: `${script} was uploaded for dist ${toDistNames(why.dists)}, the report names ${why.dist === undefined ? "no dist" : toName(why.dist)}.`,
        action: "Use the same dist in the application and in the upload:",
        command: formatUploadCommand(build, frame.file),
      };
    case "other-host":
      return {
        problem: `${script} is from ${toName(why.host)}. Uploads as ~/… are for the site of the page.`,
        action: "If your build made it, upload it with its full URL:",
        command: formatUploadCommand(build, frame.file, { withHost: true }),
      };
    case "map-missing":
      return why.mapUrl === undefined
        ? {
            problem: `${script} was uploaded without a map, and has no sourceMappingURL.`,
            action: "Turn on source maps in the bundler, and upload the build again.",
          }
        : {
            problem: `${script} was uploaded without its map, ${toName(why.mapUrl)}.`,
            action: "Upload the maps before a build step deletes them:",
            command: formatUploadCommand(build, frame.file),
          };
    case "map-refused":
      return {
        problem: `The map of ${script} cannot be read: ${toName(why.problem).replace(/\.$/, "")}.`,
        action: "Build again, and upload the new map.",
      };
    case "converting":
      return {
        problem: `The map of ${script} was uploaded a moment ago and is still being converted.`,
        action: "Reload this page in a minute.",
      };
    case "no-segment":
      return {
        problem: `The map of ${script} has no entry for ${formatPosition(why)}.`,
        action:
          "If the deployed file differs from the uploaded one, inject debug ids before you deploy.",
      };
    case "ambiguous":
      return {
        problem: `The report names no release. Uploads with a file named ${script}: ${why.uploads}.`,
        action: "Set the release in the application, or inject debug ids:",
        command: "sentry-cli sourcemaps inject dist",
      };
  }
}

function explainMissingUpload(
  { file }: SentFrame,
  script: string,
  debugId: string | undefined,
  build: NamedBuild,
): FrameAdvice {
  const action = "Upload the deployed build. Earlier reports become readable too:";
  if (debugId !== undefined) {
    return {
      problem: `No map for ${script} (debug id ${toShortId(debugId)}).`,
      action,
      command: formatUploadCommand(build),
    };
  }
  const { project, release } = build;
  if (release !== undefined) {
    return {
      problem: `No map for ${script}: nothing was uploaded for release ${toName(release)}.`,
      action,
      command: formatUploadCommand(build, file),
    };
  }
  return {
    problem: `No map for ${script}, and the report names neither a debug id nor a release.`,
    action: "Inject debug ids before you deploy, then upload the build:",
    command: `sentry-cli sourcemaps inject dist && ${formatUploadCommand({ project })}`,
  };
}

function formatPosition({ line, column }: { line: number; column?: number }) {
  return column === undefined ? `line ${line} without a column` : `line ${line}, column ${column}`;
}

const MAX_SHOWN_DISTS = 5;

/** `1 and 2`, `1 and none`, `1, 2, 3, 4, 5, and 2 more`. */
function toDistNames(dists: readonly string[]): string {
  const shown = dists
    .slice(0, MAX_SHOWN_DISTS)
    .map((dist) => (dist === "" ? "none" : toName(dist)));
  const hidden = dists.length - shown.length;
  return joinWords(hidden > 0 ? [...shown, `${hidden} more`] : shown, "and");
}

const NAME_CHARS = 120;
const SHORT_ID_CHARS = 8;

/** Reported text inside of a sentence: on one line, without marks that reorder the sentence. */
function toName(text: string | undefined): string {
  const name = (text ?? "").replace(/[\s\p{Cc}\p{Cf}\p{Cs}]+/gu, " ").trim();
  return name === "" ? "(unnamed)" : truncateText(name, NAME_CHARS);
}

/** `index-Cepvnn19.js` for a URL or a path. */
function toScriptName(file: string | undefined): string {
  const path = (file ?? "").replace(/[?#].*$/s, "");
  return toName(path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1));
}

/**
 * `~/assets/index.js` for a URL: the notation of uploads. The whole URL if the upload differs only
 * in the host or the query.
 */
function toLoadedName(file = "", uploadedUrl: string): string {
  const path = file.replace(/[?#].*$/s, "").replace(/^https?:\/\/[^/]*/i, "~");
  return toName(uploadedUrl.replace(/\?.*$/s, "") === path ? file : path);
}

function toShortId(id: string): string {
  return `${id.slice(0, SHORT_ID_CHARS)}…`;
}
