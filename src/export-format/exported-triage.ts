/** Parses exported decisions, annotations and saved views. Every member is checked. */

import { asRecord } from "../core/decode/as-type.ts";
import type { ActivityEntry, Annotations } from "../core/issue/annotations.ts";
import type { IssueDecision } from "../core/issue/decision.ts";
import type { Decision, IssueState } from "../core/issue/issue.ts";
import { ISSUE_SORTS, type IssueSort, type SavedView } from "../core/issue/issue-query.ts";
import { limits } from "../core/limits.ts";
import type { Digest } from "../core/report.ts";
import { ok, type Result } from "../core/result.ts";
import type { Trust } from "../core/trust/trust.ts";
import { digestSchema, hexIdSchema, networkSketchSchema } from "./exported-report.ts";
import {
  enumSchema,
  failMismatch,
  listSchema,
  objectSchema,
  positiveInteger,
  refine,
  type Schema,
  type SchemaMismatch,
  textSchema,
  timestampMs,
  trueSchema,
} from "./schema.ts";

const releaseSchema = textSchema(limits.maxReleaseChars);
const versionSchema = refine((value) => value === 1, "1");
const decisionSchema = objectSchema<Decision>({
  v: versionSchema,
  state: enumSchema<IssueState>({ open: true, resolved: true, ignored: true, muted: true }),
  atMs: timestampMs,
  release: { optional: releaseSchema },
  inNextRelease: { optional: trueSchema },
  untilMs: { optional: timestampMs },
  untilCount: { optional: positiveInteger },
  forCount: { optional: positiveInteger },
  regressedAtMs: { optional: timestampMs },
  regressedInRelease: { optional: releaseSchema },
  resolvedInRelease: { optional: releaseSchema },
  trust: { optional: enumSchema<Trust>({ server: true, page: true, public: true }) },
  publicNetworks: { optional: networkSketchSchema },
});

/** A decision about an issue. The line has the digest next to the decision's members. */
export function parseIssueDecision(value: unknown): Result<IssueDecision, SchemaMismatch> {
  const digest = parseIssueDigest(value);
  if (!digest.ok) return digest;
  const result = decisionSchema(value);
  return result.ok ? ok({ digest: digest.value, decision: result.value }) : result;
}

const nameSchema = textSchema(limits.maxAssigneeChars);
const activityBase = { atMs: timestampMs, by: { optional: nameSchema } } as const;

type ActivityAction = ActivityEntry["action"];
type ActivityOf<D extends ActivityAction> = Extract<ActivityEntry, { action: D }>;

/** Exactly this action. */
function actionSchema<D extends ActivityAction>(action: D): Schema<D> {
  return refine((value): value is D => value === action, action);
}

const ACTIVITY_SCHEMAS: { readonly [D in ActivityAction]: Schema<ActivityEntry> } = {
  commented: objectSchema<ActivityOf<"commented">>({
    ...activityBase,
    action: actionSchema("commented"),
    id: hexIdSchema,
    text: textSchema(limits.maxCommentChars),
  }),
  assigned: objectSchema<ActivityOf<"assigned">>({
    ...activityBase,
    action: actionSchema("assigned"),
    to: nameSchema,
  }),
  unassigned: objectSchema<ActivityOf<"unassigned">>({
    ...activityBase,
    action: actionSchema("unassigned"),
  }),
  opened: objectSchema<{ atMs: number; by?: string; action: "opened" }>({
    ...activityBase,
    action: actionSchema("opened"),
  }),
  muted: objectSchema<{ atMs: number; by?: string; action: "muted" }>({
    ...activityBase,
    action: actionSchema("muted"),
  }),
  trusted: objectSchema<{ atMs: number; by?: string; action: "trusted" }>({
    ...activityBase,
    action: actionSchema("trusted"),
  }),
  resolved: objectSchema<ActivityOf<"resolved">>({
    ...activityBase,
    action: actionSchema("resolved"),
    release: { optional: releaseSchema },
    inNextRelease: { optional: trueSchema },
  }),
  ignored: objectSchema<ActivityOf<"ignored">>({
    ...activityBase,
    action: actionSchema("ignored"),
    untilMs: { optional: timestampMs },
    untilCount: { optional: positiveInteger },
  }),
  regressed: objectSchema<ActivityOf<"regressed">>({
    ...activityBase,
    action: actionSchema("regressed"),
    release: { optional: releaseSchema },
  }),
  merged: objectSchema<ActivityOf<"merged">>({
    ...activityBase,
    action: actionSchema("merged"),
    from: digestSchema,
  }),
  split: objectSchema<ActivityOf<"split">>({
    ...activityBase,
    action: actionSchema("split"),
    digest: digestSchema,
  }),
};

const activitySchema: Schema<ActivityEntry> = (value) => {
  const action = asRecord(value)?.action;
  const isKnown = typeof action === "string" && Object.hasOwn(ACTIVITY_SCHEMAS, action);
  return isKnown
    ? ACTIVITY_SCHEMAS[action as ActivityAction](value)
    : failMismatch("a known action", "action");
};

/** Watermarks are only valid in the project that exported them, so `splitOff` is not imported. */
const annotationsSchema = objectSchema<Omit<Annotations, "splitOff">>({
  v: versionSchema,
  assignee: { optional: nameSchema },
  mergedInto: { optional: digestSchema },
  activity: listSchema(activitySchema, limits.maxActivityPerIssue),
});

/** The annotations of an issue. The line has the digest next to their members. */
export function parseAnnotations(
  value: unknown,
): Result<{ readonly digest: Digest; readonly annotations: Annotations }, SchemaMismatch> {
  const digest = parseIssueDigest(value);
  if (!digest.ok) return digest;
  const result = annotationsSchema(value);
  return result.ok ? ok({ digest: digest.value, annotations: result.value }) : result;
}

export function parseSavedView(value: unknown): Result<SavedView, SchemaMismatch> {
  return objectSchema<Omit<SavedView, "feedHash">>({
    name: textSchema(limits.maxViewNameChars),
    query: textSchema(limits.maxIssueQueryChars),
    sort: refine(
      (sort): sort is IssueSort => ISSUE_SORTS.some((one) => one === sort),
      ISSUE_SORTS.join(", "),
    ),
  })(value);
}

function parseIssueDigest(value: unknown): Result<Digest, SchemaMismatch> {
  const digest = digestSchema(asRecord(value)?.digest);
  return digest.ok ? digest : failMismatch(digest.expected, "digest");
}
