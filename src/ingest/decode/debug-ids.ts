/** Debug ids that bundlers keep at run time, for the files of a stack. */

import { asTextPairs } from "../../core/decode/as-type.ts";
import { limits } from "../../core/limits.ts";
import type { Frame } from "../../core/report.ts";
import { parseDebugId } from "../../core/symbolication/script-facts.ts";

/**
 * `debug_meta` of a Sentry event for the files of these frames; undefined if no id belongs to one.
 * Bundlers keep the ids at run time: `{"<stack>":"<id>"}`. Each script adds the stack of an error in
 * its first statement, so the first frame names the script. Source: getsentry/rfcs 0081
 * (`_sentryDebugIds`); `_debugIds` of next 16.4 with `turbopack.debugIds`.
 */
export function createDebugMeta(debugIds: unknown, frames: readonly Frame[]) {
  const files = new Set(frames.map(({ file }) => file).filter((file) => file !== undefined));
  if (files.size === 0) return undefined;
  const images: { type: "sourcemap"; code_file: string; debug_id: string }[] = [];
  for (const [stack, text] of asTextPairs(debugIds).slice(0, limits.maxDebugIds)) {
    const debugId = parseDebugId(text);
    // V8 writes the message before the first frame.
    const start = stack.slice(0, limits.maxStringChars).split("\n", 2).join("\n");
    const file = [...files].find((one) => start.includes(`${one}:`));
    if (debugId === null || file === undefined) continue;
    files.delete(file);
    images.push({ type: "sourcemap", code_file: file, debug_id: debugId });
  }
  return images.length === 0 ? undefined : { images };
}
