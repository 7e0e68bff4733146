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
  #constants: ReadonlyMap<string, string> | null = null;
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
        return { init: toTargetHint(node.id) };
      case "AssignmentExpression": {
        const isNaming = NAMING_OPERATORS.has(String(node.operator));
        return { right: isNaming ? toTargetHint(node.left) : undefined };
      }
      case "AssignmentPattern":
        return { right: toTargetHint(node.left) };
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
    more: Pick<NamedRange, "isClassHead"> = {},
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
    this.#add(node.start, end, nameFunction(node, hint));
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
    const name = readIdentifier(node.id) ?? hint?.name ?? undefined;
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
    this.#visitAll(member, {
      value: { name, ...(member.type === "MethodDefinition" && IN_CLASS) },
    });
  }

  /** The name of a key; null if it is computed from values that the source does not state. */
  #readKey({ key, computed }: SyntaxNode): string | null {
    const node = asNode(key);
    if (node === undefined) return null;
    if (computed !== true && node.type === "Identifier") return String(node.name);
    if (node.type === "PrivateIdentifier") return `#${node.name}`;
    const name = readIdentifier(node);
    if (name === undefined) return readConstant(node) ?? null;
    this.#constants ??= findConstants(this.#program);
    return this.#constants.get(name) ?? null;
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

/** `x = …`, `a.b.x = …`, `a["x"] = …`; a destructured value has no name. */
function toTargetHint(target: unknown): Hint | undefined {
  const node = asNode(target);
  if (node === undefined) return undefined;
  if (TRANSPARENT.has(node.type)) return toTargetHint(node.expression);
  if (node.type === "Identifier") return { name: String(node.name) };
  if (node.type !== "MemberExpression") return undefined;
  const property = asNode(node.property);
  if (property?.type === "PrivateIdentifier") return { name: `#${property.name}` };
  const name = node.computed === true ? readConstant(property) : readIdentifier(property);
  if (name === undefined) return undefined;
  const isModule = name === "exports" && readIdentifier(node.object) === "module";
  return { name: isModule ? "module.exports" : name };
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

/** The name of a function with this value as its key: a text, a number, or a symbol. */
function readConstant(value: unknown): string | undefined {
  const node = asNode(value);
  switch (node?.type) {
    case "Literal":
      return isKeyLiteral(node.value) ? String(node.value) : undefined;
    case "TemplateLiteral": {
      const [only, ...others] = asNodes(node.quasis);
      const text = only === undefined ? undefined : (only.value as { cooked?: unknown }).cooked;
      return others.length === 0 && typeof text === "string" ? text : undefined;
    }
    case "MemberExpression": {
      const isSymbol = readIdentifier(node.object) === "Symbol" && node.computed !== true;
      const name = readIdentifier(node.property);
      return isSymbol && name !== undefined ? `[Symbol.${name}]` : undefined;
    }
    case "CallExpression":
      return readSymbol(node);
    default:
      return node !== undefined && TRANSPARENT.has(node.type)
        ? readConstant(node.expression)
        : undefined;
  }
}

/** `[description]` for `Symbol("description")` and `Symbol.for("description")`. */
function readSymbol({ callee, arguments: list }: SyntaxNode): string | undefined {
  const node = asNode(callee);
  const isFor = node?.type === "MemberExpression" && readIdentifier(node.property) === "for";
  if (readIdentifier(isFor ? node.object : node) !== "Symbol") return undefined;
  const [description] = asNodes(list);
  const text = description?.type === "Literal" ? description.value : undefined;
  return typeof text === "string" ? `[${text}]` : undefined;
}

function isKeyLiteral(value: unknown): boolean {
  return typeof value === "string" || typeof value === "number";
}

/**
 * The constants of the module that can be keys, by name. A name that the file declares twice is
 * left out.
 */
function findConstants(program: SyntaxNode): ReadonlyMap<string, string> {
  const constants = new Map<string, string>();
  for (const statement of asNodes(program.body)) {
    const isExport = statement.type === "ExportNamedDeclaration";
    const declaration = isExport ? asNode(statement.declaration) : statement;
    if (declaration?.type !== "VariableDeclaration" || declaration.kind !== "const") continue;
    for (const { id, init } of asNodes(declaration.declarations)) {
      const [name, value] = [readIdentifier(id), readConstant(init)];
      if (name !== undefined && value !== undefined) constants.set(name, value);
    }
  }
  if (constants.size > 0) removeShadowed(constants, program);
  return constants;
}

/** Also the names of functions and classes in expressions, which are known within them. */
const DECLARATION = /(?:Declaration|^FunctionExpression|^ClassExpression)$/;

function removeShadowed(constants: Map<string, string>, program: SyntaxNode): void {
  const seen = new Set<string>();
  const nodes: SyntaxNode[] = [program];
  const declare = (target: unknown): void => {
    const name = readIdentifier(target);
    if (name !== undefined && seen.has(name)) constants.delete(name);
    else if (name !== undefined && constants.has(name)) seen.add(name);
  };
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    if (node.type === "VariableDeclarator" || DECLARATION.test(node.type)) declare(node.id);
    if (node.type === "CatchClause") declare(node.param);
    if (node.type === "TSParameterProperty") declare(node.parameter);
    if (node.type === "AssignmentPattern") declare(node.left);
    if (node.type === "RestElement") declare(node.argument);
    if (node.type === "ObjectPattern")
      for (const property of asNodes(node.properties)) declare(property.value);
    if (node.type === "ArrayPattern")
      for (const element of asNodes(node.elements)) declare(element);
    for (const parameter of asNodes(node.params)) declare(parameter);
    for (const value of Object.values(node)) {
      if (Array.isArray(value)) {
        for (const child of value) if (isNode(child)) nodes.push(child);
      } else if (isNode(value)) nodes.push(value);
    }
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
