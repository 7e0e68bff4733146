/**
 * Parses an original source for its functions. Imports the parsers, so that this module is loaded
 * only where a table is missing. Sources: acorn, @sveltejs/acorn-typescript.
 */
import { tsPlugin } from "@sveltejs/acorn-typescript";
import { type Options, Parser } from "acorn";
import { limits } from "../../limits.ts";
import { collectFunctions, type SyntaxNode } from "./collect-functions.ts";
import { createFunctionTable, type FunctionTable, type NamedRange } from "./function-table.ts";
import { PARSER_OPTIONS } from "./parser-options.ts";
import { findScriptBlocks, isMarkup, type ScriptBlock } from "./script-blocks.ts";
import { acceptAllForms } from "./typescript-parser.ts";

/**
 * The functions of a source. `file` is its name in the map, whose ending tells the language. Null
 * if the text is too long, is of another language, or has a syntax error. Takes linear time, about
 * 1 s per MB.
 */
export function nameFunctions(file: string, text: string): FunctionTable | null {
  if (text.length > limits.maxParsedSourceBytes) return null;
  const language = /\.([a-z]{1,8})(?:$|[?#])/i.exec(file)?.[1]?.toLowerCase() ?? "";
  if (MARKUP.has(language) && isMarkup(text)) return nameScriptBlocks(text, language);
  const ranges = parseFunctions(text, language);
  return ranges && createFunctionTable(text, ranges);
}

/** The functions in the `<script>` blocks of a Vue or Svelte file. Other code has no name. */
function nameScriptBlocks(text: string, language: string): FunctionTable | null {
  const ranges: NamedRange[] = [];
  for (const block of findScriptBlocks(text, language)) {
    const found = parseFunctions(blankOutside(text, block), block.language);
    if (found === null) continue;
    ranges.push({ start: block.start, end: block.end, name: block.outside });
    for (const range of found) ranges.push(range);
  }
  return ranges.length === 0 ? null : createFunctionTable(text, ranges, null);
}

/** The text with spaces outside of a block, so that offsets stay. */
function blankOutside(text: string, { start, end }: ScriptBlock): string {
  return " ".repeat(start) + text.slice(start, end);
}

/** Files of components, whose scripts are in markup. */
const MARKUP: ReadonlySet<string> = new Set(["vue", "svelte", "astro", "html"]);

/** Languages of the parser, the most probable first. */
const DIALECTS: Readonly<Record<string, readonly Dialect[]>> = {
  ts: ["typescript"],
  mts: ["typescript"],
  cts: ["typescript"],
  tsx: ["tsx"],
  jsx: ["tsx", "script"],
};
const OTHER_DIALECTS: readonly Dialect[] = ["module", "script", "tsx", "typescript"];

type Dialect = "module" | "script" | "typescript" | "tsx";

function parseFunctions(text: string, language: string): readonly NamedRange[] | null {
  for (const dialect of DIALECTS[language] ?? OTHER_DIALECTS) {
    const program = parse(text, dialect);
    if (program !== null) return collectFunctions(program);
  }
  return null;
}

/** Null for a text that is not of this dialect, or is nested too deeply. */
function parse(text: string, dialect: Dialect): SyntaxNode | null {
  try {
    const sourceType = dialect === "script" ? "script" : "module";
    const program: unknown = getParser(dialect).parse(text, { ...PARSER_OPTIONS, sourceType });
    return program as SyntaxNode;
  } catch {
    return null;
  }
}

/**
 * Tokens that are read for each character of a text before the parser gives up: where it tries
 * several readings, nested ones could take exponential time.
 */
const MAX_TOKENS_PER_CHAR = 2;
const MIN_TOKENS = 10_000;
/** Nodes of one text, each with about 100 bytes. Code of the longest text has half as many. */
const MAX_NODES = 150_000;

/** Methods of the parser that its types do not list. */
interface ParserMethods {
  readonly input: string;
  nextToken(): void;
  readonly lastTokEnd: number;
  finishNode(node: object, type: string): object;
  startNodeAt(start: number): object;
  /** Of the parser of types only. */
  tsParseConstModifier?: object;
  tsTryParseTypeParameters?(parseModifiers: object | undefined): object | undefined;
}
interface NodeRange {
  start: number;
  end: number;
}
type ParserClass = new (options: Options, input: string, start?: number) => Parser & ParserMethods;

/**
 * Checks for errors that compilers report. Several take more than constant time, such as the search
 * of a name among all others of its scope. Two refuse code that TypeScript accepts: an arrow
 * function with `<T extends A>` in a file with JSX, and one with `async <T>` after an `await`.
 */
const SKIPPED_CHECKS = [
  ...["checkLocalExport", "checkLValInnerPattern", "checkLValPattern", "checkLValSimple"],
  ...["checkParams", "checkPropClash", "checkUnreserved", "checkYieldAwaitInDefaultParams"],
  ...["declareName", "reportReservedArrowTypeParam", "validateRegExpFlags"],
  "validateRegExpPattern",
];

const NO_POSITION = { line: 1, column: 0 } as const;

/** Makes each step of a parser constant in time, and leaves errors to tools that compile. */
function limitWork(Base: typeof Parser): typeof Parser {
  class LimitedParser extends (Base as unknown as ParserClass) {
    #tokens = 0;
    #nodes = 0;

    override nextToken(): void {
      const max = Math.max(MIN_TOKENS, this.input.length * MAX_TOKENS_PER_CHAR);
      if (++this.#tokens > max) throw new RangeError("The text takes too many attempts to parse.");
      super.nextToken();
    }

    override finishNode(node: object, type: string): object {
      if (++this.#nodes > MAX_NODES) throw new RangeError("The text has too many nodes.");
      return super.finishNode(node, type);
    }

    /** The parser's own error has a line, for which it reads the text from its start. */
    raise(_: number, message: string): never {
      throw new SyntaxError(message);
    }

    raiseRecoverable(_: number, message: string): never {
      throw new SyntaxError(message);
    }

    // The parser of types expects nodes with lines and columns, which are half of the memory.

    curPosition(): object {
      return NO_POSITION;
    }

    startNodeAtNode({ start }: NodeRange): object {
      return this.startNodeAt(start);
    }

    resetStartLocation(node: NodeRange, start: number): void {
      node.start = start;
    }

    resetStartLocationFromNode(node: NodeRange, other: NodeRange): void {
      node.start = other.start;
    }

    resetEndLocation(node: NodeRange, end = this.lastTokEnd): void {
      node.end = end;
    }

    /** The parser refuses `const` in the type parameters of a signature. */
    override tsTryParseTypeParameters(
      parseModifiers = this.tsParseConstModifier,
    ): object | undefined {
      return super.tsTryParseTypeParameters?.(parseModifiers);
    }
  }
  const skipped = { value: () => undefined };
  for (const name of SKIPPED_CHECKS) Object.defineProperty(LimitedParser.prototype, name, skipped);
  return LimitedParser as unknown as typeof Parser;
}

/** The class of a parser takes a millisecond to create. */
const parsers = new Map<string, typeof Parser>();

function getParser(dialect: Dialect): typeof Parser {
  const kind = dialect === "script" ? "module" : dialect;
  const known = parsers.get(kind);
  if (known !== undefined) return known;
  const parser =
    kind === "module"
      ? Parser.extend(limitWork)
      : Parser.extend(tsPlugin({ jsx: kind === "tsx" }), limitWork, acceptAllForms);
  parsers.set(kind, parser);
  return parser;
}
