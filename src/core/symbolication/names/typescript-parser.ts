/**
 * Corrects the parser of TypeScript and JSX, which refuses valid forms: a file of one such form
 * would lose all of its names. Sources: @sveltejs/acorn-typescript, TypeScript's own parser.
 */
import { type Parser, type TokenType, tokTypes } from "acorn";

/** The members of the parser that its types do not list. */
interface TypeScriptParser {
  readonly input: string;
  readonly start: number;
  readonly lastTokStart: number;
  readonly lastTokEnd: number;
  readonly isAmbientContext: boolean;
  readonly acornTypeScript: { readonly tokTypes: { readonly at: TokenType } };
  pos: number;
  type: TokenType & { readonly isAssign?: boolean };
  exprAllowed: boolean;
  potentialArrowAt: number;
  inType: boolean;
  eat(type: TokenType): boolean;
  expect(type: TokenType): void;
  expectContextual(name: string): void;
  finishNode(node: object, type: string): ParsedNode;
  finishToken(type: TokenType): void;
  getTokenFromCodeInType(code: number): void;
  hasPrecedingLineBreak(): boolean;
  isContextual(name: string): boolean;
  lookaheadCharCode(): number;
  next(): void;
  nextToken(): void;
  parseBindingAtom(): ParsedNode;
  parseClassId(node: object, isStatement: boolean | "nullableID"): void;
  parseConditional(test: ParsedNode, start: number, ...more: readonly unknown[]): ParsedNode;
  parseExprList(end: TokenType, allowsComma: boolean, ...more: readonly unknown[]): unknown;
  parseExprSubscripts(...more: readonly unknown[]): ParsedNode;
  parseFunctionBody(node: ParsedNode, isArrow: boolean, ...more: readonly unknown[]): unknown;
  parseMaybeAssign(...more: readonly unknown[]): ParsedNode;
  parseMaybeConditional(...more: readonly unknown[]): ParsedNode;
  parsePostMemberNameModifiers(member: object): void;
  parseRestBinding(): ParsedNode;
  raiseRecoverable(at: number, message: string): void;
  startNode(): object;
  startNodeAt(start: number): object;
  tryParse(parse: (abort: () => never) => ParsedNode): { readonly node: ParsedNode | null };
  tsIsIdentifier(): boolean;
  tsMatchLeftRelational(): boolean;
  tsParseEntityName(): unknown;
  tsParseInterfaceBody(): unknown;
  tsParseTypeArguments(): unknown;
}
interface ParsedNode {
  readonly start: number;
  readonly returnType?: unknown;
}
type ParserClass = new (...options: never[]) => TypeScriptParser;

const AT = 0x40;
const CLOSING = 0x29;
/** Tokens before a name, which may be a word such as `type` or `module`. */
const BEFORE_NAME = /^(?:async|class|function|\*)$/;
/** Tokens before an expression that ends with a colon. */
const BEFORE_BRANCH = /^(?:\?|case)$/;

