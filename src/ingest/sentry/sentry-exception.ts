/**
 * Parses the exceptions of a Sentry event. Sentry's order is reversed: the thrown exception is
 * last, after its causes.
 * Source: Sentry develop docs › Event Payloads › Exception.
 */
import {
  asBoolean,
  asList,
  asRecord,
  filterRecords,
  type JsonFields,
} from "../../core/decode/as-type.ts";
import { isGroupType } from "../../core/errors/group-types.ts";
import { limits } from "../../core/limits.ts";
import type { Cause, ReportedError } from "../../core/report.ts";
import { parseSentryFrames, type StackContext } from "./sentry-frames.ts";

/** The thrown exception, its causes and its mechanism. */
export interface SentryExceptions extends Partial<Omit<ReportedError, "frames">> {
  readonly frames: ReportedError["frames"];
  /** Parents first. */
  readonly causes: readonly Cause[];
  readonly threadId?: unknown;
  readonly isHandled?: boolean;
  readonly mechanism?: JsonFields;
  /** The SDK created the exception to get a stack; the report is a message. */
  readonly isSynthetic: boolean;
}

/**
 * The exceptions of an event, undecoded: from `{"values": […]}`, a bare list or a single object.
 * The thrown one is last.
 */
export function listExceptions(exception: unknown): readonly JsonFields[] {
  const single = asRecord(exception);
  return filterRecords(
    single !== undefined && !("values" in single) ? [single] : asList(exception),
  );
}

/** Parses the exceptions of an event. Undefined if there is none. */
export function parseExceptions(
  exceptions: readonly JsonFields[],
  context: StackContext,
): SentryExceptions | undefined {
  const { truncations } = context;
  const list = truncations.takeEnds("causes", exceptions, limits.maxMembers);
  const [thrown, ...causes] = orderExceptions(list, limits.maxCauses + 1);
  if (thrown === undefined) return undefined;
  if (causes.length + 1 < list.length) truncations.add("causes");
  const { exception } = thrown;
  const mechanism = asRecord(exception.mechanism);
  return {
    ...parseException(exception, context, { type: "type", message: "message" }),
    causes: causes.map((cause, index): Cause => {
      const { type = "Error", message = "", ...rest } = parseException(cause.exception, context);
      const isChained = cause.parent === index;
      return {
        type,
        message,
        ...rest,
        ...(!isChained && { parent: cause.parent }),
        ...readLink(asRecord(cause.exception.mechanism)),
      };
    }),
    threadId: exception.thread_id,
    isHandled: asBoolean(mechanism?.handled),
    mechanism,
    isSynthetic: mechanism?.synthetic === true,
  };
}

/** How an error belongs to its parent, if it is not simply its cause. */
function readLink(mechanism: JsonFields | undefined): Pick<Cause, "isSuppressed" | "isContext"> {
  if (mechanism?.type === "suppressed") return { isSuppressed: true };
  return mechanism?.source === "__context__" ? { isContext: true } : {};
}

/** Names under which truncated members are listed. */
const CAUSE_NAMES = { type: "causes", message: "causes" };

function parseException(
  exception: JsonFields,
  context: StackContext,
  names = CAUSE_NAMES,
): Partial<ReportedError> & Pick<ReportedError, "frames"> {
  const { truncations } = context;
  const type = truncations.limitShown(names.type, exception.type, limits.maxTypeChars);
  const isGroup =
    asRecord(exception.mechanism)?.is_exception_group === true || isGroupType(type ?? "");
  return {
    type,
    typeModule: truncations.limitShown(names.type, exception.module, limits.maxTypeChars),
    message: truncations.limitShown(names.message, exception.value, limits.maxMessageChars),
    frames: parseSentryFrames(exception.stacktrace ?? exception.raw_stacktrace, context),
    ...(isGroup && { isGroup }),
  };
}

/** An exception and the index of its parent in the same list; 0 for the first. */
interface OrderedException {
  readonly exception: JsonFields;
  readonly parent: number;
}

interface Node {
  readonly exception: JsonFields;
  readonly children: Node[];
}

/**
 * The exceptions of an event as a report lists them: a tree, parents first; `max` at most. `list` is in Sentry's order: the
 * thrown exception is the last. Without ids each exception is the cause of the one after it. Of too
 * many, the nearest to the thrown one are kept, and the innermost cause.
 * Source: Sentry develop docs › Event Payloads › Exception, `mechanism.exception_id`, `parent_id`;
 * getsentry/rfcs 0079.
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
