/**
 * The digests that the message of a commit says it fixes: `Fixes 7F3K-Q2M9`, also as the URL of the
 * issue, and several after one word: `Resolves 7F3K-Q2M9, 0000-0001 and ERRATA 0000-0002`.
 */
import { parseDigest } from "../grouping/parse-digest.ts";
import type { Digest } from "../report.ts";

/** The characters of a message that are read. */
const MAX_CHARS = 64 * 1024;

/** `Fixes`, and what stands after it on its line. The words are those of GitHub and GitLab. */
const KEYWORD = /\b(?:fix(?:e[sd])?|close[sd]?|resolve[sd]?)\b:?[ \t]+/gi;
/** `7F3K-Q2M9`, `errata 7F3KQ2M9`, or the URL of an issue. Without a mark, eight letters are a word. */
const REFERENCE = new RegExp(
  String.raw`(?:https?:\/\/[^\s/]{1,255}(?:\/p\/\d{1,9})?\/d\/|(errata)[ \t:#-]{0,3})?` +
    String.raw`([0-9a-z]{4}-[0-9a-z]{4}|[0-9a-z]{8})(?![\w-])`,
  "iy",
);
const SEPARATOR = /[ \t]*(?:,[ \t]*(?:and[ \t]+)?|and[ \t]+|&[ \t]*)/iy;

/** The digests in their order, each once. A wrong check character is no digest. */
export function listFixedDigests(message: string): readonly Digest[] {
  const text = message.slice(0, MAX_CHARS);
  const digests = new Set<Digest>();
  for (const { 0: word, index } of text.matchAll(KEYWORD)) {
    for (const digest of readReferences(text, index + word.length)) digests.add(digest);
  }
  return [...digests];
}

/** The references that begin at `at`, up to the first other word. */
function readReferences(text: string, at: number): readonly Digest[] {
  const found: Digest[] = [];
  for (let next: number | undefined = at; next !== undefined; ) {
    REFERENCE.lastIndex = next;
    const match = REFERENCE.exec(text);
    const [whole = "", prefix, code = ""] = match ?? [];
    const isMarked = prefix !== undefined || whole !== code || code.includes("-");
    const digest = isMarked ? parseDigest(code) : undefined;
    if (digest?.ok !== true) return found;
    found.push(digest.value);
    SEPARATOR.lastIndex = REFERENCE.lastIndex;
    next = SEPARATOR.test(text) ? SEPARATOR.lastIndex : undefined;
  }
  return found;
}
