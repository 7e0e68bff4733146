/**
 * The details of an issue that one of its reports has: the throwing frame, its line of source, the
 * cause, the route. Pure.
 */
import { asRecord, asText } from "../decode/as-type.ts";
import { chooseError } from "../grouping/grouping.ts";
import { DEFAULT_LEVEL, getReportLevel } from "../report/level.ts";
import { joinTypeAndMessage } from "../report/title.ts";
import type { Frame, Report, ReportedError } from "../report.ts";
import { parseBrowserName } from "../request/browser-name.ts";
import { looksBundled } from "../symbolication/report/explain-frame.ts";
import { toOriginalFrame } from "../symbolication/report/original-stack.ts";
import type { FrameResolution } from "../symbolication/resolution.ts";
import { truncateText } from "../truncate.ts";
import type { AlertedIssue } from "./alert-message.ts";

/** The members of an alerted issue that its reports and its releases have. */
export type IssueDetails = Pick<
  AlertedIssue,
  | ("place" | "source" | "missingMap" | "cause" | "route" | "browser" | "level" | "logger")
  | "deployedMs"
>;

const MAX_SOURCE_CHARS = 200;
const MAX_PATH_CHARS = 100;
const MAX_CAUSES = 20;
const PATH_FOLDERS = 2;

/** The details of a report. `resolutions` are those of its own frames, if the maps were asked. */
export function describeReport(
  report: Report,
  resolutions: readonly FrameResolution[] = [],
): IssueDetails {
  const { kind, side, request, detail, release } = report;
  const level = getReportLevel(report);
  const { logger, transaction } = asRecord(detail) ?? {};
  const { route, method = "GET", userAgent } = request ?? {};
  const isRead = method === "GET" || method === "HEAD";
  return {
    ...describeThrow(report, resolutions, release),
    cause: findCause(report),
    route: route === undefined ? asText(transaction) : isRead ? route : `${method} ${route}`,
    browser: side === "browser" && userAgent ? describeBrowser(userAgent) : undefined,
    level: level === DEFAULT_LEVEL ? undefined : level,
    logger: kind === "message" ? asText(logger) : undefined,
  };
}

/** The place and the source of the throwing frame of the application. */
function describeThrow(
  report: Report,
  resolutions: readonly FrameResolution[],
  release: string | undefined,
): Pick<IssueDetails, "place" | "source" | "missingMap"> {
  const { error } = chooseError(report);
  const isOwn = error.frames.length === 0 || error.frames === report.frames;
  const sent = isOwn ? report.frames : error.frames;
  const frames = isOwn ? sent.map((frame, n) => toOriginalFrame(frame, resolutions[n])) : sent;
  const found = frames.findIndex(({ inApp }) => inApp);
  const at = Math.max(found, 0);
  const frame = frames[at];
  if (frame?.file === undefined && frame?.function === undefined) return {};
  const resolution = isOwn ? resolutions[at] : undefined;
  const isBuilt = resolution?.kind !== "resolved" && looksBundled(frame);
  const isMissing = isBuilt && resolution?.kind === "unmapped" && EXPECTED.has(resolution.reason);
  const source = isBuilt ? "" : (frame.source ?? "").trim();
  return {
    place: formatThrow(frame, report, isBuilt),
    source: source === "" ? undefined : truncateText(source, MAX_SOURCE_CHARS),
    missingMap: isMissing ? (release ?? "") : undefined,
  };
}

/** Reasons that an upload would remove. */
const EXPECTED: ReadonlySet<string> = new Set(["nothing-uploaded", "other-url", "map-missing"]);

/** `src/cart/total.ts:41 in addItem`; of a built script, the file alone, with the column. */
function formatThrow(frame: Frame, { platform }: Report, isBuilt: boolean): string {
  const { line, column } = frame;
  const path = isBuilt ? toFileName(frame.file ?? "") : toPath(frame, platform);
  const position = [line, isBuilt ? column : undefined].filter((part) => part !== undefined);
  const name = toFunctionName(frame.function);
  const place = [path, ...position].filter((part) => part !== "").join(":");
  if (name === undefined) return place;
  return place === "" ? name : `${place} in ${name}`;
}

/**
 * A relative path as it is; of a URL or an absolute path the file with its last two folders. The
 * JVM names the package instead of the folders.
 */
function toPath({ file = "", absPath, module }: Frame, platform: Report["platform"]): string {
  const path = cleanPath(file);
  if (platform === "java" && !path.includes("/") && module?.includes(".") === true)
    return truncateText(`${module.split(".").slice(0, -1).join("/")}/${path}`, MAX_PATH_CHARS);
  if (!path.includes("/") && absPath !== undefined && !/^\w+:\/\//.test(absPath))
    return toPath({ file: absPath, inApp: true }, platform);
  const isRelative = !/^(?:\/|[A-Za-z]:\/|\w+:\/\/)/.test(path);
  if (isRelative && path.length <= MAX_PATH_CHARS) return path.replace(/^(?:\.\/)+/, "");
  const parts = path.replace(/^\w+:\/\/[^/]*/, "").split("/");
  return parts
    .filter((part) => part !== "")
    .slice(-1 - PATH_FOLDERS)
    .join("/");
}

function cleanPath(file: string): string {
  return file
    .slice(0, 2_000)
    .replace(/[?#].*$/s, "")
    .replaceAll("\\", "/");
}

function toFileName(file: string): string {
  const path = cleanPath(file);
  return path.slice(path.lastIndexOf("/") + 1);
}

function toFunctionName(name: string | undefined): string | undefined {
  const bare = name?.replace(/^(?:async )?(?:(?:Object|Module|exports|globalThis)\.)?/, "");
  return bare === undefined || bare === "" || /^[<?]/.test(bare) ? undefined : bare;
}

/** The innermost cause: the chain from the error through its first causes. */
function findCause(report: Report): string | undefined {
  const causes = (report.causes ?? []).slice(0, MAX_CAUSES);
  let current: ReportedError = report;
  let number = 0;
  for (const [index, cause] of causes.entries()) {
    const isNext = (cause.parent ?? index) === number && cause.isSuppressed !== true;
    if (!isNext || current.isGroup === true) continue;
    current = cause;
    number = index + 1;
  }
  return number === 0 ? undefined : joinTypeAndMessage(current);
}

const SYSTEMS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ["iOS", /\b(?:iPhone|iPad)\b/],
  ["Android", /\bAndroid\b/],
  ["Windows", /\bWindows NT\b/],
  ["macOS", /\bMac OS X\b/],
  ["Linux", /\bLinux\b/],
];

/** `Safari 17, iOS`. */
function describeBrowser(userAgent: string): string | undefined {
  const name = parseBrowserName(userAgent);
  const system = SYSTEMS.find(([, pattern]) => pattern.test(userAgent))?.[0];
  return name === undefined || system === undefined ? name : `${name}, ${system}`;
}
