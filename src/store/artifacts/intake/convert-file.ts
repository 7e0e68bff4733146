/**
 * Converts one file of an upload: a script with its map, or a map that no script names. Holds one
 * map in memory at a time, and loads it after the script is parsed.
 */

import { Buffer } from "node:buffer";
import { hash } from "node:crypto";
import { artifactLimits } from "../../../core/artifacts/artifact-limits.ts";
import { fail, ok, type Result } from "../../../core/result.ts";
import { type ByteRange, toByteRange } from "../../../core/symbolication/codec.ts";
import { listMapUrls, removeQuery } from "../../../core/symbolication/file-candidates.ts";
import { readInlineMap, readScriptFacts } from "../../../core/symbolication/script-facts.ts";
import type { ArtifactTables } from "../tables/artifact-tables.ts";
import type { MapFacts } from "../tables/map-table.ts";
import { rawDeflate } from "../tables/raw-deflate.ts";
import type { FileFindings, WaitingFile } from "../tables/stored-file.ts";
import { hashStoredFile, openFile, readFile } from "./read-file.ts";
import {
  findScripts,
  findSeparateMap,
  linkMap,
  linkScripts,
  NO_MAP_PROBLEM,
  type SeparateFile,
} from "./separate-files.ts";
import type { SourceFiles } from "./source-files.ts";

/**
 * Converts a file and stores the result. `range` has the bytes of its upload. Resolves to a
 * sentence if a map of the upload is none.
 */
export async function convertFile(
  deps: ConvertDeps,
  file: WaitingFile,
  range: ByteRange,
): Promise<string | undefined> {
  if (file.kind === "script") return convertScript(deps, file, range);
  const { tables } = deps;
  const source = openMap(tables, range, file);
  const scripts = findScripts(tables, file, await readSeparateId(tables, file, source));
  const script = await readFirst(scripts);
  const converted = await convertStoredMap(deps, source, script);
  tables.transaction(() => {
    tables.files.setConverted(file, toMapFindings(file, converted));
    if (converted.ok) linkScripts(tables, scripts, converted.value.hash);
  });
  return describeNoMap(file, converted);
}

/** A sentence if the file is no map; undefined if it is one, or too large to be read. */
function describeNoMap({ url, bytes }: WaitingFile, converted: Converted): string | undefined {
  const isRead = bytes <= artifactLimits.maxMapBytes;
  return converted.ok || !isRead ? undefined : `${url}: ${converted.detail}`;
}

/** The bytes of the newest script that is still stored. */
async function readFirst(scripts: readonly SeparateFile[]): Promise<Uint8Array | undefined> {
  for (const { file, range } of scripts) {
    if (range === undefined) continue;
    const script = await readFile(range, file.entry, artifactLimits.maxScriptBytes);
    if (script.ok) return script.value;
  }
  return undefined;
}

/** The debug id of a map that was uploaded alone, if a script waits for one. */
async function readSeparateId(
  tables: ArtifactTables,
  file: WaitingFile,
  source: UnconvertedMap,
): Promise<string | undefined> {
  if (file.debugId !== undefined || !tables.readyFiles.hasScriptWithoutMap()) return file.debugId;
  const map = await source.open();
  if (!map.ok) return undefined;
  const { readMapId } = await import("../../../core/symbolication/convert-map.ts");
  const id = readMapId(map.value);
  map.value.close();
  return id;
}

/** Marks a file that the object could not convert in several attempts. */
export function markFileFailed({ files }: ArtifactTables, file: WaitingFile): void {
  const detail = "The conversion was interrupted several times: the file may need too much memory.";
  const problems = [...file.problems, detail];
  files.setConverted(file, { problems, ...(file.kind === "map" && { refusal: detail }) });
}

