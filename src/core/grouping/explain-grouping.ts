/**
 * Says why the reports of an issue are together, from the parts of its grouping key. The page, the
 * JSON and the Markdown of an issue have the same sentence. Pure.
 */
import type { KeyPart, KeyPartRole, ReportGrouping } from "../report.ts";

/** A piece of a sentence: words of Errata, or a value as it was reported. */
export interface SentencePiece {
  readonly text: string;
  readonly isValue: boolean;
}

/** How another key differs: `{ words: "other function", value: "shop.cart#add" }`. */
export interface KeyDifference {
  readonly words: string;
  /** Absent if the other key has no such part. */
  readonly value?: string;
}

/** One, several, and the name of the part in "other function". */
const ROLE_WORDS: Readonly<Record<KeyPartRole, readonly [one: string, many: string, of: string]>> =
  {
    type: ["", "", "type"],
    message: ["the message", "the messages", "message"],
    template: ["the template", "the templates", "template"],
    function: ["the function", "the functions", "function"],
    file: ["the file", "the files", "file"],
    package: ["the library", "the libraries", "library"],
    route: ["the route", "the routes", "route"],
    logger: ["the logger", "the loggers", "logger"],
    fingerprint: ["the fingerprint", "the fingerprint", "fingerprint"],
    stack: ["the stack", "the stacks", "stack"],
  };

/**
 * The pieces of "Grouped by `AttributeError`, the message `attribute price of NoneType`, and the
 * function `shop.bill#total`"; empty for a key without parts.
 */
export function explainGrouping({ parts }: ReportGrouping): readonly SentencePiece[] {
  const clauses: Pieces[] = [];
  const members: Pieces[] = [];
  for (const run of splitErrors(parts)) {
    const phrases = joinList(listPhrases(run));
    const last = members.length - 1;
    const of = run[0]?.of;
    if (of === "member") members.push(phrases);
    else if (of === undefined) clauses.push(phrases);
    else if (last < 0) clauses.push(introduce("its cause: ", phrases));
    else members[last] = joinBy(", caused by ")(members[last] ?? [], phrases);
  }
  const ofMembers = members.reduce(joinBy("; "), []);
  if (members.length > 0)
    clauses.push(introduce(members.length === 1 ? "its member: " : "its members: ", ofMembers));
  return introduce("Grouped by ", clauses.reduce(joinBy(", and by "), []));
}

/** The sentence as text, with each value as `quote` formats it. */
export function formatGrouping(
  grouping: ReportGrouping,
  quote: (value: string) => string = (value) => `“${value}”`,
): string {
  return explainGrouping(grouping)
    .map(({ text, isValue }) => (isValue ? quote(text) : text))
    .join("");
}

/** How another key differs from an issue's own; empty if one of them is unknown. */
export function listKeyDifferences(
  own: ReportGrouping | undefined,
  other: ReportGrouping | undefined,
): readonly KeyDifference[] {
  if (own === undefined || other === undefined) return [];
  const [ours, theirs] = [toValuesByName(own), toValuesByName(other)];
  return [...new Set([...theirs.keys(), ...ours.keys()])].flatMap((name) => {
    const value = theirs.get(name);
    if (value === ours.get(name)) return [];
    return value === undefined ? { words: `no ${name}` } : { words: `other ${name}`, value };
  });
}

/** The values by `function`, `cause` or `function of a member`. */
function toValuesByName({ parts }: ReportGrouping): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const { role, of, value } of parts) {
    const name = toPartName(role, of);
    const known = values.get(name);
    values.set(name, known === undefined ? value : `${known}, ${value}`);
  }
  return values;
}

function toPartName(role: KeyPartRole, of: KeyPart["of"]): string {
  const noun = ROLE_WORDS[role][2];
  if (of === undefined) return noun;
  if (role === "type") return of === "cause" ? "cause" : "members";
  return `${noun} of ${of === "cause" ? "the cause" : "a member"}`;
}

/** The parts of each error: its own, then those of its cause or of each member. */
function splitErrors(parts: readonly KeyPart[]): readonly (readonly KeyPart[])[] {
  const runs: KeyPart[][] = [];
  for (const part of parts) {
    const last = runs.at(-1);
    const isSame = last?.[0]?.of === part.of && (part.of === undefined || part.role !== "type");
    if (last !== undefined && isSame) last.push(part);
    else runs.push([part]);
  }
  return runs;
}

type Pieces = readonly SentencePiece[];

/** Parts of one role that follow each other are one phrase: "the functions `a` and `b`". */
function listPhrases(parts: readonly KeyPart[]): readonly Pieces[] {
  const phrases: Pieces[] = [];
  for (let at = 0; at < parts.length; ) {
    const role = parts[at]?.role ?? "type";
    const end = parts.findIndex((part, n) => n > at && part.role !== role);
    const same = parts.slice(at, end === -1 ? parts.length : end);
    const words = ROLE_WORDS[role][same.length === 1 ? 0 : 1];
    const values = joinList(same.map(({ value }) => [{ text: value, isValue: true }]));
    phrases.push(words === "" ? values : introduce(`${words} `, values));
    at += same.length;
  }
  return phrases;
}

/** "a", "a and b", "a, b, and c". */
function joinList(phrases: readonly Pieces[]): Pieces {
  if (phrases.length < 3) return phrases.reduce(joinBy(" and "), []);
  return joinBy(", and ")(phrases.slice(0, -1).reduce(joinBy(", "), []), phrases.at(-1) ?? []);
}

function joinBy(separator: string) {
  return (before: Pieces, after: Pieces): Pieces =>
    before.length === 0 ? after : [...before, { text: separator, isValue: false }, ...after];
}

/** The pieces after some words; none if there are no pieces. */
function introduce(words: string, pieces: Pieces): Pieces {
  return pieces.length === 0 ? [] : [{ text: words, isValue: false }, ...pieces];
}
