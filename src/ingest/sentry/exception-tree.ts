/**
 * Orders the exceptions of a Sentry event as a report lists them: the thrown one, then its causes
 * and members, each after its parent.
 * Source: Sentry develop docs › Event Payloads › Exception, `mechanism.exception_id`, `parent_id`;
 * getsentry/rfcs 0079.
 */
import { asRecord, type JsonFields } from "../../core/decode/as-type.ts";

/** An exception and the index of its parent in the same list; 0 for the first. */
export interface OrderedException {
  readonly exception: JsonFields;
  readonly parent: number;
}

interface Node {
  readonly exception: JsonFields;
  readonly children: Node[];
}

/**
 * The exceptions as a tree, parents first; `max` of them at most. `list` is in Sentry's order: the
 * thrown exception is the last. Without ids each exception is the cause of the one after it. Of too
 * many, the nearest to the thrown one are kept, and the innermost cause.
 */
export function orderExceptions(
  list: readonly JsonFields[],
  max: number,
): readonly OrderedException[] {
  const nodes = list.map((exception): Node => ({ exception, children: [] }));
  const root = linkNodes(nodes.reverse());
  if (root === undefined) return [];
  const kept = selectNodes(root, max);
  const ordered: OrderedException[] = [];
  // A node that is not kept passes its parent on to its children.
  const stack = [{ node: root, parent: 0 }];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { node, parent } = next;
    const isKept = kept.has(node);
    if (isKept) ordered.push({ exception: node.exception, parent });
    const index = isKept ? ordered.length - 1 : parent;
    for (const child of node.children.toReversed()) stack.push({ node: child, parent: index });
  }
  return ordered;
}

/** Links the nodes, thrown first, and returns the root. Every node is below the root. */
function linkNodes(nodes: readonly Node[]): Node | undefined {
  const byId = new Map<unknown, Node>();
  for (const node of nodes) {
    const id = readMechanism(node).exception_id;
    if (typeof id === "number" && !byId.has(id)) byId.set(id, node);
  }
  const findParent = (node: Node) => byId.get(readMechanism(node).parent_id);
  let root = nodes[0];
  if (root === undefined) return undefined;
  // One step per node at most, since the parents may form a ring.
  for (let steps = 0; steps < nodes.length; steps++) root = findParent(root) ?? root;
  for (const [at, node] of nodes.entries())
    if (node !== root) (findParent(node) ?? nodes[at - 1] ?? root).children.push(node);
  const reached = new Set([root]);
  for (const node of reached) for (const child of node.children) reached.add(child);
  // A ring has no connection to the root, so its members become causes of the root.
  const lost = nodes.filter((node) => !reached.has(node));
  for (const node of lost) node.children.splice(0);
  root.children.push(...lost);
  return root;
}

/** Level by level from the root; the last place is for the innermost cause. */
function selectNodes(root: Node, max: number): ReadonlySet<Node> {
  const kept = new Set([root]);
  for (const node of kept) for (const child of node.children) kept.add(child);
  if (kept.size <= max) return kept;
  let innermost = root;
  while (innermost.children[0] !== undefined) innermost = innermost.children[0];
  const nearest = [...kept].filter((node) => node !== innermost).slice(0, max - 1);
  return new Set([...nearest, innermost]);
}

function readMechanism({ exception }: Node): JsonFields {
  return asRecord(exception.mechanism) ?? {};
}
