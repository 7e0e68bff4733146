/**
 * Finds members in the text of a comment: `@Ada Lovelace`, in any case, or `@Ada` if no other
 * member has that first name. Pure.
 */
import { toComparableName } from "../accounts/names.ts";
import { type Block, type Inline, parseMarkdown } from "./parse-markdown.ts";

/** A mention, by its place in the text (UTF-16 units; `end` is exclusive) and the member's name. */
export interface Mention {
  readonly start: number;
  readonly end: number;
  readonly name: string;
}

/** Members that one comment can mention. */
export const MAX_MENTIONS = 20;

/** An `@` that begins a word: not that of an email address or of a package. */
const MARK = /(?<![\p{L}\p{M}\p{N}_.@/-])@(?=[\p{L}\p{N}])/gu;
const WORD = /[\p{L}\p{M}\p{N}]/u;

/** The mentions in their order. Of several names that fit, the longest counts. */
export function findMentions(text: string, names: readonly string[]): readonly Mention[] {
  if (names.length === 0 || !text.includes("@")) return [];
  const spellings = listSpellings(names);
  const longest = Math.max(...[...spellings.keys()].map(({ length }) => length));
  const initials = new Set([...spellings.keys()].map(toInitial));
  const mentions: Mention[] = [];
  for (const { index } of text.matchAll(MARK)) {
    if (mentions.length >= MAX_MENTIONS) break;
    // Most marks begin no name, and comparing is slow.
    if (!initials.has(toInitial(toComparableName(text.slice(index + 1, index + 3))))) continue;
    const found = findName(text, index + 1, spellings, longest);
    if (found !== undefined) mentions.push({ start: index, ...found });
  }
  return mentions;
}

/** The names of the members that a comment mentions outside of code, each once. */
export function listMentioned(comment: string, names: readonly string[]): readonly string[] {
  const texts = parseMarkdown(comment).flatMap(listTexts);
  const mentioned = texts.flatMap((text) => findMentions(text, names).map(({ name }) => name));
  return [...new Set(mentioned)].slice(0, MAX_MENTIONS);
}

function listTexts(block: Block): readonly string[] {
  if (block.kind === "code") return [];
  const lines = block.kind === "list" ? block.items : block.lines;
  const toTexts = (part: Inline): readonly string[] => {
    if (part.kind === "bold") return part.parts.flatMap(toTexts);
    return part.kind === "text" ? [part.text] : [];
  };
  return lines.flat().flatMap(toTexts);
}

/** Each name, and each first word that only one name has, in the form in which they compare. */
function listSpellings(names: readonly string[]): ReadonlyMap<string, string> {
  const spellings = new Map<string, string>();
  const shared = new Set<string>();
  for (const name of names) {
    const first = toComparableName(name).split(" ")[0] ?? "";
    if (spellings.has(first)) shared.add(first);
    spellings.set(first, name);
  }
  for (const first of shared) spellings.delete(first);
  for (const name of names) spellings.set(toComparableName(name), name);
  return spellings;
}

/** The first character of a name that compares, without its marks. */
function toInitial(name: string): string {
  return [...name.normalize("NFD")][0] ?? "";
}

/** The longest name that begins at `start` and ends with a word. */
function findName(
  text: string,
  start: number,
  spellings: ReadonlyMap<string, string>,
  longest: number,
): Omit<Mention, "start"> | undefined {
  // Two units more for each: a name may be written with spaces and invisible characters.
  const limit = Math.min(text.length, start + 3 * longest);
  for (let end = limit; end > start; end--) {
    const isInWord = WORD.test(text[end - 1] ?? "") && WORD.test(text[end] ?? "");
    if (isInWord || /\s/.test(text[end - 1] ?? "")) continue;
    const name = spellings.get(toComparableName(text.slice(start, end)));
    if (name !== undefined) return { end, name };
  }
  return undefined;
}
