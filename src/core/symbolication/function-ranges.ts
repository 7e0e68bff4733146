/**
 * Lists the functions of a minified script, with the words that name them. Imports the parser, so
 * that this module is loaded only where scripts are converted. Source: acorn, ESTree.
 */
import { type AnyNode, type Identifier, Parser } from "acorn";
import { limits } from "../limits.ts";
import { ANONYMOUS_NAME } from "./format/compact-format.ts";
import { createLineStarts } from "./format/line-starts.ts";
import { PARSER_OPTIONS } from "./names/parser-options.ts";

/** A word of the script that names a function or a class. */
export interface NameWord {
  readonly offset: number;
  readonly text: string;
  /** True for a property, whose name minifiers keep. */
  readonly isKey: boolean;
}

/**
 * A function of the script. Its name is found by looking up its words in the map. All numbers are
 * offsets in the script, in UTF-16 units.
 */
export interface FunctionRange {
  /** Of a constructor, the start of its key. */
  start: number;
  /** The first offset after the function. */
  readonly end: number;
  /** Its own id, its key, or the variable or property that it is assigned to. */
  word: NameWord | undefined;
  /** A name that the script sets at run time, as esbuild does with `keepNames`. */
  setName?: string;
  /** Of a method or a field. */
  classNode?: FoundClass;
  isConstructor?: true;
}

/** The functions of a script in the order of their starts. */
export interface ScriptFunctions {
  readonly functions: readonly FunctionRange[];
  /** The offset of each line, by the line ends of ECMAScript. */
  readonly lineStarts: readonly number[];
}

/** A class, with its id or the variable that it is assigned to. */
interface FoundClass {
  word: NameWord | undefined;
}

/** The name that the parent of a value gives to it. */
interface Hint {
  readonly word?: NameWord;
  readonly setName?: string;
}

const NO_HINT: Hint = {};

/**
 * The functions of a script; null if it cannot be parsed, has more than
 * `limits.maxFunctionsPerScript`, or needs too much memory.
 */
