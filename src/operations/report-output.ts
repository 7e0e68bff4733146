/** Reports as programs read them, with their stacks in the original source next to those sent. */
import * as v from "valibot";
import {
  listReactErrors,
  needsReactTexts,
  type ReactTexts,
} from "../core/error-codes/react-error.ts";
import type { Frame, Report } from "../core/report.ts";
import { toCodeFrame } from "../core/repositories/code-frame.ts";
import type { CodeFinder } from "../core/repositories/source-link.ts";
import { list, tuple, variant } from "../core/schema/stored-object.ts";
import { toOriginalComponentStack } from "../core/symbolication/report/component-stack.ts";
import { explainStack } from "../core/symbolication/report/explain-frame.ts";
import { mergeRequests, splitResponse } from "../core/symbolication/report/merge-requests.ts";
import { getResolutions, type Symbolication } from "../core/symbolication/report/original-stack.ts";
import {
  createResolveRequest,
  getNamedBuild,
} from "../core/symbolication/report/resolve-request.ts";
import type { NamedBuild } from "../core/symbolication/report/upload-command.ts";
import type {
  FrameResolution,
  MatchMethod,
  UnmappedReason,
} from "../core/symbolication/resolution.ts";
import { flag, grouping, noiseRule, number, reportKind, side } from "./issue-output.ts";
import { type Call, orNull } from "./operation.ts";
import {
  byErrata,
  byMember,
  reported,
  reportedByAnyone,
  reportedJson,
  time,
  trustLevel,
} from "./provenance.ts";

/**
 * The resolutions of the frames of reports, in their order: null without frames that name a file.
 * One RPC for all reports of a build. `isAsSent` asks for none. Never rejects.
 */
export async function symbolicate(
  { services }: Pick<Call, "services">,
  reports: readonly (Report | null)[],
  isAsSent = false,
): Promise<readonly (Symbolication | null)[]> {
  const requests = reports.map((report) => report && createResolveRequest(report));
  if (isAsSent) return requests.map((request) => request && { state: "as-sent" });
  const answers = await Promise.all(
    mergeRequests(requests).map(async (merged) => {
      const stacks = await orNull(services, services.sourceMaps.resolveStacks(merged.request));
      return stacks === null ? [] : [...splitResponse(merged, stacks)];
    }),
  );
  const byIndex = new Map(answers.flat());
  return requests.map((request, index) => {
    const stacks = byIndex.get(index);
    if (request === null) return null;
    return stacks === undefined ? { state: "unavailable" } : { state: "resolved", stacks };
  });
}

/** The texts of React's codes; null if no report has a code. Never rejects. */
export async function readReactTextsFor(
  { services }: Pick<Call, "services">,
  reports: readonly (Report | null)[],
): Promise<ReactTexts | null> {
  const isNeeded = reports.some((report) => report !== null && needsReactTexts(report));
  return isNeeded ? services.readReactTexts() : null;
}

/** The members of a frame that both sides have. */
const position = { line: v.optional(number), column: v.optional(number) };

/** Lines of the source around a frame. */
const createSource = (by: typeof byMember) => ({
  source: v.optional(by("The source line")),
  sourceBefore: v.optional(list(by("A line before"))),
  sourceAfter: v.optional(list(by("A line after"))),
});

/** A frame as it was sent. */
export const frame = v.strictObject({
  sourceUrl: v.optional(reported("The line in the repository, unless a map resolved the frame")),
  function: v.optional(reported()),
  rawFunction: v.optional(reported("The function before the SDK shortened its name")),
  module: v.optional(reported()),
  file: v.optional(reported()),
  absPath: v.optional(reported()),
  package: v.optional(reported()),
  address: v.optional(reported()),
  imageOffset: v.optional(reported("The same from the start of the image")),
  ...position,
  inApp: v.boolean(),
  ...createSource(reported),
  vars: v.optional(reportedJson),
});

/** How a map was found, strongest first. */
const MATCH_METHODS = ["debug-id", "release", "name"] as const satisfies readonly MatchMethod[];

/** Why a frame is shown as it was sent. */
const UNMAPPED_REASONS = [
  "nothing-uploaded",
  "other-url",
  "other-debug-id",
  "other-dist",
  "other-host",
  "map-missing",
  "map-refused",
  "converting",
  "no-segment",
  "ambiguous",
  "no-position",
  "not-expected",
] as const satisfies readonly UnmappedReason["reason"][];

/** What the members of a project can do about a frame. The sentences quote reported names. */
const advice = v.optional(
  v.strictObject({
    problem: reportedByAnyone(),
    action: v.optional(byErrata()),
    command: v.optional(reportedByAnyone()),
  }),
);

