// Maps in their compact form, for tests of look-ups.

import { type Codec, concat, identityCodec, toByteRange } from "#src/core/symbolication/codec.ts";
import { type CompactMap, openCompactMap } from "#src/core/symbolication/compact-map.ts";
import { convertMap } from "#src/core/symbolication/convert-map.ts";
import type { ScriptFunctions } from "#src/core/symbolication/function-ranges.ts";
import { toBytes } from "#support/bytes.ts";

/** Converts a map, given as bytes or as an object, and opens the result. */
export function openMap(
  json: Uint8Array | object,
  functions: ScriptFunctions | null = null,
  codec: Codec = identityCodec,
): CompactMap {
  const bytes = json instanceof Uint8Array ? json : toBytes(JSON.stringify(json));
  const converted = convertMap(bytes, functions, codec);
  if (!converted.ok) throw new Error(converted.detail);
  const map = openCompactMap(toByteRange(concat(converted.value.parts)), codec);
  if (map === null) throw new Error("The compact form cannot be opened.");
  return map;
}
