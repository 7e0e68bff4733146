/**
 * Reads the structure of a source map from its bytes: the sections of an index map, or the map
 * itself as the only section. Mappings, names and source texts stay in the bytes, as spans.
 * Source: ECMA-426 § Source map format, § Index map.
 */

import { asRecord } from "../decode/as-type.ts";
import { limits } from "../limits.ts";
import { fail, ok, type Result } from "../result.ts";
import { truncateText } from "../truncate.ts";
import { type JsonProblem, JsonScanner, type JsonSpan } from "./format/json-scanner.ts";
import { parseDebugId } from "./script-facts.ts";

/** Why a map was refused. `detail` is a sentence with the byte offset. */
export interface MapProblem {
  readonly reason: "invalid-map";
  readonly detail: string;
}

/** A map without sections, at its place in the script. */
export interface MapSection {
  /** 0-based; `column` counts for the first line only. */
  readonly line: number;
  readonly column: number;
  /** A JSON string. */
  readonly mappings: JsonSpan;
  /** With `sourceRoot`, cut to `limits.maxStringChars`; null for a source without a name. */
  readonly sources: readonly (string | null)[];
  /** Indices in `sources`. */
  readonly ignored: ReadonlySet<number>;
  /** A JSON array. */
  readonly names: JsonSpan | null;
  readonly nameCount: number;
  /** A JSON array. */
  readonly contents: JsonSpan | null;
}

/** The structure of a map. */
export interface ScannedMap {
  readonly sections: readonly MapSection[];
  /** 32 lower-case hex characters. */
  readonly debugId?: string;
  readonly problems: readonly string[];
}

type Members = ReadonlyMap<string, JsonSpan>;

const KNOWN_MEMBERS = new Set([
  ...["version", "sourceRoot", "sources", "sourcesContent", "names", "mappings", "sections"],
  ...["ignoreList", "x_google_ignoreList", "debugId", "debug_id"],
]);

/** Values that are parsed as a whole: numbers, ids, a source root. */
const MAX_SMALL_BYTES = 10_000;

/** The problem at a place of a map, as a sentence. */
export function toMapProblem({ at, expected, from }: JsonProblem): MapProblem {
  const start = from === undefined ? "" : ` from byte ${from}`;
  const detail = `The map is invalid at byte ${at}: expected ${expected}${start}.`;
  return { reason: "invalid-map", detail };
}

/** The structure of a map. Fails if it is not a map of version 3 or exceeds the limits. */
export function scanMap(
  bytes: Uint8Array,
): Result<ScannedMap, { readonly reason: "invalid-map" } & JsonProblem> {
  const scanner = new JsonScanner(bytes);
  const scan = new MapScan(scanner);
  const scanned = scan.readDocument();
  const { problem } = scanner;
  if (scanned !== null && problem === null) return ok(scanned);
  return fail({ reason: "invalid-map", ...(problem ?? { at: 0, expected: "a source map" }) });
}

class MapScan {
  readonly #scanner: JsonScanner;
  readonly #problems: string[] = [];
  #sources = 0;
  #names = 0;

  constructor(scanner: JsonScanner) {
    this.#scanner = scanner;
  }