/** Of a frame of the application, in the repository of the project. */
export const sourceUrl = v.optional(byMember("The line in the repository"));

const unmapped = {
  kind: v.literal("unmapped"),
  reason: v.picklist(UNMAPPED_REASONS),
  debugId: v.optional(reportedByAnyone()),
  uploadedId: v.optional(byMember()),
  uploadedUrl: v.optional(byMember("The URL of a file with the same name")),
  dists: v.optional(list(byMember("A dist that has the file; empty for none"))),
  dist: v.optional(reportedByAnyone()),
  host: v.optional(reportedByAnyone()),
  mapUrl: v.optional(byMember()),
  problem: v.optional(byMember()),
  uploads: v.optional(number),
  ...position,
};

const resolved = {
  kind: v.literal("resolved"),
  matchedBy: v.picklist(MATCH_METHODS),
  otherDist: v.optional(byMember("The dist of the upload, if it is another; empty for none")),
  builds: v.optional(number),
  unknownDebugId: v.optional(reportedByAnyone("The debug id of the report, if no upload has it")),
  otherHost: v.optional(reportedByAnyone("The host of the script, if no page is known to have it")),
  file: byMember(),
  mapSource: v.optional(byMember("The file as the map names it")),
  line: number,
  column: number,
  function: v.optional(byMember()),
  inApp: v.boolean(),
  ...createSource(byMember),
  upload: v.optional(byErrata()),
};

/** A frame in the original source, or why it has no place there. */
export const frameResolution = variant("kind", [
  v.strictObject(resolved),
  v.strictObject(unmapped),
]);

/** The same with advice, in the order of `frames`. */
export const resolvedFrames = v.optional(
  list(
    variant("kind", [
      v.strictObject({ sourceUrl, ...resolved, advice }),
      v.strictObject({ ...unmapped, advice }),
    ]),
  ),
);

const error = {
  type: reported("The type of the error, or the violated rule"),
  typeModule: v.optional(reported()),
  message: reported(),
  frames: list(frame),
  resolvedFrames,
  isGroup: v.optional(flag),
};

/** What the URLs of source lead to. Without the commit of the release, it is a branch. */
export const sourceRevisions = v.optional(
  list(
    v.strictObject({
      repository: byMember("The path of the repository on its host: acme/shop"),
      commit: v.optional(byMember()),
      branch: v.optional(byMember()),
    }),
  ),
);

/** A report. The times are in ms; frames are newest first, breadcrumbs oldest first. */
export const reportOutput = v.strictObject({
  id: byErrata(),
  eventId: v.optional(reported("The id that the sender gave it, if that differs")),
  digest: byErrata(),
  isLinked: v.boolean(),
  trust: trustLevel,
  kind: reportKind,
  side,
  format: byErrata("The wire format: reporter, sentry, otlp"),
  platform: v.optional(byErrata("The runtime, if it is not JavaScript: python")),
  ...error,
  causes: v.optional(
    list(
      v.strictObject({
        ...error,
        parent: v.optional(number),
        isSuppressed: v.optional(flag),
        isContext: v.optional(flag),
      }),
    ),
  ),
  decodedErrors: v.optional(
    list(
      v.strictObject({
        code: byErrata("The code of React in a message of the report or its causes: 418"),
        text: reported("Its text, with the arguments of the message"),
        version: byErrata("The version of React that has this text"),
      }),
    ),
  ),
  symbolication: v.optional(v.picklist(["resolved", "as-sent", "unavailable"])),
  sourceRevisions,
  template: v.optional(
    v.strictObject({
      text: reported("The message before its parameters were inserted"),
      params: v.optional(reportedJson),
    }),
  ),
  level: v.optional(reported("The severity, in the words of the sender")),
  stack: v.optional(reported()),
  componentStack: v.optional(reported("The components of React")),
  resolvedComponentStack: v.optional(reported()),
  request: v.optional(
    v.strictObject({
      method: v.optional(reported()),
      url: v.optional(reported()),
      query: v.optional(reported("The query, if it was sent apart")),
      route: v.optional(reported()),
      headers: v.optional(list(tuple([reported(), reported()]))),
      userAgent: v.optional(reported()),
    }),
  ),
  response: v.optional(v.strictObject({ status: number, isSilent200: v.boolean() })),
  release: v.optional(reported()),
  environment: v.optional(reported()),
  traceId: v.optional(reported()),
  pageTraceId: v.optional(reported()),
  rayId: v.optional(reported("Cloudflare’s id of the request")),
  tags: v.optional(list(tuple([reported(), reported()]))),
  breadcrumbs: v.optional(
    list(
      v.strictObject({
        atMs: v.optional(time),
        category: v.optional(reported()),
        level: v.optional(reported()),
        message: reported(),
        data: v.optional(reportedJson),
      }),
    ),
  ),
  detail: v.optional(reportedJson),
  attachments: v.optional(
    list(
      v.strictObject({
        name: reported(),
        type: v.optional(reported()),
        bytes: number,
        text: v.optional(reported()),
        base64: v.optional(reported()),
        notKept: v.optional(v.picklist(["too-large", "over-count"])),
      }),
    ),
  ),
  aliases: v.optional(list(reported())),
  fingerprint: v.optional(list(reported())),
  blockedUri: v.optional(reported("The resource that a policy blocked")),
  truncated: v.optional(list(byErrata())),
  grouping: v.optional(grouping),
  noise: v.optional(noiseRule),
  senderKey: v.optional(byErrata("The id of the public key that sent it")),
  occurredAtMs: time,
  receivedAtMs: time,
  clockSkewMs: v.optional(number),
  scrubbedCount: number,
});

