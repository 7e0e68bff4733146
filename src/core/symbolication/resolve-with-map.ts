/** Resolves a stack with one map in memory, such as a file that is dropped onto a page. */
import { ok, type Result } from "../result.ts";
import { concat, identityCodec, toByteRange } from "./codec.ts";
import { openCompactMap } from "./compact-map.ts";
import { convertMap, type MapProblem } from "./convert-map.ts";
import { getFileName } from "./file-candidates.ts";
import type { FrameResolution, SentFrame } from "./resolution.ts";
import { type FoundMap, resolveStack } from "./resolve-stack.ts";

/**
 * One answer per frame, newest first as the frames. The map belongs to the frames whose file has
 * the map's name without `.map`; if none has, and all frames have one file, to all of them. Other
 * frames stay unmapped. Names of functions come from the engine and the callers, because the script
 * is not there. Fails if the map is invalid.
 */
export function resolveWithMap(
  bytes: Uint8Array,
  mapName: string,
  frames: readonly SentFrame[],
): Result<readonly FrameResolution[], MapProblem> {
  const converted = convertMap(bytes, null, identityCodec);
  if (!converted.ok) return converted;
  const map = openCompactMap(toByteRange(concat(converted.value.parts)), identityCodec);
  const scriptName = getFileName(mapName).replace(/\.map$/, "");
  const files = new Set(frames.flatMap(({ file }) => (file === undefined ? [] : [file])));
  const named = [...files].filter((file) => getFileName(file) === scriptName);
  const matching = new Set(named.length === 0 && files.size === 1 ? files : named);
  const found = frames.map(({ file }): FoundMap => {
    if (file === undefined || map === null) return { kind: "unmapped", reason: "not-expected" };
    return matching.has(file)
      ? { map, matchedBy: "name" }
      : { kind: "unmapped", reason: "nothing-uploaded" };
  });
  return ok(resolveStack(frames, found));
}
