/**
 * The functions of sources, for the frames of a request: from memory, from the database, or parsed
 * and then stored.
 */
import { limits } from "../../../core/limits.ts";
import type { CompactMap } from "../../../core/symbolication/compact-map.ts";
import type { FunctionTable } from "../../../core/symbolication/names/function-table.ts";
import { type NameFunctions, readParsedText } from "../../../core/symbolication/parse-functions.ts";
import type { ArtifactTables } from "../tables/artifact-tables.ts";

/** Boundaries of functions in memory, with about 30 bytes each. A full cache is cleared. */
const MAX_BOUNDARIES = 200_000;

export class FunctionReader {
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