/**
 * The report; `resolvedFrames` of the report and of each cause has a member for each of `frames`.
 * `symbolication` says whether maps were asked; it is absent if no frame names a file. Without a
 * finder, frames have no URLs of source.
 */
export function toReportOutput(
  report: Report,
  symbolication: Symbolication | null,
  project: string,
  reactTexts: ReactTexts | null,
  finder?: CodeFinder,
): v.InferOutput<typeof reportOutput> {
  const [ofError, ...ofCauses] = getResolutions(symbolication);
  const build = { ...getNamedBuild(report), project };
  const { causes, componentStack } = report;
  const ofComponents = ofCauses[causes?.length ?? 0];
  const toStack = (frames: readonly Frame[], resolutions: readonly FrameResolution[] | undefined) =>
    toStackOutput(frames, resolutions, build, finder);
  return {
    ...report,
    decodedErrors: toDecodedErrors(report, reactTexts),
    symbolication: symbolication?.state,
    sourceRevisions: finder && listRevisions(report, symbolication, finder),
    ...toStack(report.frames, ofError),
    causes: causes?.map((cause, n) => ({ ...cause, ...toStack(cause.frames, ofCauses[n]) })),
    resolvedComponentStack:
      componentStack === undefined || ofComponents === undefined
        ? undefined
        : toOriginalComponentStack(componentStack, ofComponents),
  };
}

/** The links of a stack, one for each frame. */
function listLinks(
  frames: readonly Frame[],
  resolutions: readonly FrameResolution[] = [],
  { findLink }: CodeFinder,
) {
  return frames.map((frame, n) => findLink(toCodeFrame(frame, resolutions[n])));
}

function toStackOutput(
  frames: readonly Frame[],
  resolutions: readonly FrameResolution[] | undefined,
  build: NamedBuild,
  finder: CodeFinder | undefined,
) {
  const links = finder === undefined ? [] : listLinks(frames, resolutions, finder);
  const isResolved = (n: number) => resolutions?.[n]?.kind === "resolved";
  return {
    frames: frames.map((frame, n) => ({
      ...frame,
      sourceUrl: isResolved(n) ? undefined : links[n]?.url,
    })),
    resolvedFrames: toResolvedFrames(frames, resolutions, build)?.map((frame, n) => ({
      ...frame,
      ...(isResolved(n) && { sourceUrl: links[n]?.url }),
    })),
  };
}

/** The revision of each repository that a frame leads to; undefined without any. */
function listRevisions(
  { frames, causes = [] }: Report,
  symbolication: Symbolication | null,
  finder: CodeFinder,
): v.InferOutput<typeof sourceRevisions> {
  const [ofError, ...ofCauses] = getResolutions(symbolication);
  const links = [
    ...listLinks(frames, ofError, finder),
    ...causes.flatMap((cause, n) => listLinks(cause.frames, ofCauses[n], finder)),
  ].filter((link) => link !== undefined);
  const revisions = new Map(
    links.map(({ repository, revision }) => [repository, { repository, ...revision }]),
  );
  return revisions.size === 0 ? undefined : [...revisions.values()];
}

function toDecodedErrors(report: Report, texts: ReactTexts | null) {
  const decoded = texts === null ? [] : listReactErrors(report, texts);
  return decoded.length === 0 ? undefined : [...decoded];
}

function toResolvedFrames(
  frames: readonly Frame[],
  resolutions: readonly FrameResolution[] | undefined,
  build: NamedBuild,
) {
  if (resolutions === undefined) return undefined;
  const found = explainStack(frames, resolutions, build);
  return resolutions.map((resolution, index) => ({ ...resolution, advice: found.get(index) }));
}