/** A plugin for the parser of TypeScript. */
export function acceptAllForms(Base: typeof Parser): typeof Parser {
  class CompleteParser extends (Base as unknown as ParserClass) {
    /**
     * Starts of the expressions in which `(a): b => c` is an arrow function with a type only if a
     * colon follows it: not in `x ? (a) : b => c`. TypeScript: `allowReturnTypeInArrowFunction`.
     */
    readonly #branches = new Set<number>();
    /** Starts of expressions that are no such arrow functions. */
    readonly #plain = new Set<number>();
    /** The start of an operator that assigns in a branch. */
    #assignment = -1;

    override nextToken(): void {
      super.nextToken();
      const { lastTokStart, lastTokEnd } = this;
      if (this.type === tokTypes.name || !this.tsIsIdentifier() || this.hasPrecedingLineBreak())
        return;
      if (BEFORE_NAME.test(this.input.slice(lastTokStart, lastTokEnd))) this.type = tokTypes.name;
    }

    /** A decorator on the line after a type that has no semicolon. */
    override getTokenFromCodeInType(code: number): void {
      if (code === AT) {
        this.pos++;
        this.finishToken(this.acornTypeScript.tokTypes.at);
      } else super.getTokenFromCodeInType(code);
    }

    /** A first member `<T>(a: T): T`, which would begin an element of JSX. */
    override tsParseInterfaceBody(): unknown {
      const { inType } = this;
      this.inType = true;
      const body = super.tsParseInterfaceBody();
      this.inType = inType;
      return body;
    }

    /** A method `f?<T>() {}`, the same. */
    override parsePostMemberNameModifiers(member: object): void {
      if (this.type === tokTypes.question) this.exprAllowed = false;
      super.parsePostMemberNameModifiers(member);
    }

    /** `import("a", { with: { type: "json" } })` as a type. */
    tsParseImportType(): unknown {
      const node = this.startNode();
      this.next();
      this.expect(tokTypes.parenL);
      this.parseExprList(tokTypes.parenR, true);
      if (this.eat(tokTypes.dot)) this.tsParseEntityName();
      if (this.tsMatchLeftRelational()) this.tsParseTypeArguments();
      return this.finishNode(node, "TSImportType");
    }

    /** A comma after the last argument of a decorator. */
    override parseExprList(end: TokenType, _: boolean, ...more: readonly unknown[]): unknown {
      return super.parseExprList(end, true, ...more);
    }

    /** A rest parameter with a decorator. */
    override parseBindingAtom(): ParsedNode {
      return this.type === tokTypes.ellipsis ? this.parseRestBinding() : super.parseBindingAtom();
    }

    /** A comma after the rest parameter of a declaration. */
    override raiseRecoverable(at: number, message: string): void {
      const isLast = this.type === tokTypes.comma && this.lookaheadCharCode() === CLOSING;
      if (isLast && this.isAmbientContext) this.next();
      else super.raiseRecoverable(at, message);
    }

    /** `export default abstract class {}` and `export default class implements A {}`. */
    override parseClassId(node: object, isStatement: boolean): void {
      super.parseClassId(node, isStatement && !this.isContextual("implements") && "nullableID");
    }

    override parseConditional(
      test: ParsedNode,
      start: number,
      ...[, forInit]: readonly unknown[]
    ): ParsedNode {
      if (!this.eat(tokTypes.question)) return test;
      const consequent = this.parseMaybeAssign();
      this.expect(tokTypes.colon);
      if (this.#branches.has(start)) this.#branches.add(this.start);
      const alternate = this.parseMaybeAssign(forInit);
      const node = Object.assign(this.startNodeAt(start), { test, consequent, alternate });
      return this.finishNode(node, "ConditionalExpression");
    }

    override parseMaybeConditional(...more: readonly unknown[]): ParsedNode {
      const isBranch = this.#branches.has(this.start);
      const left = super.parseMaybeConditional(...more);
      if (isBranch && this.type.isAssign) this.#assignment = this.start;
      return left;
    }

    override parseMaybeAssign(...more: readonly unknown[]): ParsedNode {
      const { lastTokStart, lastTokEnd } = this;
      const isBranch = BEFORE_BRANCH.test(this.input.slice(lastTokStart, lastTokEnd));
      if (isBranch || lastTokStart === this.#assignment) this.#branches.add(this.start);
      return super.parseMaybeAssign(...more);
    }

    override parseFunctionBody(
      node: ParsedNode,
      isArrow: boolean,
      ...more: readonly unknown[]
    ): unknown {
      if (isArrow && this.#branches.has(node.start)) this.#branches.add(this.start);
      return super.parseFunctionBody(node, isArrow, ...more);
    }

    override parseExprSubscripts(...more: readonly unknown[]): ParsedNode {
      const { start } = this;
      const isOpen = this.type === tokTypes.parenL || this.isContextual("async");
      if (!isOpen || !this.#branches.has(start)) return super.parseExprSubscripts(...more);
      if (!this.#plain.has(start)) {
        const { node } = this.tryParse((abort) => {
          const found = super.parseExprSubscripts(...more);
          const isTyped = found.start === start && found.returnType !== undefined;
          return isTyped && this.type !== tokTypes.colon ? abort() : found;
        });
        if (node !== null) return node;
        this.#plain.add(start);
      }
      this.potentialArrowAt = -1;
      return super.parseExprSubscripts(...more);
    }
  }
  return CompleteParser as unknown as typeof Parser;
}
