/**
 * The errors of a report as a tree: an error with its causes, or a group with its members. Grouping
 * keys depend on it, so a change needs a new version of the grouping.
 */
import type { Cause, ReportedError } from "../report.ts";

/** One error and the errors below it: its causes, or the members of a group. */
export interface ErrorNode {
  readonly error: ReportedError & Pick<Cause, "isSuppressed" | "isContext">;
  /** 0 for the report's own error, n for `causes[n - 1]`. */
  readonly index: number;
  readonly children: readonly ErrorNode[];
}

/**
 * The tree of a report's errors. Its root is the error itself. A parent that does not come before
 * its child in the list is replaced by the error before it, so that there is no cycle.
 */
export function buildErrorTree(
  error: ReportedError & { readonly causes?: readonly Cause[] },
): ErrorNode {
  const root = { error, index: 0, children: [] as ErrorNode[] };
  const nodes: { readonly error: ErrorNode["error"]; index: number; children: ErrorNode[] }[] = [
    root,
  ];
  for (const cause of error.causes ?? []) {
    const node = { error: cause, index: nodes.length, children: [] as ErrorNode[] };
    const parent = nodes[cause.parent ?? nodes.length - 1] ?? nodes.at(-1);
    parent?.children.push(node);
    nodes.push(node);
  }
  return root;
}

/** The first cause; undefined if the error has none, or only suppressed errors. */
export function findCause({ children }: ErrorNode): ErrorNode | undefined {
  return children.find(({ error }) => error.isSuppressed !== true);
}

/** True for an error whose children are members, not causes. */
export function isGroup({ error, children }: ErrorNode): boolean {
  return children.length > 0 && error.isGroup === true;
}
