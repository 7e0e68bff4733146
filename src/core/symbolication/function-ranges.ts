/**
 * Lists the functions of a minified script, with the words that name them. Imports the parser, so
 * that this module is loaded only where scripts are converted. Source: acorn, ESTree.
 */
import { type AnyNode, Parser } from "acorn";
import { limits } from "../limits.ts";
import { omitUndefined } from "../omit-undefined.ts";

/** A place in the script, 0-based; columns are UTF-16 units. */
export interface ScriptPosition {
  readonly line: number;
  readonly column: number;
}

/** A function of the script. Its name is found by looking up the words in the map. */
export interface FunctionRange {
  readonly start: ScriptPosition;
  /** The first position after the function. */
  readonly end: ScriptPosition;
  /** The `(` of its parameters or its `=>`, where generators may put its name. */
  readonly open: ScriptPosition;
  /** Its first parameter, which has a place in the source unless a tool added the function. */
  readonly parameter?: ScriptPosition;
  /** Its own id, its key, or the variable or property that it is assigned to. */
  readonly word?: ScriptPosition;
  /** A name that the script sets at run time, as esbuild does with `keepNames`. */
  readonly setName?: string;
  /** For a method or a field: the class, and its id or the variable that it is assigned to. */
  readonly classStart?: ScriptPosition;
  readonly classWord?: ScriptPosition;
  readonly isConstructor?: true;
}

/**
 * A function whose parents are still being parsed; only they know its name. Offsets in the script.
 */
interface FoundFunction {
  readonly start: number;
  readonly end: number;
  readonly open: number;
  readonly parameter: number | undefined;
  word: number | undefined;
  setName?: string;
  classNode?: FoundClass;
  isConstructor?: true;
}

interface FoundClass {
  readonly start: number;
  word: number | undefined;
}

/** The name that the parent of a value gives to it. */
interface Hint {
  readonly word?: number;
  readonly setName?: string;
}

const NO_HINT: Hint = {};

/**
 * The functions of a script in the order of their starts; null if it cannot be parsed or has more
 * than `limits.maxFunctionsPerScript`.
 */
export function parseFunctions(script: string): readonly FunctionRange[] | null {
  const found = collectFunctions(script, "module") ?? collectFunctions(script, "script");
  if (found === null || found.length > limits.maxFunctionsPerScript) return null;
  const toPosition = createPositions(script);
  return [...found]
    .sort((a, b) => a.start - b.start || b.end - a.end)
    .map((one) => toRange(one, toPosition));
}

/** Null if the script is not of this kind, not JavaScript, or nested too deeply to parse. */
function collectFunctions(script: string, sourceType: "module" | "script") {
  try {
    return FunctionParser.collect(script, sourceType);
  } catch {
    return null;
  }
}

type FunctionNode = Extract<
  AnyNode,
  { type: "FunctionDeclaration" | "FunctionExpression" | "ArrowFunctionExpression" }
>;

/** The method that the parser calls with each node when its children are complete. */
const { finishNode } = Parser.prototype as unknown as {
  finishNode(this: Parser, node: object, type: string): AnyNode;
};

/**
 * Records functions as they are parsed and drops their bodies. The whole tree of a script would
 * take 36 times its size.
 */
class FunctionParser extends Parser {
  readonly #found: FoundFunction[] = [];
  readonly #functions = new WeakMap<object, FoundFunction>();
  readonly #classes = new WeakMap<object, FoundClass>();
  #nameSetter: string | undefined;

  static collect(script: string, sourceType: "module" | "script"): readonly FoundFunction[] {
    const options = { ...PARSER_OPTIONS, sourceType };
    const parser = new FunctionParser(options, script);
    parser.#nameSetter = findNameSetter(script);
    parser.parse();
    return parser.#found;
  }

  finishNode(node: object, type: string): AnyNode {
    const finished = finishNode.call(this, node, type);
    this.#visit(finished);
    return finished;
  }

