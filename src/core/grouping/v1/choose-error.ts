/**
 * Grouping, version 1: chooses the error that stands for a report: a wrapper is replaced by what it
 * wraps, and a group with one member by this member. Titles show it, and grouping begins with it.
 * Pure.
 */
import { buildErrorTree, type ErrorNode, findCause, isGroup } from "../../errors/error-tree.ts";
import type { Cause, ReportedError } from "../../report.ts";

/** The errors of a report. */
type ReportedErrors = ReportedError & {
  readonly causes?: readonly Cause[];
};

/** The error that stands for a report, and the number of further members of its group. */
export interface ChosenError {
  readonly error: ReportedError;
  readonly others: number;
}

/** The chosen error. The first member stands for a group. */
export function chooseError(report: ReportedErrors): ChosenError {
  if (report.causes === undefined || report.causes.length === 0)
    return { error: report, others: 0 };
  return choose(unwrapError(buildErrorTree(report)));
}

function choose(node: ErrorNode): ChosenError {
  const [first, ...others] = isGroup(node) ? listMembers(node) : [];
  if (first === undefined) return { error: node.error, others: 0 };
  const inner = choose(unwrapError(first));
  return { error: inner.error, others: inner.others + others.length };
}

/** Members of a group with different types or messages. */
function listMembers({ children }: ErrorNode): readonly ErrorNode[] {
  const members = new Map<string, ErrorNode>();
  for (const child of children) {
    const { type, message } = unwrapError(child).error;
    const key = `${type}\n${message}`;
    if (!members.has(key)) members.set(key, child);
  }
  return [...members.values()];
}

const MAX_WRAPPERS = 10;

/** The innermost error below wrappers, and below groups with one member. */
export function unwrapError(node: ErrorNode): ErrorNode {
  let current = node;
  for (let depth = 0; depth < MAX_WRAPPERS; depth++) {
    const child = isGroup(current) ? current.children[0] : findCause(current);
    const isSingle = isGroup(current) && current.children.length === 1;
    if (child === undefined || !(isSingle || isWrapper(current, child))) break;
    current = inheritStack(child, current);
  }
  return current;
}

/** In Go and in some wrappers only the outer error has a stack. */
function inheritStack(child: ErrorNode, { error }: ErrorNode): ErrorNode {
  if (child.error.frames.length > 0 || error.frames.length === 0) return child;
  return { ...child, error: { ...child.error, frames: error.frames } };
}

/** Types that only pass on another error, without package. */
const WRAPPER_TYPES = new Set(
  `InvocationTargetException UndeclaredThrowableException ExecutionException CompletionException
  ExceptionInInitializerError TargetInvocationException TypeInitializationException ServletException
  NestedServletException HandlerFailedException WrapperError ExitError ViewException Skip Handled
  MaybeEncodingError RetryError UnhandledException`.split(/\s+/),
);
const WRAPPER_TYPE =
  /^(?:ActionView::Template::Error|Sidekiq::JobRetry::\w+|\*?(?:errors\.)?(?:withStack|withMessage))$|Twig\\Error\\RuntimeError$/;
/** Types that say nothing. They are wrappers if their text is that of the cause. */
const GENERIC_TYPE = /^(?:\w+\.)*(?:RuntimeException|Exception|Error)$/;

/** True for an error that only passes on its cause. */
function isWrapper({ error }: ErrorNode, child: ErrorNode): boolean {
  const { type, message } = error;
  const shortType = cutNamespace(type);
  if (WRAPPER_TYPES.has(shortType) || WRAPPER_TYPE.test(type)) return true;
  const cause = child.error;
  if (cause.message === "" || !GENERIC_TYPE.test(type)) return false;
  const causeType = cutNamespace(cause.type);
  return [`${cause.type}: ${cause.message}`, `${causeType}: ${cause.message}`].some(
    (text) => message === text || message.endsWith(`: ${text}`),
  );
}

/** The name after the last dot, colon or backslash: wrappers of every runtime are in one list. */
function cutNamespace(type: string): string {
  const at = Math.max(type.lastIndexOf("."), type.lastIndexOf(":"), type.lastIndexOf("\\"));
  return type.slice(at + 1);
}