export function parseFunctions(script: string): ScriptFunctions | null {
  const found = collectFunctions(script, "module") ?? collectFunctions(script, "script");
  if (found === null) return null;
  const functions = found.sort((a, b) => a.start - b.start || b.end - a.end);
  return { functions, lineStarts: createLineStarts(script) };
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

/** Methods of the parser that its types do not list. */
interface ParserMethods {
  /** Called with each node when its children are complete. */
  finishNode(this: Parser, node: object, type: string): AnyNode;
  /** Called at the start of each function. */
  initFunction(this: Parser, node: object): void;
  parseStatement(this: Parser, ...context: unknown[]): AnyNode;
}

const methods = Parser.prototype as unknown as ParserMethods;
const { finishNode, initFunction, parseStatement } = methods;

/**
 * The maximum number of nodes in memory, each with about 100 bytes: those of the statements and
 * functions that are being parsed. An array or object of data has one per value.
 */
const MAX_NODES = 300_000;

/**
 * Records functions as they are parsed. Drops the bodies of functions and the contents of finished
 * statements: the whole tree of a script would take 36 times its size.
 */
class FunctionParser extends Parser {
  readonly #found: FunctionRange[] = [];
  readonly #functions = new WeakMap<object, FunctionRange>();
  readonly #classes = new WeakMap<object, FoundClass>();
  readonly #nodesBefore = new WeakMap<object, number>();
  #nodes = 0;
  #nameSetter: string | undefined;

  static collect(script: string, sourceType: "module" | "script"): FunctionRange[] {
    const options = { ...PARSER_OPTIONS, sourceType };
    const parser = new FunctionParser(options, script);
    parser.#nameSetter = findNameSetter(script);
    parser.parse();
    return parser.#found;
  }

  finishNode(node: object, type: string): AnyNode {
    const finished = finishNode.call(this, node, type);
    if (++this.#nodes > MAX_NODES) throw new RangeError();
    this.#visit(finished);
    return finished;
  }

  initFunction(node: object): void {
    initFunction.call(this, node);
    this.#nodesBefore.set(node, this.#nodes);
  }

  validateRegExpFlags(): void {
    // Engines check regular expressions.
  }

  validateRegExpPattern(): void {
    // Nor their patterns, which take a table of Unicode's properties.
  }

  parseStatement(...context: unknown[]): AnyNode {
    const nodesBefore = this.#nodes;
    const statement = parseStatement.call(this, ...context);
    dropContents(statement);
    this.#nodes = nodesBefore + 1;
    return statement;
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
    const found: FunctionRange = {
      start: node.start,
      end: node.end,
      word: node.id ? toWord(node.id) : undefined,
    };
    if (this.#found.push(found) > limits.maxFunctionsPerScript) throw new RangeError();
    this.#functions.set(node, found);
    node.body = { type: "BlockStatement", start: node.end, end: node.end, body: [] };
    this.#nodes = this.#nodesBefore.get(node) ?? this.#nodes;
  }

  #addClass(node: Extract<AnyNode, { type: "ClassDeclaration" | "ClassExpression" }>): void {
    const classNode: FoundClass = { word: node.id ? toWord(node.id) : undefined };
    this.#classes.set(node, classNode);
    for (const member of node.body.body) {
      const { named } = this.#unwrap("value" in member ? member.value : null);
      const found = named && this.#functions.get(named);
      if (found === undefined) continue;
      found.classNode = classNode;
      if (member.type === "MethodDefinition" && member.kind === "constructor") {
        found.isConstructor = true;
        found.start = member.key.start;
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
    if (value.type !== "CallExpression" || value.callee.type !== "Identifier")
      return { named: value };
    const [named, name] = value.arguments;
    const isSetter = value.callee.name === this.#nameSetter && named !== undefined;
    if (!isSetter || name?.type !== "Literal" || typeof name.value !== "string") return {};
    // At run time, a default export without a name is called `default`.
    return name.value === "default" ? { named } : { named, setName: name.value };
  }
}

const ASSIGNMENT = /^(?:\|\||&&|\?\?)?=$/;

/** esbuild: `r=(e,n)=>f(e,"name",{value:n,configurable:!0})`. */
const NAME_SETTER =
  /(?<![\w$])([\w$]{1,40})\s?=\s?\([\w$]{1,40},\s?[\w$]{1,40}\)\s?=>\s?[\w$.]{1,80}\([\w$]{1,40},\s?"name",\s?\{\s?value:/;

function findNameSetter(script: string): string | undefined {
  return script.includes('"name"') ? NAME_SETTER.exec(script)?.[1] : undefined;
}

/** The word of a variable or member that a value is assigned to. */
function toWordHint(target: AnyNode): Hint {
  if (target.type === "Identifier") return { word: toWord(target) };
  if (target.type !== "MemberExpression") return NO_HINT;
  return target.computed && target.property.type !== "Literal"
    ? NO_HINT
    : toPropertyHint(target.property);
}

/** The word of a key. A computed key is not a name, except for those of `Symbol`. */
function toKeyHint({ computed, key }: { computed: boolean; key: AnyNode }): Hint {
  if (!computed || key.type === "Literal") return toPropertyHint(key);
  if (key.type !== "MemberExpression" || key.property.type !== "Identifier") return NO_HINT;
  const isSymbol = key.object.type === "Identifier" && key.object.name === "Symbol";
  return isSymbol ? { setName: `[Symbol.${key.property.name}]` } : NO_HINT;
}

function toPropertyHint(key: AnyNode): Hint {
  const { start: offset } = key;
  if (key.type === "Identifier") return { word: { offset, text: key.name, isKey: true } };
  if (key.type === "PrivateIdentifier")
    return { word: { offset, text: `#${key.name}`, isKey: false } };
  if (key.type !== "Literal" || typeof key.value !== "string") return NO_HINT;
  if (key.value === "") return { setName: ANONYMOUS_NAME };
  return { word: { offset, text: key.value, isKey: true } };
}

function toWord({ start, name }: Identifier): NameWord {
  return { offset: start, text: name, isKey: false };
}

const DROPPED = { type: "ThisExpression", start: 0, end: 0 } as const;

/**
 * Removes what the parser does not read again. It reads directives, which are literals, and the
 * names of exported declarations.
 */
function dropContents(statement: AnyNode): void {
  if (statement.type === "VariableDeclaration") {
    for (const declarator of statement.declarations) declarator.init = null;
  } else if (statement.type === "BlockStatement") statement.body = [];
  else if (statement.type === "ExpressionStatement" && statement.expression.type !== "Literal") {
    statement.expression = DROPPED;
  }
}
