/** Decides whether a coding agent may get an issue. Pure. */
import { getCurrentState } from "../../issue/decision.ts";
import { type FixRecord, findCurrentChange, findCurrentHandOff } from "../../issue/fix-record.ts";
import type { Issue } from "../../issue/issue.ts";
import type { HandOffRefusal } from "../hand-off.ts";
import { isQuietIssue } from "./quiet-issues.ts";

/** The facts that decide about a hand-off. */
interface JudgedHandOff {
  /** Null if the issue was erased. */
  readonly issue: Issue | null;
  readonly record: FixRecord | undefined;
  /** True if a member asks for it: noise and deploys are for the member to judge. */
  readonly isByMember: boolean;
  /** True if a member asks for it although an agent has the issue, or a change is proposed. */
  readonly isAgain?: boolean | undefined;
  readonly nowMs: number;
}

/** Why the issue is not handed off; null if it may be. The daily cap is not judged here. */
export function judgeHandOff({
  issue,
  record = {},
  isByMember,
  isAgain = false,
  nowMs,
}: JudgedHandOff): HandOffRefusal | null {
  if (issue === null) return "not-open";
  if (issue.trust !== "server") return "untrusted";
  if (getCurrentState(issue, nowMs) !== "open") return "not-open";
  if (!isByMember && (issue.noise !== undefined || isQuietIssue(issue))) return "noise";
  const { skew } = issue;
  if (!isByMember && skew !== undefined && skew.quietCount >= issue.count) return "deploy";
  if (isAgain) return null;
  if (findCurrentHandOff(record) !== undefined) return "handed-off";
  return findCurrentChange(record) === undefined ? null : "being-fixed";
}
