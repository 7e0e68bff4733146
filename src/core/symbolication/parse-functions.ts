/** Reads the functions of a source in a map. The parser is loaded where it is needed. */
import { limits } from "../limits.ts";
import type { CompactMap } from "./compact-map.ts";
import type { FunctionTable } from "./names/function-table.ts";

/** `nameFunctions` of `names/parse-source.ts`. */
export type NameFunctions = (file: string, text: string) => FunctionTable | null;

/** Increases when the same text gives another table: stored tables are then replaced. */
export const NAMES_VERSION = 3;

/** The text of a source whose functions can be read; null if it is absent or too long. */
export function readParsedText(map: CompactMap, source: number): string | null {
  return map.readText(source, limits.maxParsedSourceBytes);
}

/** A reader of the functions of a map that parses each source once, and keeps the result. */
export function createFunctionReader(
  map: CompactMap,
  nameFunctions: NameFunctions,
): (source: number) => FunctionTable | null {
  const tables = new Map<number, FunctionTable | null>();
  return (source) => {
    const known = tables.get(source);
    if (known !== undefined) return known;
    const text = readParsedText(map, source);
    const table = text === null ? null : nameFunctions(map.getSource(source).name ?? "", text);
    tables.set(source, table);
    return table;
  };
}