  readDocument(): ScannedMap | null {
    const scanner = this.#scanner;
    const { bytes } = scanner;
    const start = scanner.skipSpace(skipGuard(bytes));
    const members = this.#readMembers(start);
    if (members === null) return null;
    const { map, end } = members;
    const rest = scanner.skipSpace(end);
    if (rest < bytes.length) return this.#fail(rest, "nothing after the map");
    if (!this.#checkVersion(map, start, true)) return null;
    const sections = map.get("sections");
    const read =
      sections === undefined ? this.#readSection(map, start, 0, 0) : this.#readSections(sections);
    if (read === null) return null;
    const debugId = this.#readDebugId(map);
    return {
      sections: Array.isArray(read) ? read : [read],
      ...(debugId !== null && { debugId }),
      problems: this.#problems,
    };
  }

  /** The known members. Of two with the same name, the last counts. */
  #readMembers(at: number): { readonly map: Members; readonly end: number } | null {
    const map = new Map<string, JsonSpan>();
    const end = this.#scanner.visitMembers(at, (key, span) => {
      if (KNOWN_MEMBERS.has(key)) map.set(key, span);
    });
    return end === -1 ? null : { map, end };
  }

  #checkVersion(map: Members, start: number, isRequired: boolean): boolean {
    const span = map.get("version");
    if (span === undefined) {
      if (isRequired) this.#fail(start, 'the member "version"');
      return !isRequired;
    }
    const version = this.#parseSmall(span);
    if (version === "3") this.#problems.push("The version is text instead of the number 3.");
    else if (version !== 3) this.#fail(span.start, "version 3");
    return version === 3 || version === "3";
  }

  #readDebugId(map: Members): string | null {
    const [camel = null, snake = null] = ["debugId", "debug_id"].map((name) => {
      const span = map.get(name);
      return span === undefined ? null : parseDebugId(this.#parseSmall(span));
    });
    if (camel !== null && snake !== null && camel !== snake)
      this.#problems.push(`The map has two debug ids, ${camel} and ${snake}.`);
    return camel ?? snake;
  }

  #readSections({ start }: JsonSpan): MapSection[] | null {
    const sections: MapSection[] = [];
    const end = this.#scanner.visitElements(start, (at) => {
      if (sections.length >= limits.maxSectionsPerMap) {
        this.#fail(at, `at most ${limits.maxSectionsPerMap} sections`);
        return false;
      }
      const section = this.#readIndexSection(at, sections.at(-1));
      if (section !== null) sections.push(section);
      return section !== null;
    });
    return end === -1 || this.#scanner.problem !== null ? null : sections;
  }

  #readIndexSection(at: number, previous: MapSection | undefined): MapSection | null {
    const found = new Map<string, JsonSpan>();
    if (this.#scanner.visitMembers(at, (key, span) => found.set(key, span)) === -1) return null;
    const url = found.get("url");
    if (url !== undefined) return this.#fail(url.start, "a section with its map, not with a URL");
    const offsetSpan = found.get("offset");
    const offset = offsetSpan && asRecord(this.#parseSmall(offsetSpan));
    const [line, column] = [offset?.line, offset?.column];
    if (!isPosition(line) || !isPosition(column))
      return this.#fail(offsetSpan?.start ?? at, "the line and column of a section");
    const isBefore =
      previous !== undefined &&
      (line < previous.line || (line === previous.line && column < previous.column));
    if (isBefore) return this.#fail(at, "sections in ascending order");
    const mapAt = found.get("map")?.start;
    if (mapAt === undefined) return this.#fail(at, 'the member "map" of a section');
    const members = this.#readMembers(mapAt);
    if (members === null || !this.#checkVersion(members.map, mapAt, false)) return null;
    const nested = members.map.get("sections");
    if (nested !== undefined) return this.#fail(nested.start, "no sections inside of a section");
    return this.#readSection(members.map, mapAt, line, column);
  }

  #readSection(map: Members, at: number, line: number, column: number): MapSection | null {
    const mappings = map.get("mappings");
    if (mappings === undefined) return this.#fail(at, 'the member "mappings"');
    if (!this.#isText(mappings)) return this.#fail(mappings.start, "mappings as text");
    const sources = this.#readSources(map);
    const names = this.#readNames(map.get("names"));
    if (sources === null || names === null) return null;
    const contents = map.get("sourcesContent") ?? null;
    const hasContents = contents !== null && this.#isArray(contents);
    if (contents !== null && !hasContents && !this.#isNull(contents))
      return this.#fail(contents.start, "sourcesContent as a list");
    const ignored = this.#readIgnored(map.get("ignoreList") ?? map.get("x_google_ignoreList"));
    const texts = { ...names, contents: hasContents ? contents : null };
    return { line, column, mappings, sources, ignored, ...texts };
  }

  #readSources(map: Members): (string | null)[] | null {
    const span = map.get("sources");
    const sources: (string | null)[] = [];
    if (span === undefined) return sources;
    if (!this.#isArray(span)) return this.#fail(span.start, "sources as a list");
    const rootSpan = map.get("sourceRoot");
    const root = rootSpan === undefined ? null : this.#parseSmall(rootSpan);
    const prefix = typeof root === "string" && root !== "" ? `${root.replace(/\/$/, "")}/` : "";
    const end = this.#scanner.visitElements(span.start, (start, elementEnd) => {
      this.#sources++;
      if (this.#sources > limits.maxSourcesPerMap) {
        this.#fail(start, `at most ${limits.maxSourcesPerMap} sources`);
        return false;
      }
      const element = { start, end: elementEnd };
      const source = this.#scanner.parseText(element, limits.maxStringChars);
      if (source === undefined && !this.#isNull(element)) {
        this.#fail(start, "a source as text or null");
        return false;
      }
      const isNamed = source !== undefined;
      sources.push(isNamed ? truncateText(prefix + source, limits.maxStringChars) : null);
      return true;
    });
    return end === -1 || this.#scanner.problem !== null ? null : sources;
  }

  /** Counts the names. Null after a problem. */
  #readNames(span: JsonSpan | undefined): Pick<MapSection, "names" | "nameCount"> | null {
    if (span === undefined || this.#isNull(span)) return { names: null, nameCount: 0 };
    if (!this.#isArray(span)) return this.#fail(span.start, "names as a list");
    let nameCount = 0;
    const end = this.#scanner.visitElements(span.start, (start) => {
      nameCount++;
      this.#names++;
      const isOver = this.#names > limits.maxNamesPerMap;
      if (isOver) this.#fail(start, `at most ${limits.maxNamesPerMap} names`);
      return !isOver;
    });
    return end === -1 || this.#scanner.problem !== null ? null : { names: span, nameCount };
  }

  #readIgnored(span: JsonSpan | undefined): ReadonlySet<number> {
    const ignored = new Set<number>();
    if (span === undefined || !this.#isArray(span)) return ignored;
    this.#scanner.visitElements(span.start, (start, end) => {
      const index = end - start < 10 ? this.#parseSmall({ start, end }) : undefined;
      if (isPosition(index)) ignored.add(index);
      return ignored.size <= limits.maxSourcesPerMap;
    });
    return ignored;
  }

  #parseSmall(span: JsonSpan): unknown {
    return span.end - span.start > MAX_SMALL_BYTES ? undefined : this.#scanner.parse(span);
  }

  #isText({ start }: JsonSpan): boolean {
    return this.#scanner.bytes[start] === 0x22;
  }

  #isArray({ start }: JsonSpan): boolean {
    return this.#scanner.bytes[start] === 0x5b;
  }

  #isNull({ start }: JsonSpan): boolean {
    return this.#scanner.bytes[start] === 0x6e;
  }

  #fail(at: number, expected: string): null {
    this.#scanner.fail(at, expected);
    return null;
  }
}

const MAX_POSITION = 2 ** 31 - 1;

function isPosition(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MAX_POSITION;
}

/** The index after a byte order mark and after a first line that guards against inclusion. */
function skipGuard(bytes: Uint8Array): number {
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  const isGuarded = bytes[start] === 0x29 && bytes[start + 1] === 0x5d && bytes[start + 2] === 0x7d;
  if (!isGuarded) return start;
  const lineEnd = bytes.indexOf(0x0a, start);
  return lineEnd === -1 ? bytes.length : lineEnd + 1;
}
