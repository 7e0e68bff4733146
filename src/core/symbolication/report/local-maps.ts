/** Resolves stacks with map files that a person dropped onto the page, in the browser. Pure. */
import { fail, ok, type Result } from "../../result.ts";
import { parseScriptAddress } from "../../scripts/script-address.ts";
import { concat, identityCodec, toByteRange } from "../codec.ts";
import { type CompactMap, openCompactMap } from "../compact-map.ts";
import { convertMap } from "../convert-map.ts";
import { getFileName } from "../file-candidates.ts";
import type { ScriptFunctions } from "../function-ranges.ts";
import type { FunctionTable } from "../names/function-table.ts";
import { createFunctionReader, type NameFunctions } from "../parse-functions.ts";
import type { FrameResolution, MatchMethod, ResolveRequest } from "../resolution.ts";
import { type FoundMap, resolveStack } from "../resolve-stack.ts";

/** A map by the script that it belongs to. */
export interface LocalMap {
  /** `app.js` for `app.js.map`. */
  readonly script: string;
  readonly debugId?: string;
  readonly map: CompactMap;
  readonly readFunctions: (source: number) => FunctionTable | null;
}

/** Why a file cannot be used as a map. `detail` is a sentence. */
interface LocalMapProblem {
  readonly reason: "invalid-map";
  readonly detail: string;
}

/**
 * Reads a map. `functions` are those of its script, null without the script. `nameFunctions` parses
 * the sources of frames.
 */
export function readLocalMap(
  name: string,
  bytes: Uint8Array,
  functions: ScriptFunctions | null,
  nameFunctions: NameFunctions,
): Result<LocalMap, LocalMapProblem> {
  const converted = convertMap(bytes, functions, identityCodec);
  if (!converted.ok) return converted;
  const { debugId } = converted.value;
  const map = openCompactMap(toByteRange(concat(converted.value.parts)), identityCodec);
  if (map === null) return fail({ reason: "invalid-map", detail: "The map is too large." });
  return ok({
    script: toScriptName(name),
    map,
    readFunctions: createFunctionReader(map, nameFunctions),
    debugId,
  });
}

/** `app.js` for `app.js.map`. */
export function toScriptName(mapName: string): string {
  return mapName.replace(/\.(?:map|json)$/i, "");
}

/**
 * The stacks of a request: a frame is resolved by the map with the debug id of its file, else by
 * the one with its file name, else by the only map, if all stacks name the same script. Of several
 * files with one name, only that on the host of the page is meant, and no file has a map with
 * another debug id.
 */
export function resolveLocally(
  { stacks, images, origins = [] }: ResolveRequest,
  maps: readonly LocalMap[],
): readonly (readonly FrameResolution[])[] {
  const scripts = new Set(stacks.flat().flatMap(({ file }) => file ?? []));
  const addresses = [...new Set([...scripts].map((file) => file.replace(/[?#].*$/s, "")))];
  const find = (file: string): FoundMap => {
    const ids = images.filter((image) => image.file === file).map(({ debugId }) => debugId);
    const byId = maps.find(({ debugId }) => debugId !== undefined && ids.includes(debugId));
    if (byId !== undefined) return toFound(byId, "debug-id");
    const name = getFileName(file);
    const isMeant =
      addresses.filter((one) => getFileName(one) === name).length === 1 ||
      parseScriptAddress(file).host === origins[0]?.pageHost;
    // A map with another debug id is of another build.
    const fitting = maps.filter(({ debugId }) => debugId === undefined || ids.length === 0);
    const byName = isMeant ? fitting.find(({ script }) => script === name) : undefined;
    const only = maps.length === 1 && scripts.size === 1 ? fitting[0] : undefined;
    const found = byName ?? only;
    return found === undefined ? NOT_RESOLVED : toFound(found, "name");
  };
  return stacks.map((frames) =>
    resolveStack(
      frames,
      frames.map(({ file }) => (file === undefined ? NOT_RESOLVED : find(file))),
    ),
  );
}

function toFound({ map, readFunctions }: LocalMap, matchedBy: MatchMethod): FoundMap {
  return { map, readFunctions, matchedBy };
}

const NOT_RESOLVED = { kind: "unmapped", reason: "not-expected" } as const;
