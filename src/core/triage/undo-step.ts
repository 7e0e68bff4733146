/** Undo of the last actions of members: the changes of each, and the values before them. */

import type { Decision } from "../issue/issue.ts";
import type { Digest } from "../report.ts";

/** The change of one issue. `atMs` is its time: a later change is not undone. */
export type UndoStep = { readonly digest: Digest; readonly atMs: number } & (
  | { readonly change: "decision"; readonly before?: Decision }
  | { readonly change: "assignee"; readonly before?: string; readonly to?: string }
  | { readonly change: "merge"; readonly from: readonly Digest[] }
);

export interface UndoResult {
  readonly change: UndoStep["change"];
  /** The restored issues. */
  readonly digests: readonly Digest[];
}

/** Decodes the steps of an action; null for another version. */
export function parseUndoSteps(value: unknown): readonly UndoStep[] | null {
  return Array.isArray(value) ? value : null;
}
