/**
 * Grouping, version 1 (frozen): what JavaScript engines say in their own words when a value is used as what it is
 * not. A neutral form says only what V8, Gecko and WebKit all say and what survives minification: the name of a
 * property, never the name of a local variable. Messages as Node 24, Chromium 156, Firefox 153 and JavaScriptCore
 * 2.50 write them (they are recorded in tests/fixtures/engines), and older ones from their sources.
 */

/** One thing that engines say. The first row whose type and pattern match counts. */
export interface EngineMessage {
  /** The neutral words. */
  readonly neutral: string;
  /** Types under which engines say it; absent: any. */
  readonly types?: RegExp;
  readonly patterns: readonly RegExp[];
  /** What of the match belongs to the fault's identity. */
  readonly detail?: (parts: Readonly<Record<string, string | undefined>>) => string;
  /** The type that stands in the key, where engines disagree about it. */
  readonly type?: string;
  /** The words and the detail alone tell two faults apart. */
  readonly isSpecific?: true;
}

/** A value is not what it is used as. */
export const valueMessages: readonly EngineMessage[] = [
  {
    neutral: "not iterable",
    types: /^TypeError$/,
    patterns: [
      /^.{1,500} is not (?:async )?iterable\b/s,
      /\bSymbol\.iterator\b/,
      /^Spread syntax requires \.\.\.iterable/,
      /^undefined is not a function \(near '\.\.\.\S{1,200} of .{1,200}\.\.\.'\)$/s,
      /^(?:undefined|null) is not an object \(evaluating '(?:undefined|null|\[[^\]]{0,200}\]|\S{1,200} of .{1,200})'\)$/,
    ],
  },
  {
    neutral: "undefined or null as an object",
    types: /^TypeError$/,
    patterns: [
      /^Cannot convert undefined or null to object$/,
      /^can't convert (?:undefined|null) to object$/,
      /^Object\.\w{1,40} requires that input parameter not be null or undefined$/,
      /^(?:undefined|null) is not an object \(evaluating '[^=']{1,500}\)'\)$/,
    ],
  },
  {
    neutral: "property",
    types: /^TypeError$/,
    patterns: [
      /^Cannot (?:read|set) properties of (?<holder>undefined|null) \((?:reading|setting) '(?<property>.{0,500})'\)$/s,
      /^Cannot (?:read|set) property '(?<property>.{0,500})' of (?<holder>undefined|null)$/s,
      /^can't access property "(?<property>.{0,500}?)"(?:, .{1,500} is| of) (?<holder>undefined|null)$/s,
      /^can't access property (?<property>\d{1,20}), .{1,500} is (?<holder>undefined|null)$/s,
      /^(?<holder>undefined|null) is not an object \(evaluating '(?<expression>.{1,1000})'\)$/s,
    ],
    detail: ({ property, expression, holder }) =>
      `${property === undefined ? getLastProperty(stripAssignment(expression)) : toIdentifier(property)} of ${holder}`,
  },
  {
    neutral: "destructuring of nothing",
    types: /^TypeError$/,
    patterns: [
      /^Cannot destructure /,
      /^Right side of assignment cannot be destructured/,
      /^(?:\(destructured parameter\)|\(intermediate value\)|[\w$.()[\]]{1,200}) is (?:undefined|null)$/,
    ],
  },
  {
    neutral: "instanceof of no class",
    types: /^TypeError$/,
    patterns: [
      /^Right-hand side of 'instanceof' is not /,
      /^invalid 'instanceof' operand /,
      /^Right hand side of instanceof is not /,
      /^.{1,200} is not a function\. \(evaluating '.{1,500} instanceof .{1,200}'\)$/s,
    ],
  },
  {
    neutral: "class extends no class",
    types: /^TypeError$/,
    patterns: [/^Class extends value /, /^class heritage /, /^The superclass is not a constructor/],
  },
  {
    neutral: "class called without new",
    types: /^TypeError$/,
    patterns: [
      /^Class constructor \S{1,200} cannot be invoked without 'new'$/,
      /^class constructors must be invoked with 'new'$/,
      /^Cannot call a class constructor \S{0,200} ?without \|new\|$/,
    ],
  },
  {
    neutral: "no function",
    types: /^TypeError$/,
    patterns: [
      /^(?<callee>.{1,500}) is not a function(?:\. \(In '.*)?$/s,
      /^undefined is not a function \(near '\.\.\.(?<callee>[^(`]{1,500}).*\.\.\.'\)$/s,
      /^(?:\w{1,40}\.){1,4}\w{1,40} callback must be a function$/,
      /^Promise constructor takes a function argument$/,
    ],
    detail: ({ callee }) => replaceMinified(getLastProperty(callee)),
  },
  {
    neutral: "no constructor",
    types: /^TypeError$/,
    patterns: [
      /^.{1,500} is not a constructor \(evaluating 'new (?<callee>[^(']{1,500}).*'\)$/s,
      /^(?<callee>.{1,500}) is not a constructor$/s,
    ],
    detail: ({ callee }) => replaceMinified(getLastProperty(callee)),
  },
];

/** `cart.total` for WebKit's `cart.total = 1`. */
function stripAssignment(expression = ""): string {
  return expression
    .replace(/[-+*/%&|^?<>]{0,3}=(?![=>]).*$/s, "")
    .replace(/\+\+|--|^new /g, "")
    .trim();
}

/** `map` for `t.rows.map` and for `(0 , t.map)`; "*" where no property has a name. */
function getLastProperty(expression = ""): string {
  const inner = /^\(0 ?, ?(.{1,500})\)$/s.exec(expression)?.[1] ?? expression;
  return toIdentifier(/\.#?([^.[\]()'"\s]{1,200})$/.exec(inner)?.[1]);
}

/** Keys that are data (`0`, `abc-1`) are known to some engines only. */
export function toIdentifier(name = ""): string {
  return /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name) ? name : "*";
}

/** Bundlers rename the exports of a module to one or two characters. */
function replaceMinified(name: string): string {
  return name.length < 3 ? "*" : name;
}
