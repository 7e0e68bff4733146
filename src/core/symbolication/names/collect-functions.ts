/**
 * Collects the functions of a syntax tree, named as engines name them: by their own name, or by the
 * variable, property or key that receives them (ECMAScript, "NamedEvaluation"). Methods have the
 * name of their class before them. Sources: ESTree; acorn-typescript for types and JSX.
 */
import { limits } from "../../limits.ts";
import { truncateText } from "../../truncate.ts";
import { ANONYMOUS_NAME } from "../format/compact-format.ts";
import { type NamedRange, OUTER, STATIC_INITIALIZER } from "./function-table.ts";

/** A node of the tree. The types of acorn lack those of TypeScript and JSX. */
export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [member: string]: unknown;
}

/** V8's name of the function that runs the initializers of fields. */
const FIELD_INITIALIZER = "<instance_members_initializer>";

/** React calls the function that these receive by the variable that the result is assigned to. */
const WRAPPERS: ReadonlySet<string> = new Set(["memo", "forwardRef", "useCallback"]);
/** Nodes that leave no trace in the script: their expression keeps its name. */
const TRANSPARENT: ReadonlySet<string> = new Set([
  "ParenthesizedExpression",
  "TSAsExpression",
  "TSSatisfiesExpression",
  "TSNonNullExpression",
  "TSTypeAssertion",
  "TSInstantiationExpression",
  "ChainExpression",
  "JSXExpressionContainer",
]);
const NAMING_OPERATORS: ReadonlySet<string> = new Set(["=", "||=", "&&=", "??="]);

/** The name that a value gets from its place; null if only a run could tell it. */
interface Hint {
  readonly name: string | null;
  /** The class of a member; absent without a name. */
  readonly className?: string;
  /** A name that a value has only if it receives it directly. */
  readonly isDirect?: true;
}

type Hints = Readonly<Record<string, Hint | undefined>>;

/** A node that waits for its visit. */
interface Task {
  readonly node: SyntaxNode;
  readonly hint?: Hint | undefined;
}

/** The ranges of all functions in a tree, in no order. Linear in the size of the tree. */
export function collectFunctions(program: SyntaxNode): readonly NamedRange[] {
  return new Collector(program).collect();
}

class Collector {
  readonly #program: SyntaxNode;
  #constants: Constants | null = null;
  readonly #ranges: NamedRange[] = [];
  /** A tree may be deeper than the stack of calls. */
  readonly #tasks: Task[] = [];

  constructor(program: SyntaxNode) {
    this.#program = program;
  }

  collect(): readonly NamedRange[] {
    this.#tasks.push({ node: this.#program });
    for (let task = this.#tasks.pop(); task !== undefined; task = this.#tasks.pop())
      this.#visit(task.node, task.hint);
    return this.#ranges;
  }

  #visit(node: SyntaxNode, hint: Hint | undefined): void {
    switch (node.type) {
      case "ClassDeclaration":
      case "ClassExpression":
        this.#visitClass(node, hint);
        return;
      case "CallExpression":
        this.#visitCall(node, hint);
        return;
      case "FunctionDeclaration":
      case "FunctionExpression":
      case "ArrowFunctionExpression":
        this.#addFunction(node, hint);
        break;
      case "TSEnumDeclaration":
      case "TSModuleBlock":
        // The script has a function around the body that it calls at once.
        this.#add(asNode(node.id)?.end ?? node.start, node.end - 1, ANONYMOUS_NAME);
        break;
      default:
    }
    this.#visitAll(node, this.#getHints(node, hint));
  }

