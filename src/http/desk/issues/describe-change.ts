/** Describes changes of issues for the audit log: "muted FVR4-JGF0". */

import { parseDigest } from "../../../core/grouping/parse-digest.ts";
import type { AnnotationChange } from "../../../core/issue/annotations.ts";
import type { DecisionInput } from "../../../core/issue/decision.ts";
import type { Digest } from "../../../core/report.ts";
import { HOUR_MS } from "../../../core/utc-time.ts";
import type { AppContext } from "../../context.ts";
import { readForm } from "../../forms/form-body.ts";
import { parseAnnotationForm } from "./annotation-form.ts";
import { type BulkAction, parseBulkActionForm } from "./bulk-action-form.ts";
import { parseDecisionForm } from "./decision-form.ts";
import { isMember } from "./is-member.ts";

/** The decision of `POST /d/<digest>/state`; undefined for an invalid form. */
export async function describeDecision(c: AppContext): Promise<string | undefined> {
  const digest = parseDigest(c.req.param("digest") ?? "");
  const form = await readForm(c.req.raw, "bad-decision", parseDecisionForm);
  return form.ok && digest.ok ? toDecisionText(form.value, digest.value) : undefined;
}

/**
 * The change of `POST /d/<digest>/annotations`; undefined for an invalid form, null for a change
 * that the registry records itself.
 */
export async function describeAnnotation(c: AppContext): Promise<string | null | undefined> {
  const digest = parseDigest(c.req.param("digest") ?? "");
  if (!digest.ok) return undefined;
  const options = { digest: digest.value, newId: () => "" };
  const form = await readForm(c.req.raw, "bad-annotation", (fields) =>
    parseAnnotationForm(fields, options),
  );
  if (!form.ok) return undefined;
  const { change, digest: changed } = form.value;
  if (change.change === "stack") return null;
  if (change.change === "assign" && !(await canAssign(c, change.to))) return undefined;
  return toAnnotationText(change, changed);
}

/** The action of `POST /issues/state`; undefined for an invalid form. */
export async function describeBulkAction(c: AppContext): Promise<string | undefined> {
  const form = await readForm(c.req.raw, "bad-bulk-action", parseBulkActionForm, "digest");
  if (!form.ok) return undefined;
  const { target, action } = form.value;
  if (action.kind === "assign" && !(await canAssign(c, action.to))) return undefined;
  return toBulkText(target, action);
}

async function canAssign(c: AppContext, to: string | undefined): Promise<boolean> {
  return to === undefined || (await isMember(c, to));
}

function toBulkText(target: BulkAction["target"], action: BulkAction["action"]): string {
  // A query may contain personal data, which an erasure could not remove from the audit log.
  const issues = "query" in target ? "the issues of a search" : toIssuesText(target.digests);
  switch (action.kind) {
    case "decide":
      return toDecisionText(action.decision, issues);
    case "assign":
      return toAssignText(issues, action.to);
    case "merge": {
      const [into = "", ...from] = "digests" in target ? target.digests : [];
      return `merged ${toIssuesText(from)} into ${into}`;
    }
  }
}

function toDecisionText(decision: DecisionInput, issues: string): string {
  switch (decision.state) {
    case "open":
      return `reopened ${issues}`;
    case "muted":
      return `muted ${issues}`;
    case "resolved": {
      const { release, inNextRelease } = decision;
      if (inNextRelease) return `resolved ${issues} in the next release`;
      return `resolved ${issues}${release === undefined ? "" : ` in ${release}`}`;
    }
    case "ignored": {
      const { forMs, forCount } = decision;
      const conditions = [
        ...(forMs === undefined ? [] : [` for ${toDurationText(forMs)}`]),
        ...(forCount === undefined ? [] : [` until ${forCount} more reports`]),
      ];
      return `ignored ${issues}${conditions.join(" or")}`;
    }
  }
}

function toAnnotationText(change: AnnotationChange, digest: Digest): string {
  switch (change.change) {
    case "comment":
      return `commented on ${digest}`;
    case "delete-comment":
      return `deleted a comment on ${digest}`;
    case "assign":
      return toAssignText(digest, change.to);
    case "merge":
      return `merged ${toIssuesText(change.from)} into ${digest}`;
    case "split":
      return `split ${change.digest} off ${digest}`;
  }
}

function toAssignText(issues: string, to: string | undefined): string {
  return to === undefined ? `unassigned ${issues}` : `assigned ${issues} to ${to}`;
}

function toIssuesText(digests: readonly Digest[]): string {
  return digests.length === 1 ? `${digests[0]}` : `${digests.length} issues`;
}

/** The longest unit first. */
const UNITS = [
  ["a week", "weeks", 168 * HOUR_MS],
  ["a day", "days", 24 * HOUR_MS],
  ["an hour", "hours", HOUR_MS],
] as const;

/** A duration in whole hours: "a week", "3 days". */
function toDurationText(ms: number): string {
  const [one, several, unitMs] = UNITS.find(([, , unit]) => ms % unit === 0) ?? UNITS[2];
  return ms === unitMs ? one : `${ms / unitMs} ${several}`;
}
