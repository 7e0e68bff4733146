/** Converts one map with the functions of its script, and stores the result. */
import { Buffer } from "node:buffer";
import { hash } from "node:crypto";
import { artifactLimits } from "../../../core/artifacts/artifact-limits.ts";
import { fail, ok, type Result } from "../../../core/result.ts";
import { type ByteRange, toByteRange } from "../../../core/symbolication/codec.ts";
import { readInlineMap } from "../../../core/symbolication/script-facts.ts";
import type { ArtifactTables } from "../tables/artifact-tables.ts";
import type { MapFacts } from "../tables/map-table.ts";
import { rawDeflate } from "../tables/raw-deflate.ts";
import type { WaitingFile } from "../tables/stored-file.ts";
import { hashStoredFile, openFile } from "./read-file.ts";
import type { SourceFiles } from "./source-files.ts";

/** The tables, and the sources beside a map. */
export interface ConvertDeps {
  readonly tables: ArtifactTables;
  readonly nowMs: () => number;
  /** The original sources in the upload of the file. */
  readonly sources: SourceFiles | null;
}

/** The stored map, or why it was refused. */
export type Converted = Result<
  { readonly hash: string; readonly facts: MapFacts },
  { readonly reason: "refused"; readonly detail: string }
>;

/** A map that is read when it is needed. */
export interface UnconvertedMap {
  /** Equal for equal maps. */
  readonly key: string;
  readonly url: string;
  readonly open: () => ReturnType<typeof openFile>;
}

/** The map in a file of an upload. */
export function openMap(
  { scratch }: ArtifactTables,
  range: ByteRange,
  { url, entry }: WaitingFile,
): UnconvertedMap {
  return {
    url,
    key: hashStoredFile(range, entry),
    open: () => openFile(range, entry, artifactLimits.maxMapBytes, scratch),
  };
}

/** The map in a `data:` URL of the script at `url`. */
export function openInlineMap(url: string, dataUrl: string): UnconvertedMap {
  return {
    url,
    key: hash("sha1", dataUrl),
    open: async () => {
      const map = readInlineMap(dataUrl);
      if (map !== null) return ok({ ...toByteRange(map), close: () => undefined });
      const detail = "The inline source map is not valid base64.";
      return fail({ reason: "invalid-map", detail });
    },
  };
}

/** Converts a map with the functions of its script, unless the project has the result already. */
export async function convertStoredMap(
  { tables: { maps }, nowMs, sources }: ConvertDeps,
  source: UnconvertedMap,
  script?: Uint8Array,
): Promise<Converted> {
  const isParsed = script !== undefined && script.length <= artifactLimits.maxParsedScriptBytes;
  const key = hash("sha1", `${source.key} ${isParsed ? hash("sha1", script) : "-"}`);
  const keyWithSources = sources && hash("sha1", `${key} ${sources.key}`);
  for (const known of [key, keyWithSources]) {
    const facts = known === null ? undefined : maps.getFacts(known);
    const isComplete =
      sources === null || known !== key || facts?.sources === facts?.sourcesWithText;
    if (known !== null && facts !== undefined && isComplete) return ok({ hash: known, facts });
  }
  const { convertMap } = await import("../../../core/symbolication/convert-map.ts");
  // Parses the script before it loads the map: the parser takes many times the size of the script.
  const functions = isParsed ? await parseScript(script) : null;
  const map = await source.open();
  if (!map.ok) return fail({ reason: "refused", detail: map.detail });
  let isEnriched = false;
  const readSource = (name: string) => {
    const text = sources?.read(source.url, name) ?? null;
    isEnriched ||= text !== null;
    return text;
  };
  const converted = convertMap(map.value, functions, rawDeflate, { readSource });
  map.value.close();
  if (!converted.ok) return fail({ reason: "refused", detail: converted.detail });
  const usedKey = isEnriched && keyWithSources ? keyWithSources : key;
  maps.put(usedKey, converted.value, nowMs());
  const { parts: _, ...facts } = converted.value;
  return ok({ hash: usedKey, facts });
}

async function parseScript(script: Uint8Array) {
  const { parseFunctions } = await import("../../../core/symbolication/function-ranges.ts");
  return parseFunctions(Buffer.from(script.buffer, script.byteOffset, script.length).toString());
}