  /** The names that a node gives to its children, by their member. */
  #getHints(node: SyntaxNode, hint: Hint | undefined): Hints {
    if (TRANSPARENT.has(node.type)) return { expression: hint };
    switch (node.type) {
      case "VariableDeclarator":
        return { init: this.#toTargetHint(node.id) };
      case "AssignmentExpression": {
        const isNaming = NAMING_OPERATORS.has(String(node.operator));
        return { right: isNaming ? this.#toTargetHint(node.left) : undefined };
      }
      case "AssignmentPattern":
        return { right: this.#toTargetHint(node.left) };
      case "Property":
        return { value: { name: this.#readKey(node) } };
      case "ExportDefaultDeclaration":
        return { declaration: { name: "default", isDirect: true } };
      case "JSXAttribute":
        return { value: toAttributeHint(node.name) };
      default:
        return {};
    }
  }

  /** Visits all children, some of them with a hint. */
  #visitAll(node: SyntaxNode, hints: Hints = {}): void {
    if (node.declare === true) return;
    for (const member in node) {
      const value = node[member];
      if (typeof value !== "object" || value === null) continue;
      if (Array.isArray(value)) {
        for (const child of value) if (isNode(child)) this.#tasks.push({ node: child });
      } else if (isNode(value)) this.#tasks.push({ node: value, hint: hints[member] });
    }
  }

  #add(
    start: number,
    end: number,
    name: NamedRange["name"],
    more: Pick<NamedRange, "isClassHead" | "isFunctionHead"> = {},
  ): void {
    const cut = typeof name === "string" ? truncateText(name, limits.maxNameChars) : name;
    if (end > start) this.#ranges.push({ start, end, name: cut, ...more });
  }

  #addFunction(node: SyntaxNode, hint: Hint | undefined): void {
    const body = asNode(node.body);
    if (body === undefined) return;
    const isExpression = node.type !== "FunctionDeclaration" && hint?.className === undefined;
    // Where a call follows, a map may lead to the brace before it, which itself never fails.
    const end = isExpression && body.type === "BlockStatement" ? node.end - 1 : node.end;
    const name = nameFunction(node, hint);
    this.#add(node.start, end, name);
    const id = asNode(node.id);
    if (id !== undefined) this.#add(node.start, id.end, name, { isFunctionHead: true });
    for (const parameter of asNodes(node.params)) this.#addDecorators(parameter);
  }

  /** The decorators of a parameter run when the class is created. */
  #addDecorators(parameter: SyntaxNode): void {
    for (const { start, end } of asNodes(parameter.decorators)) this.#add(start, end, OUTER);
  }

  #visitCall(node: SyntaxNode, hint: Hint | undefined): void {
    const isWrapper = hint !== undefined && !hint.isDirect && isWrapperCall(node.callee);
    const [first] = asNodes(node.arguments);
    if (isWrapper && first !== undefined) {
      this.#visitAll({ ...node, arguments: asNodes(node.arguments).slice(1) });
      this.#tasks.push({ node: first, hint });
    } else this.#visitAll(node);
  }

  #visitClass(node: SyntaxNode, hint: Hint | undefined): void {
    const body = asNode(node.body);
    if (body === undefined || node.declare === true) return;
    const hinted = hint?.name === ANONYMOUS_NAME ? undefined : hint?.name;
    const name = readIdentifier(node.id) ?? hinted ?? undefined;
    // A class that is a default export has no name in its methods.
    const className = hint?.isDirect && readIdentifier(node.id) === undefined ? undefined : name;
    const start = asNodes(node.decorators).at(-1)?.end ?? node.start;
    // The place of a constructor that the class does not define.
    this.#add(start, body.start, `new ${name ?? ANONYMOUS_NAME}`, { isClassHead: true });
    const parent = asNode(node.superClass);
    if (parent !== undefined) this.#add(parent.start, parent.end, OUTER);
    for (const member of asNodes(body.body)) this.#visitMember(member, className, name);
    this.#visitAll({ ...node, body: null, id: null });
  }

  #visitMember(
    member: SyntaxNode,
    className: string | undefined,
    constructorName: string | undefined,
  ): void {
    const value = asNode(member.value);
    if (member.type === "StaticBlock") this.#add(member.start, member.end, STATIC_INITIALIZER);
    if (value === undefined) {
      this.#visitAll(member);
      return;
    }
    const isConstructor = member.kind === "constructor";
    if (member.type !== "MethodDefinition")
      this.#add(value.start, value.end, member.static ? STATIC_INITIALIZER : FIELD_INITIALIZER);
    const name = isConstructor
      ? `new ${constructorName ?? ANONYMOUS_NAME}`
      : joinNames(className, this.#readKey(member));
    // Engines report the key for the code that runs before the body.
    const key = asNode(member.key);
    if (isConstructor && key !== undefined) this.#add(key.start, value.start, name);
    this.#visitAll(member, {
      value: { name, ...(member.type === "MethodDefinition" && IN_CLASS) },
    });
  }

  /** The name of a key; null if it is computed from values that the source does not state. */
  #readKey({ key, computed }: SyntaxNode): string | null {
    const node = unwrap(key);
    if (node === undefined) return null;
    if (computed !== true && node.type === "Identifier") return String(node.name);
    if (node.type === "PrivateIdentifier") return `#${node.name}`;
    return this.#readValue(node) ?? null;
  }

  /** The name of a function with this value as its key. Without characters, it has none. */
  #readValue(node: SyntaxNode): string | undefined {
    const constant = readConstant(node);
    const name = readIdentifier(node);
    const isKnown = name === undefined && !constant?.isSymbol;
    if (!isKnown) this.#constants ??= findConstants(this.#program);
    const { values, symbolScopes } = this.#constants ?? NO_CONSTANTS;
    const found = name === undefined ? constant : values.get(name);
    const isShadowed = symbolScopes.some(
      ({ start, end }) => start <= node.start && node.end <= end,
    );
    if (found === undefined || (found.isSymbol && isShadowed)) return undefined;
    return found.name === "" ? ANONYMOUS_NAME : found.name;
  }

  /** `x = …`, `a.b.x = …`, `a["x"] = …`; a destructured value has no name. */
  #toTargetHint(target: unknown): Hint | undefined {
    const node = unwrap(target);
    if (node === undefined) return undefined;
    if (node.type === "Identifier") return { name: String(node.name) };
    const property = node.type === "MemberExpression" ? asNode(node.property) : undefined;
    if (property === undefined) return undefined;
    if (property.type === "PrivateIdentifier") return { name: `#${property.name}` };
    const isName = property.type === "Identifier";
    if (isName && node.computed === true) return undefined;
    const name = isName ? String(property.name) : this.#readValue(property);
    if (name === undefined) return undefined;
    const isModule = name === "exports" && readIdentifier(node.object) === "module";
    return { name: isModule ? "module.exports" : name };
  }
}

