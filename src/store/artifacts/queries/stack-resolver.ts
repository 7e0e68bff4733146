/** Resolves the frames of a page by the maps of the project. */

import { limits } from "../../../core/limits.ts";
import { getPageHost } from "../../../core/scripts/script-address.ts";
import { type CompactMap, openCompactMap } from "../../../core/symbolication/compact-map.ts";
import type { FunctionTable } from "../../../core/symbolication/names/function-table.ts";
import { type NameFunctions, readParsedText } from "../../../core/symbolication/parse-functions.ts";
import type {
  FrameResolution,
  ResolveRequest,
  SentFrame,
  StackOrigin,
} from "../../../core/symbolication/resolution.ts";
import { type FoundMap, resolveStack } from "../../../core/symbolication/resolve-stack.ts";
import type { ArtifactTables } from "../tables/artifact-tables.ts";
import { rawDeflate } from "../tables/raw-deflate.ts";
import { findMap, type MapMatch } from "./find-map.ts";

/** Maps that stay open between requests, each with up to 6 MB of blocks that were read. */
const MAX_OPEN_MAPS = 4;
/** A use is stored at most this often for each upload. */
const USE_INTERVAL_MS = 86_400_000;
/**
 * An answer is reused for at most this time, because a resolution also records that its maps are in
 * use.
 */
const ANSWER_MS = 3_600_000;
/** The maximum UTF-16 units of the cached requests. An answer is about ten times as large. */
const MAX_REQUEST_CHARS = 100_000;

type Answer = readonly (readonly FrameResolution[])[];

export class StackResolver {
  readonly #tables: ArtifactTables;
  readonly #functions: FunctionReader;
  /** The open maps by hash; the last used one is last. */
  readonly #open = new Map<string, CompactMap>();
  /**
   * The answers by the JSON of their request. Any change of the database makes all of them
   * obsolete.
   */
  readonly #answers = new Map<string, { readonly answer: Answer; readonly atMs: number }>();
  #answeredChars = 0;
  #changes = -1;

  constructor(tables: ArtifactTables) {
    this.#tables = tables;
    this.#functions = new FunctionReader(tables);
  }

  /** One answer per frame, in order. Loads the parser if a frame is in a source without names. */
  async resolve(sent: ResolveRequest, nowMs: number): Promise<Answer> {
    const request = this.#roundTimes(sent);
    const answer = this.#resolve(request, nowMs);
    if (this.#functions.isComplete || this.#functions.canParse) return answer;
    await this.#functions.load();
    return this.#resolve(request, nowMs);
  }

  /** The reports of an issue repeat the same frames. */
  #resolve(request: ResolveRequest, nowMs: number): Answer {
    this.#functions.start();
    const key = JSON.stringify(request);
    const changes = this.#tables.countChanges();
    if (changes !== this.#changes) this.#forgetAnswers();
    const known = this.#answers.get(key);
    if (known !== undefined && nowMs - known.atMs < ANSWER_MS) return known.answer;
    for (const { pageHost } of request.origins ?? [])
      if (pageHost !== undefined) this.#tables.pageHosts.add(pageHost, nowMs);
    const answer = this.#find(request, nowMs);
    if (!this.#functions.isComplete) return answer;
    if (this.#answeredChars + key.length > MAX_REQUEST_CHARS) this.#forgetAnswers();
    this.#answers.set(key, { answer, atMs: nowMs });
    this.#answeredChars += key.length;
    // Recording the use of a map changes the database too, but makes no answer obsolete.
    this.#changes = this.#tables.countChanges();
    return answer;
  }

  /** The request with the time of the last upload before each error: answers depend on no other. */
  #roundTimes(request: ResolveRequest): ResolveRequest {
    const { origins } = request;
    if (origins === undefined) return request;
    const rounded = origins.map(({ atMs, pageHost }) => ({
      pageHost,
      atMs: atMs === undefined ? undefined : this.#tables.uploads.getLastTime(atMs),
    }));
    return { ...request, origins: rounded };
  }

  #find(request: ResolveRequest, nowMs: number): Answer {
    const { release, dist, origins = [] } = request;
    const ids = listIds(request.images);
    // The frames of a stack share few files. Each map is found and opened once.
    const known = new Map<string, FoundMap>();
    const find = ({ file }: SentFrame, origin: StackOrigin): FoundMap => {
      if (file === undefined) return { kind: "unmapped", reason: "not-expected" };
      const key = JSON.stringify([file, origin]);
      const before = known.get(key);
      if (before !== undefined) return before;
      const debugIds = ids.get(file) ?? ids.get(removeQuery(file)) ?? [];
      const pageHost = request.isCheck ? getPageHost(file) : origin.pageHost;
      const question = { file, debugIds, release, dist, pageHost, atMs: origin.atMs };
      const match = findMap(this.#tables, question);
      const found = match.kind === "match" ? this.#toFound(match, nowMs) : match;
      known.set(key, found);
      return found;
    };
    return request.stacks.map((frames, n) =>
      resolveStack(
        frames,
        frames.map((frame) => find(frame, origins[n] ?? {})),
        request,
      ),
    );
  }

  /** Closes all maps: some may have been deleted. */
  reset(): void {
    this.#open.clear();
    this.#functions.reset();
    this.#forgetAnswers();
  }

  #forgetAnswers(): void {
    this.#answers.clear();
    this.#answeredChars = 0;
  }

  #toFound(match: MapMatch, nowMs: number): FoundMap {
    const map = this.#openMap(match.hash);
    if (map === undefined)
      return { kind: "unmapped", reason: "map-refused", problem: "The converted map is missing." };
    const upload = this.#tables.uploads.get(match.upload);
    if (upload !== undefined && nowMs - (upload.usedMs ?? 0) >= USE_INTERVAL_MS)
      this.#tables.uploads.setUsed(match.upload, nowMs);
    const readFunctions = (source: number) => this.#functions.read(match.hash, map, source);
    return { map, readFunctions, ...match.marks, upload: upload?.id };
  }