  #visit(node: AnyNode): void {
    switch (node.type) {
      case "FunctionDeclaration":
      case "FunctionExpression":
      case "ArrowFunctionExpression":
        this.#addFunction(node);
        break;
      case "ClassDeclaration":
      case "ClassExpression":
        this.#addClass(node);
        break;
      case "VariableDeclarator":
        this.#name(node.init, toWordHint(node.id));
        break;
      case "AssignmentExpression":
        if (ASSIGNMENT.test(node.operator)) this.#name(node.right, toWordHint(node.left));
        break;
      case "AssignmentPattern":
        this.#name(node.right, toWordHint(node.left));
        break;
      case "Property":
      case "MethodDefinition":
      case "PropertyDefinition":
        this.#name(node.value, toKeyHint(node));
        break;
      default:
    }
  }

  #addFunction(node: FunctionNode): void {
    const found: FoundFunction = {
      start: node.start,
      end: node.end,
      open: findOpen(this.input, node),
      parameter: node.params[0]?.start,
      word: node.id?.start,
    };
    this.#found.push(found);
    this.#functions.set(node, found);
    node.body = { type: "BlockStatement", start: node.end, end: node.end, body: [] };
  }

  #addClass(node: Extract<AnyNode, { type: "ClassDeclaration" | "ClassExpression" }>): void {
    const classNode: FoundClass = { start: node.start, word: node.id?.start };
    this.#classes.set(node, classNode);
    for (const member of node.body.body) {
      const { named } = this.#unwrap("value" in member ? member.value : null);
      const found = named && this.#functions.get(named);
      if (found === undefined) continue;
      found.classNode = classNode;
      if (member.type === "MethodDefinition" && member.kind === "constructor") {
        found.isConstructor = true;
      }
    }
    node.body.body = [];
  }

  /** A function or class with a name of its own keeps that one. */
  #name(value: AnyNode | null | undefined, hint: Hint): void {
    const { named, setName } = this.#unwrap(value);
    if (named === undefined) return;
    const found = this.#functions.get(named);
    if (found !== undefined) {
      found.word ??= hint.word;
      const name = setName ?? hint.setName;
      if (name !== undefined) found.setName ??= name;
    }
    const classNode = this.#classes.get(named);
    if (classNode !== undefined) classNode.word ??= hint.word;
  }

  /** The value itself, or the one that the script gives a name at run time. */
  #unwrap(value: AnyNode | null | undefined): { named?: AnyNode; setName?: string } {
    if (!value) return {};
    if (value.type !== "CallExpression" || value.callee.type !== "Identifier") {
      return { named: value };
    }
    const [named, name] = value.arguments;
    const isSetter = value.callee.name === this.#nameSetter && named !== undefined;
    if (!isSetter || name?.type !== "Literal" || typeof name.value !== "string") return {};
    // At run time, a default export without a name is called `default`.
    return name.value === "default" ? { named } : { named, setName: name.value };
  }
}

const PARSER_OPTIONS = {
  ecmaVersion: "latest",
  allowHashBang: true,
  allowReturnOutsideFunction: true,
  allowAwaitOutsideFunction: true,
  allowImportExportEverywhere: true,
  allowSuperOutsideMethod: true,
  checkPrivateFields: false,
} as const;

const ASSIGNMENT = /^(?:\|\||&&|\?\?)?=$/;

/** esbuild: `r=(e,n)=>f(e,"name",{value:n,configurable:!0})`. */
const NAME_SETTER =
  /(?<![\w$])([\w$]{1,40})\s?=\s?\([\w$]{1,40},\s?[\w$]{1,40}\)\s?=>\s?[\w$.]{1,80}\([\w$]{1,40},\s?"name",\s?\{\s?value:/;

function findNameSetter(script: string): string | undefined {
  return script.includes('"name"') ? NAME_SETTER.exec(script)?.[1] : undefined;
}

/** The word of a variable or member that a value is assigned to. */
function toWordHint(target: AnyNode): Hint {
  if (target.type === "Identifier") return { word: target.start };
  if (target.type !== "MemberExpression") return NO_HINT;
  const isName = !target.computed || target.property.type === "Literal";
  return isName ? { word: target.property.start } : NO_HINT;
}

/** The word of a key. A computed key is not a name, except for those of `Symbol`. */
function toKeyHint({ computed, key }: { readonly computed: boolean; readonly key: AnyNode }): Hint {
  if (!computed || key.type === "Literal") return { word: key.start };
  if (key.type !== "MemberExpression" || key.property.type !== "Identifier") return NO_HINT;
  const isSymbol = key.object.type === "Identifier" && key.object.name === "Symbol";
  return isSymbol ? { setName: `[Symbol.${key.property.name}]` } : NO_HINT;
}

function toRange(
  found: FoundFunction,
  toPosition: (offset: number) => ScriptPosition,
): FunctionRange {
  const toOptional = (offset: number | undefined) =>
    offset === undefined ? undefined : toPosition(offset);
  return omitUndefined({
    start: toPosition(found.start),
    end: toPosition(found.end),
    open: toPosition(found.open),
    parameter: toOptional(found.parameter),
    word: toOptional(found.word),
    setName: found.setName,
    classStart: toOptional(found.classNode?.start),
    classWord: toOptional(found.classNode?.word),
    isConstructor: found.isConstructor,
  });
}

function findOpen(script: string, node: FunctionNode): number {
  const isArrow = node.type === "ArrowFunctionExpression";
  const from = isArrow ? (node.params.at(-1)?.end ?? node.start) : (node.id?.end ?? node.start);
  const open = script.indexOf(isArrow ? "=>" : "(", from);
  return open === -1 ? node.start : open;
}

const LINE_ENDS = /\r\n|[\n\r\u2028\u2029]/g;

/** Converts offsets in the script to positions, by the line ends of ECMAScript. */
function createPositions(script: string): (offset: number) => ScriptPosition {
  const starts = [0];
  for (const match of script.matchAll(LINE_ENDS)) starts.push(match.index + match[0].length);
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] as number) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low, column: offset - (starts[low] as number) };
  };
}
