/** Chooses the error of a report that its title and its culprit name. Pure. */
import { buildErrorTree, type ErrorNode } from "../report/error-tree.ts";
import type { Cause, Platform, ReportedError } from "../report.ts";

/** The error that stands for a report. */
export interface ChosenError {
  readonly error: ReportedError;
  /** 0 for the report's own error, n for `causes[n - 1]`. */
  readonly index: number;
  /** How many further different members its group has. */
  readonly others: number;
}

/** The first member of a group, of a group in it too; otherwise the error itself. */
export function chooseError(
  error: ReportedError & { readonly causes?: readonly Cause[]; readonly platform?: Platform },
): ChosenError {
  let node = buildErrorTree(error);
  let others = 0;
  while (node.error.isGroup && node.children[0] !== undefined) {
    others += new Set(node.children.map(toIdentity)).size - 1;
    node = node.children[0];
  }
  return { error: node.error, index: node.index, others };
}

function toIdentity({ error: { type, message } }: ErrorNode): string {
  return JSON.stringify([type, message]);
}