  #openMap(hash: string): CompactMap | undefined {
    const open = this.#open.get(hash);
    const range = open === undefined ? this.#tables.maps.open(hash) : undefined;
    const map = open ?? (range && openCompactMap(range, rawDeflate)) ?? undefined;
    if (map === undefined) return undefined;
    this.#open.delete(hash);
    this.#open.set(hash, map);
    for (const oldest of this.#open.keys()) {
      if (this.#open.size <= MAX_OPEN_MAPS) break;
      this.#open.delete(oldest);
    }
    return map;
  }
}

/** The debug ids by file, also without its query: senders name a file with or without it. */
function listIds(images: ResolveRequest["images"]): ReadonlyMap<string, readonly string[]> {
  const ids = new Map<string, readonly string[]>();
  for (const { file, debugId } of images) {
    for (const name of new Set([file, removeQuery(file)]))
      ids.set(name, [...new Set([...(ids.get(name) ?? []), debugId])]);
  }
  return ids;
}

function removeQuery(file: string): string {
  return file.replace(/[?#].*$/s, "");
}

/** Boundaries of functions in memory, with about 30 bytes each. A full cache is cleared. */
const MAX_BOUNDARIES = 200_000;

/**
 * The functions of sources, for the frames of a request: from memory, from the database, or parsed
 * and then stored.
 */
class FunctionReader {
  readonly #tables: ArtifactTables;
  readonly #known = new Map<string, FunctionTable | null>();
  #boundaries = 0;
  #nameFunctions: NameFunctions | null = null;
  /** Bytes that the current request may still parse. */
  #budget = 0;
  #isComplete = true;

  constructor(tables: ArtifactTables) {
    this.#tables = tables;
  }

  /** True if the parser is loaded. */
  get canParse(): boolean {
    return this.#nameFunctions !== null;
  }

  /** False if the current request read fewer sources than it needs. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** Loads the parser. */
  async load(): Promise<void> {
    const { nameFunctions } = await import("../../../core/symbolication/names/parse-source.ts");
    this.#nameFunctions = nameFunctions;
  }

  /** Starts a request, with a new budget. */
  start(): void {
    this.#budget = limits.maxParsedBytesPerRequest;
    this.#isComplete = true;
  }

  /** The functions of a source; null if it has none that can be read, now or ever. */
  read(hash: string, map: CompactMap, source: number): FunctionTable | null {
    const key = `${hash} ${source}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const stored = this.#tables.functions.get(hash, source);
    const table = stored === undefined ? this.#parse(hash, map, source) : stored;
    if (table === undefined) return null;
    if (this.#boundaries > MAX_BOUNDARIES) this.reset();
    this.#boundaries += table?.boundaries.length ?? 1;
    this.#known.set(key, table);
    return table;
  }

  /** Forgets all functions in memory: their maps may be deleted. */
  reset(): void {
    this.#known.clear();
    this.#boundaries = 0;
  }

  /** Undefined if the source has to wait: for the parser, or for the next request. */
  #parse(hash: string, map: CompactMap, source: number): FunctionTable | null | undefined {
    const text = readParsedText(map, source);
    if (text === null) return null;
    if (this.#nameFunctions === null || text.length > this.#budget) {
      this.#isComplete = false;
      return undefined;
    }
    this.#budget -= text.length;
    const table = this.#nameFunctions(map.getSource(source).name ?? "", text);
    this.#tables.functions.put(hash, source, table);
    return table;
  }
}
