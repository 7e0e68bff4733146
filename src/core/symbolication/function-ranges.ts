/**
 * Lists the functions of a minified script, with the words that name them. Imports the parser, so
 * that this module is loaded only where scripts are converted. Source: acorn, ESTree.
 */
import { type AnyNode, parse } from "acorn";
import { limits } from "../limits.ts";

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
  /** Of a method or a field: the class, and its id or the variable that it is assigned to. */
  readonly classStart?: ScriptPosition;
  readonly classWord?: ScriptPosition;
  readonly isConstructor?: true;
}

/** Known from the parent of a node. */
interface Hint {
  readonly word?: number;
  readonly setName?: string;
  readonly classNode?: ClassHint;
  readonly isConstructor?: true;
}

interface ClassHint {
  readonly start: number;
  readonly word: number | undefined;
}

const NO_HINT: Hint = {};

/**
 * The functions of a script in the order of their starts; null if it cannot be parsed or has more
 * than `limits.maxFunctionsPerScript`.
 */
export function parseFunctions(script: string): readonly FunctionRange[] | null {
  const program = parseScript(script);
  if (program === null) return null;
  const found: { readonly node: FunctionNode; readonly hint: Hint }[] = [];
  const nameSetter = findNameSetter(script);
  // A stack of its own: a script may be nested deeper than calls may be.
  const pending: { readonly node: AnyNode; readonly hint: Hint }[] = [
    { node: program, hint: NO_HINT },
  ];
  const push = (node: AnyNode | null | undefined, hint: Hint = NO_HINT) => {
    if (node) pending.push({ node, hint });
  };
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node, hint } = next;
    if (isFunction(node)) found.push({ node, hint });
    if (found.length > limits.maxFunctionsPerScript) return null;
    visitChildren(node, hint, nameSetter, push);
  }
  found.sort((a, b) => a.node.start - b.node.start || b.node.end - a.node.end);
  const toPosition = createPositions(script);
  return found.map(({ node, hint }) => toRange(script, node, hint, toPosition));
}

type FunctionNode = Extract<
  AnyNode,
  { type: "FunctionDeclaration" | "FunctionExpression" | "ArrowFunctionExpression" }
>;

function isFunction(node: AnyNode): node is FunctionNode {
  return (
    node.type === "FunctionDeclaration" ||
    node.type === "FunctionExpression" ||
    node.type === "ArrowFunctionExpression"
  );
}

function parseScript(script: string): AnyNode | null {
  for (const sourceType of ["module", "script"] as const) {
    try {
      return parse(script, {
        ecmaVersion: "latest",
        sourceType,
        allowHashBang: true,
        allowReturnOutsideFunction: true,
        allowAwaitOutsideFunction: true,
        allowImportExportEverywhere: true,
        allowSuperOutsideMethod: true,
        checkPrivateFields: false,
      });
    } catch {
      // Not of this kind, no JavaScript, or nested deeper than the parser's calls may be.
    }
  }
  return null;
}

/** esbuild: `r=(e,n)=>f(e,"name",{value:n,configurable:!0})`. */
const NAME_SETTER =
  /([\w$]+)\s?=\s?\([\w$]+,\s?[\w$]+\)\s?=>\s?[\w$.]+\([\w$]+,\s?"name",\s?\{\s?value:/;

function findNameSetter(script: string): string | undefined {
  return script.includes('"name"') ? NAME_SETTER.exec(script)?.[1] : undefined;
}

type Push = (node: AnyNode | null | undefined, hint?: Hint) => void;

/** Pushes the children of a node; those that it names with the word. */
function visitChildren(
  node: AnyNode,
  hint: Hint,
  nameSetter: string | undefined,
  push: Push,
): void {
  switch (node.type) {
    case "VariableDeclarator":
      push(node.id);
      push(node.init, toWordHint(node.id));
      return;
    case "AssignmentExpression":
      push(node.left);
      push(
        node.right,
        node.operator.match(/^(?:\|\||&&|\?\?)?=$/) ? toWordHint(node.left) : NO_HINT,
      );
      return;
    case "AssignmentPattern":
      push(node.left);
      push(node.right, toWordHint(node.left));
      return;
    case "Property":
      if (node.computed) push(node.key);
      push(node.value, toKeyHint(node));
      return;
    case "MethodDefinition":
    case "PropertyDefinition": {
      if (node.computed) push(node.key);
      const { classNode } = hint;
      const isConstructor = node.type === "MethodDefinition" && node.kind === "constructor";
      push(node.value, {
        ...toKeyHint(node),
        ...(classNode && { classNode }),
        ...(isConstructor && { isConstructor }),
      });
      return;
    }
    case "ClassDeclaration":
    case "ClassExpression": {
      push(node.superClass);
      const classNode = { start: node.start, word: node.id?.start ?? hint.word };
      for (const member of node.body.body) push(member, { classNode });
      return;
    }
    case "CallExpression": {
      const [named, name] = node.arguments;
      const isSetter = node.callee.type === "Identifier" && node.callee.name === nameSetter;
      if (isSetter && name?.type === "Literal" && typeof name.value === "string") {
        // A default export without a name is called so at run time.
        push(named, name.value === "default" ? hint : { ...hint, setName: name.value });
        return;
      }
      push(node.callee);
      for (const argument of node.arguments) push(argument);
      return;
    }
    default:
      for (const child of Object.values(node)) {
        for (const item of Array.isArray(child) ? child : [child]) if (isNode(item)) push(item);
      }
  }
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}

/** The word of a variable or member that a value is assigned to. */
function toWordHint(target: AnyNode): Hint {
  if (target.type === "Identifier") return { word: target.start };
  if (target.type !== "MemberExpression") return NO_HINT;
  const isName = !target.computed || target.property.type === "Literal";
  return isName ? { word: target.property.start } : NO_HINT;
}

/** The word of a key. A computed key is not a name. */
function toKeyHint(member: { readonly computed: boolean; readonly key: AnyNode }): Hint {
  if (!member.computed || member.key.type === "Literal") return { word: member.key.start };
  const { key } = member;
  const isSymbol =
    key.type === "MemberExpression" &&
    key.object.type === "Identifier" &&
    key.object.name === "Symbol" &&
    key.property.type === "Identifier";
  return isSymbol && key.property.type === "Identifier"
    ? { setName: `[Symbol.${key.property.name}]` }
    : NO_HINT;
}

function toRange(
  script: string,
  node: FunctionNode,
  hint: Hint,
  toPosition: (offset: number) => ScriptPosition,
): FunctionRange {
  const word = node.id?.start ?? hint.word;
  const { classNode, setName, isConstructor } = hint;
  const [parameter] = node.params;
  return {
    start: toPosition(node.start),
    end: toPosition(node.end),
    open: toPosition(findOpen(script, node)),
    ...(parameter && { parameter: toPosition(parameter.start) }),
    ...(word !== undefined && { word: toPosition(word) }),
    ...(setName !== undefined && { setName }),
    ...(classNode && { classStart: toPosition(classNode.start) }),
    ...(classNode?.word !== undefined && { classWord: toPosition(classNode.word) }),
    ...(isConstructor && { isConstructor }),
  };
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
