/** The errors of a report as a chain of causes. Pure. */
import { buildErrorTree, type ErrorNode, findCause, isGroup } from "./error-tree.ts";

/**
 * The chain from the root to the error that was reported. It ends below a group, whose members are
 * no causes of each other. Errors beside the chain stay children of the node that they belong to.
 */
export function listChain(report: Parameters<typeof buildErrorTree>[0]): readonly ErrorNode[] {
  const chain: ErrorNode[] = [];
  let node: ErrorNode | undefined = buildErrorTree(report);
  while (node !== undefined) {
    chain.unshift(node);
    node = isGroup(node) ? undefined : findCause(node);
  }
  return chain;
}

/** What an error has below it besides its cause in the chain: members, or suppressed errors. */
export function listBesideChain(node: ErrorNode): readonly ErrorNode[] {
  if (isGroup(node)) return node.children;
  const cause = findCause(node);
  return node.children.filter((child) => child !== cause);
}

/**
 * The error whose stack is shown first: the root, unless it has no stack, which many languages do
 * not send for causes.
 */
export function findShownError(chain: readonly ErrorNode[]): ErrorNode | undefined {
  return chain.find(({ error }) => error.frames.length > 0) ?? chain[0];
}
