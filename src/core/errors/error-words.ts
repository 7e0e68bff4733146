/** Words about the errors of a report and about what was cut, for pages and Markdown. Pure. */

import { limits } from "../limits.ts";
import type { ReportedError } from "../report.ts";
import { type ErrorNode, findCause, isGroup } from "./error-tree.ts";

/** The heading of the errors below one: "Members (3)", "Caused by". */
export function formatBranch(node: ErrorNode): string {
  const { children } = node;
  if (isGroup(node)) return `Members (${children.length})`;
  if (findCause(node) === undefined) return "Suppressed";
  return children.length > 1 ? `Caused by (${children.length} errors)` : "Caused by";
}

/**
 * How an error of a chain led to the one above it, in the words of the language of its stack:
 * Python tells a cause from an error that was being handled, and Go wraps errors.
 */
export function formatLink({ error }: Pick<ErrorNode, "error">): string {
  if (error.isContext === true) return "while handling it";
  return error.frames.some(({ file }) => file?.endsWith(".go")) ? "wrapped by" : "caused";
}

/** The type with its module, if known: `http.client.RemoteDisconnected`. */
export function formatType({
  type,
  typeModule,
}: Pick<ReportedError, "type" | "typeModule">): string {
  return typeModule === undefined ? type : `${typeModule}.${type}`;
}

/** Words for the part that was cut, by its name in `truncated`. */
const CUT_WORDS: Readonly<Record<string, string>> = {
  message: `messages after ${limits.maxMessageChars} characters`,
  type: "long names of errors",
  frames: "frames in the middle of the stack",
  stack: "the text of the stack",
  causes: `causes after the first ${limits.maxCauses}`,
  vars: "local variables",
  source: "lines of source",
  detail: "some context",
  breadcrumbs: "older breadcrumbs",
  tags: "further tags",
  attachments: "contents of attachments",
  headers: "further headers",
  request: "long values of the request",
  componentStack: "the component stack",
  fingerprint: "the fingerprint",
  template: "the template",
  everything: "everything but the error, its message and its first frames",
};

/** "Cut to the limits: frames in the middle of the stack, older breadcrumbs."; else undefined. */
export function formatCuts(truncated: readonly string[] = []): string | undefined {
  if (truncated.length === 0) return undefined;
  const words = truncated.map((name) => (Object.hasOwn(CUT_WORDS, name) ? CUT_WORDS[name] : name));
  return `Cut to the limits: ${words.join(", ")}.`;
}