/** A method: nothing but another member follows its brace. */
const IN_CLASS = { className: "" } as const;

function joinNames(className: string | undefined, member: string | null): string | null {
  return member === null || className === undefined ? member : `${className}.${member}`;
}

function nameFunction(node: SyntaxNode, hint: Hint | undefined): string | null {
  const own = readIdentifier(node.id);
  if (own !== undefined) return own;
  return hint === undefined ? ANONYMOUS_NAME : hint.name;
}

/** `onClick={…}` becomes a property of the script. */
function toAttributeHint(attribute: unknown): Hint | undefined {
  const node = asNode(attribute);
  if (node?.type === "JSXIdentifier") return { name: String(node.name) };
  const [namespace, name] = [asNode(node?.namespace), asNode(node?.name)];
  return namespace && name ? { name: `${namespace.name}:${name.name}` } : undefined;
}

/** `memo(…)`, `React.memo(…)`. */
function isWrapperCall(callee: unknown): boolean {
  const node = asNode(callee);
  const name =
    node?.type === "MemberExpression" ? readIdentifier(node.property) : readIdentifier(node);
  return name !== undefined && WRAPPERS.has(name);
}

/** A value that can be a key. */
interface Constant {
  readonly name: string;
  /** True if it is one only while `Symbol` is the global one. */
  readonly isSymbol?: true;
}

/** The name of a function with this value as its key: a text, a number, or a symbol. */
function readConstant(value: unknown): Constant | undefined {
  const node = unwrap(value);
  switch (node?.type) {
    case "Literal":
      return isKeyLiteral(node.value) ? { name: String(node.value) } : undefined;
    case "TemplateLiteral": {
      const [only, ...others] = asNodes(node.quasis);
      const text = only === undefined ? undefined : (only.value as { cooked?: unknown }).cooked;
      return others.length === 0 && typeof text === "string" ? { name: text } : undefined;
    }
    case "MemberExpression": {
      const isSymbol = readIdentifier(node.object) === "Symbol" && node.computed !== true;
      const name = readIdentifier(node.property);
      return isSymbol && name !== undefined ? { name: `[Symbol.${name}]`, isSymbol } : undefined;
    }
    case "CallExpression":
      return readSymbol(node);
    default:
      return undefined;
  }
}

/** The node within those that leave no trace. There may be more than the stack has room for. */
function unwrap(value: unknown): SyntaxNode | undefined {
  let node = asNode(value);
  while (node !== undefined && TRANSPARENT.has(node.type)) node = asNode(node.expression);
  return node;
}

