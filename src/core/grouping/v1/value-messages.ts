/**
 * Grouping, version 1 (frozen): messages of JavaScript engines about values of the wrong type.
 * Neutral text contains only what V8, Gecko and WebKit all report and what survives minification:
 * property names, never names of local variables. Messages are those of Node 24, Chromium 156,
 * Firefox 153 and JavaScriptCore 2.50 (recorded in tests/fixtures/engines), and older ones from
 * their sources.
 */

/** One message of the engines. The first row whose type and pattern match applies. */
export interface EngineMessage {
  /** The neutral text. */
  readonly neutral: string;
  /** Error types with this message; any type if absent. */
  readonly types?: RegExp;
  readonly patterns: readonly RegExp[];
  /** The part of the match that identifies the error; undefined if there is none. */
  readonly detail?: (parts: Readonly<Record<string, string | undefined>>) => string | undefined;
  /** The type in the key, if engines use different ones. */
  readonly type?: string;
  /** Text and detail identify the error without a location. */
  readonly isSpecific?: true;
}

/** Errors about values of the wrong type. */
export const valueMessages: readonly EngineMessage[] = [
  {
    neutral: "not iterable",
    types: /^TypeError$/,
    patterns: [
      /^.{1,500} is not (?:async )?iterable\b/s,
      /\bSymbol\.iterator\b/,
      /^Spread syntax requires \.\.\.iterable/,
      /^undefined is not a function \(near '\.\.\.\[.{1,500}\.\.\.'\)$/s,
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

/** `map` for `t.rows.map` and for `(0 , t.map)`; "*" if no property has a name. */
function getLastProperty(expression = ""): string {
  const inner = /^\(0 ?, ?(.{1,500})\)$/s.exec(expression)?.[1] ?? expression;
  return toIdentifier(/\.#?([^.[\]()'"\s]{1,200})$/.exec(inner)?.[1]);
}

/** Only some engines report keys that are data (`0`, `abc-1`). */
export function toIdentifier(name = ""): string {
  return /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name) ? name : "*";
}

/** Bundlers rename the exports of a module to one or two characters. */
function replaceMinified(name: string): string {
  return name.length < 3 ? "*" : name;
}
