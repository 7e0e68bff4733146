/** Finds the scripts in the files of Vue and Svelte components. */
import { MODULE_NAME } from "../format/compact-format.ts";

/** A script in markup. Offsets in UTF-16 units, without its tags. */
export interface ScriptBlock {
  readonly start: number;
  readonly end: number;
  /** The value of `lang`: `ts`; empty without it. */
  readonly language: string;
  /** The name of the code outside of its functions; null if the framework puts it into one. */
  readonly outside: string | null;
}

/** More blocks are no component. */
const MAX_BLOCKS = 4;
/** Longer tags are none. */
const MAX_TAG_CHARS = 2_000;

/** True if a text begins with markup, or has a script in it. */
export function isMarkup(text: string): boolean {
  return text.trimStart().startsWith("<") || findTag(text, 0) !== null;
}

/** The scripts of a component, in order. */
export function findScriptBlocks(text: string, language: string): readonly ScriptBlock[] {
  const blocks: ScriptBlock[] = [];
  let from = 0;
  while (blocks.length < MAX_BLOCKS) {
    const tag = findTag(text, from);
    const end = tag === null ? -1 : text.indexOf("</script", tag.end);
    if (tag === null || end === -1) break;
    const attributes = readAttributes(text.slice(tag.start, tag.end));
    const isModule = attributes.has("module") || attributes.get("context") === "module";
    const outside = attributes.has("setup") ? "setup" : language === "svelte" ? null : MODULE_NAME;
    blocks.push({
      start: tag.end,
      end,
      language: attributes.get("lang")?.toLowerCase() ?? "",
      outside: isModule ? MODULE_NAME : outside,
    });
    from = end;
  }
  return blocks;
}

/** The next `<script …>` that is not in a comment, from `<` to after `>`. */
function findTag(text: string, from: number): { start: number; end: number } | null {
  const tags = /<!--|<script(?=[\s>])/g;
  tags.lastIndex = from;
  for (let found = tags.exec(text); found !== null; found = tags.exec(text)) {
    if (found[0] !== "<!--") return { start: found.index, end: findTagEnd(text, found.index) };
    const end = text.indexOf("-->", found.index);
    if (end === -1) return null;
    tags.lastIndex = end;
  }
  return null;
}

/** The index after the `>` of a tag: values in quotes may contain one. */
function findTagEnd(text: string, start: number): number {
  const end = Math.min(text.length, start + MAX_TAG_CHARS);
  let quote: string | null = null;
  for (let at = start; at < end; at++) {
    const character = text[at] as string;
    if (quote !== null) quote = character === quote ? null : quote;
    else if (character === ">") return at + 1;
    else if (character === '"' || character === "'") quote = character;
  }
  return end;
}

const ATTRIBUTE = /\s([\w:-]{1,50})(?:\s{0,20}=\s{0,20}(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g;

/** The attributes of a tag of at most `MAX_TAG_CHARS`. */
function readAttributes(tag: string): ReadonlyMap<string, string> {
  const attributes = new Map<string, string>();
  for (const [, name = "", double, single, bare] of tag.matchAll(ATTRIBUTE))
    attributes.set(name, double ?? single ?? bare ?? "");
  return attributes;
}
