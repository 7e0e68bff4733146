/**
 * A text in what senders wrote: looked for in values, in names only where those are a sender's too, and never in Errata's own words.
 * A person whose name is "Kind" does not stand in every report.
 */
import { ERASED } from "../core/erased.ts";

/** Members whose values are words and codes of Errata's own. */
const INTERNAL_MEMBERS: ReadonlySet<string> = new Set([
  ...["v", "kind", "side", "format", "digest", "noise", "visitors", "cut"],
  ...["position", "state", "decision", "days", "hours"],
  ...["did", "from", "off", "merged", "mergedInto"],
]);

/** Matches a text whole, whatever the case of its letters: "Sage" does not stand in "message", nor 123 in 51234. */
export function createTextPattern(text: string): RegExp {
  const [first = "", last = ""] = [text.at(0), text.at(-1)];
  const before = WORD_CHAR.test(first) ? String.raw`(?<![\p{L}\p{N}])` : "";
  const after = WORD_CHAR.test(last) ? String.raw`(?![\p{L}\p{N}])` : "";
  const escaped = text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  return new RegExp(`${before}${escaped}${after}`, "giu");
}

const WORD_CHAR = /[\p{L}\p{N}]/u;

/** True when a stored value holds the text in what a sender wrote. Below `detail` the names of members are a sender's too. */
export function containsText(value: unknown, text: string): boolean {
  return contains(value, createTextPattern(text), false);
}

/** The same value with the text replaced wherever it is held. */
export function redactText<T>(value: T, text: string): T {
  return redact(value, createTextPattern(text)) as T;
}

function contains(value: unknown, pattern: RegExp, isDetail: boolean): boolean {
  if (typeof value === "string") return value.search(pattern) >= 0;
  // A person's number may be sent as one.
  if (isDetail && typeof value === "number") return String(value).search(pattern) >= 0;
  if (Array.isArray(value)) return value.some((item) => contains(item, pattern, isDetail));
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([name, member]) => {
    if (isDetail && name.search(pattern) >= 0) return true;
    return !INTERNAL_MEMBERS.has(name) && contains(member, pattern, isDetail || name === "detail");
  });
}

function redact(value: unknown, pattern: RegExp): unknown {
  if (typeof value === "string") return value.replace(pattern, () => ERASED);
  if (Array.isArray(value)) return value.map((item) => redact(item, pattern));
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => {
    return [name, INTERNAL_MEMBERS.has(name) ? member : redact(member, pattern)];
  });
  return Object.fromEntries(members);
}