async function convertScript(
  deps: ConvertDeps,
  file: WaitingFile,
  range: ByteRange,
): Promise<string | undefined> {
  const { files, transaction } = deps.tables;
  const script = await readFile(range, file.entry, artifactLimits.maxScriptBytes);
  if (!script.ok) {
    files.setConverted(file, { problems: [...file.problems, script.detail] });
    return undefined;
  }
  const { debugId, otherDebugId, sourceMappingUrl } = readScriptFacts(script.value);
  const id = file.debugId ?? debugId;
  const sent = file.mapUrl ?? sourceMappingUrl;
  const problems = [...file.problems, ...listIdProblems(id, debugId, otherDebugId)];
  const isInline = sent !== undefined && /^data:/i.test(sent);
  const reference = isInline ? sent : sent?.slice(0, artifactLimits.maxUrlChars);
  const own = {
    debugId: id,
    otherDebugId: [debugId, otherDebugId].find((one) => one !== id),
    mapUrl: isInline ? undefined : reference,
  };
  const map = isInline ? undefined : findMap(files.listMaps(file.upload), file, id, reference);
  const separate = map || isInline ? undefined : findSeparateMap(deps.tables, { ...file, ...own });
  if (separate?.file.mapHash !== undefined && separate.range === undefined) {
    files.setConverted(file, { ...own, problems, mapHash: separate.file.mapHash });
    return undefined;
  }
  if (map === undefined && separate === undefined && !isInline) {
    const missing = `${NO_MAP_PROBLEM}${reference ? ` (${reference})` : ""}.`;
    files.setConverted(file, { ...own, problems: [...problems, missing] });
    return undefined;
  }
  const mapFile = map ?? separate?.file;
  const source = mapFile
    ? openMap(deps.tables, separate?.range ?? range, mapFile)
    : openInlineMap(file.url, reference ?? "");
  const converted = await convertStoredMap(deps, source, script.value);
  const mapId = map?.debugId ?? (converted.ok ? converted.value.facts.debugId : undefined);
  const isOther = id !== undefined && mapId !== undefined && mapId !== id;
  transaction(() => {
    if (map && !map.isDone) files.setConverted(map, toMapFindings(map, converted));
    if (isOther) {
      const other = `Its map has another debug id (${mapId}): it belongs to another build.`;
      files.setConverted(file, { ...own, problems: [...problems, other] });
      return;
    }
    // Both files have the same map from now on, so that they are one build.
    if (separate && converted.ok) linkMap(deps.tables, separate.file, converted.value.hash);
    const { sources: _, sourcesWithText: __, ...found } = toMapFindings(file, converted);
    files.setConverted(file, {
      ...found,
      ...own,
      debugId: id ?? found.debugId,
      problems: converted.ok
        ? problems
        : [...problems, `Its map was rejected: ${converted.detail}`],
    });
  });
  return map && describeNoMap(map, converted);
}

function listIdProblems(
  id: string | undefined,
  inScript: string | undefined,
  other: string | undefined,
): readonly string[] {
  const ids = new Set([id, inScript, other].filter((one) => one !== undefined));
  if (ids.size < 2) return [];
  return [`It contains the debug ids ${[...ids].join(" and ")}: ids were injected twice.`];
}

/**
 * The map of a script in its upload: with the same id, else at one of the URLs that it names,
 * preferably with the same query. `--url-suffix` of sentry-cli gives both a query.
 */
function findMap(
  maps: readonly WaitingFile[],
  script: WaitingFile,
  id: string | undefined,
  reference: string | undefined,
): WaitingFile | undefined {
  const byId = id === undefined ? undefined : maps.find(({ debugId }) => debugId === id);
  if (byId !== undefined) return byId;
  for (const url of listMapUrls(script.url, reference)) {
    const found = maps.filter((map) => removeQuery(map.url) === removeQuery(url));
    if (found.length > 0)
      return found.find((map) => getQuery(map) === getQuery(script)) ?? found[0];
  }
  return undefined;
}

function getQuery({ url }: WaitingFile): string {
  return url.slice(removeQuery(url).length);
}

function toMapFindings(file: WaitingFile, converted: Converted): FileFindings {
  if (!converted.ok)
    return { refusal: converted.detail, problems: [...file.problems, converted.detail] };
  const { debugId, sources, sourcesWithText, problems } = converted.value.facts;
  return {
    mapHash: converted.value.hash,
    sources,
    sourcesWithText,
    problems: [...file.problems, ...problems],
    debugId: file.debugId ?? debugId,
  };
}

// Converts one map with the functions of its script, and stores the result.

/** The tables, and the sources beside a map. */
interface ConvertDeps {
  readonly tables: ArtifactTables;
  readonly nowMs: () => number;
  /** The original sources in the upload of the file. */
  readonly sources: SourceFiles | null;
}

/** The stored map, or why it was refused. */
type Converted = Result<
  { readonly hash: string; readonly facts: MapFacts },
  { readonly reason: "refused"; readonly detail: string }
>;

/** A map that is read when it is needed. */
interface UnconvertedMap {
  /** Equal for equal maps. */
  readonly key: string;
  readonly url: string;
  readonly open: () => ReturnType<typeof openFile>;
}

/** The map in a file of an upload. */
function openMap(
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
function openInlineMap(url: string, dataUrl: string): UnconvertedMap {
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
async function convertStoredMap(
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