/** `[description]` for `Symbol("description")` and `Symbol.for("description")`. */
function readSymbol({ callee, arguments: list }: SyntaxNode): Constant | undefined {
  const node = asNode(callee);
  const isFor = node?.type === "MemberExpression" && readIdentifier(node.property) === "for";
  if (readIdentifier(isFor ? node.object : node) !== "Symbol") return undefined;
  const [description] = asNodes(list);
  if (description === undefined && !isFor) return { name: "", isSymbol: true };
  const text = description?.type === "Literal" ? description.value : undefined;
  return typeof text === "string" ? { name: `[${text}]`, isSymbol: true } : undefined;
}

function isKeyLiteral(value: unknown): boolean {
  return typeof value === "string" || typeof value === "number";
}

interface Constants {
  /** The constants of the module that can be keys, by name, without names declared twice. */
  readonly values: ReadonlyMap<string, Constant>;
  /** Functions, or the module, with another `Symbol`. */
  readonly symbolScopes: readonly SyntaxNode[];
}

const NO_CONSTANTS: Constants = { values: new Map(), symbolScopes: [] };
/** With more scopes than these, none of the module has the global `Symbol`. */
const MAX_SYMBOL_SCOPES = 50;

function findConstants(program: SyntaxNode): Constants {
  const values = new Map<string, Constant>();
  for (const statement of asNodes(program.body)) {
    const isExport = statement.type === "ExportNamedDeclaration";
    const declaration = isExport ? asNode(statement.declaration) : statement;
    if (declaration?.type !== "VariableDeclaration" || declaration.kind !== "const") continue;
    for (const { id, init } of asNodes(declaration.declarations)) {
      const [name, value] = [readIdentifier(id), readConstant(init)];
      if (name !== undefined && value !== undefined) values.set(name, value);
    }
  }
  const seen = new Set<string>();
  const symbolScopes: SyntaxNode[] = [];
  for (const { name, scope } of listDeclared(program)) {
    if (seen.has(name)) values.delete(name);
    seen.add(name);
    if (name === "Symbol") symbolScopes.push(scope);
  }
  return {
    values,
    symbolScopes: symbolScopes.length > MAX_SYMBOL_SCOPES ? [program] : symbolScopes,
  };
}

/**
 * Nodes with the name that they declare as `id`, also functions and classes in expressions, which
 * are known within them.
 */
const DECLARATION = /(?:(?<!Interface|Alias)Declaration|^FunctionExpression|^ClassExpression)$/;

/** The names that a tree declares, each time that it does, with the function or module around. */
function* listDeclared(program: SyntaxNode): Generator<{ name: string; scope: SyntaxNode }> {
  const tasks = [{ node: program, scope: program }];
  for (let task = tasks.pop(); task !== undefined; task = tasks.pop()) {
    const { node } = task;
    const scope = node.type.includes("Function") ? node : task.scope;
    for (const target of listTargets(node)) {
      const name = readIdentifier(target);
      if (name !== undefined) yield { name, scope: target === node.id ? task.scope : scope };
    }
    for (const value of Object.values(node)) {
      if (Array.isArray(value)) {
        for (const child of value) if (isNode(child)) tasks.push({ node: child, scope });
      } else if (isNode(value)) tasks.push({ node: value, scope });
    }
  }
}

function listTargets(node: SyntaxNode): readonly unknown[] {
  const parameters = asNodes(node.params);
  switch (node.type) {
    case "VariableDeclarator":
      return [node.id];
    case "CatchClause":
      return [node.param];
    case "TSParameterProperty":
      return [node.parameter];
    case "AssignmentPattern":
      return [node.left];
    case "RestElement":
      return [node.argument];
    case "ObjectPattern":
      return asNodes(node.properties).map(({ value }) => value);
    case "ArrayPattern":
      return asNodes(node.elements);
    case "ImportSpecifier":
    case "ImportDefaultSpecifier":
    case "ImportNamespaceSpecifier":
      return [node.local];
    default:
      return DECLARATION.test(node.type) ? [node.id, ...parameters] : parameters;
  }
}

function readIdentifier(value: unknown): string | undefined {
  const node = asNode(value);
  return node?.type === "Identifier" ? String(node.name) : undefined;
}

function asNode(value: unknown): SyntaxNode | undefined {
  return isNode(value) ? value : undefined;
}

function asNodes(value: unknown): readonly SyntaxNode[] {
  return Array.isArray(value) ? value.filter(isNode) : [];
}

function isNode(value: unknown): value is SyntaxNode {
  return (
    typeof value === "object" && value !== null && typeof (value as SyntaxNode).type === "string"
  );
}
