/**
 * Grouping, version 1 (frozen): the other messages of JavaScript engines about the language. A
 * continuation of `value-messages.ts`.
 */
import { type EngineMessage, toIdentifier } from "./value-messages.ts";

/** All other language errors. */
export const languageMessages: readonly EngineMessage[] = [
  {
    neutral: "not defined",
    types: /^ReferenceError$/,
    patterns: [/^(?<name>\S{1,200}) is not defined$/, /^Can't find variable: (?<name>\S{1,200})$/],
    detail: ({ name }) => toIdentifier(name),
    isSpecific: true,
  },
  {
    neutral: "used before its initialization",
    types: /^ReferenceError$/,
    patterns: [
      /^Cannot access '\S{1,200}' before initialization$/,
      /^can't access lexical declaration '\S{1,200}' before initialization$/,
      /^Cannot access uninitialized variable/,
    ],
  },
  {
    neutral: "assignment to something read-only",
    types: /^TypeError$/,
    patterns: [
      /^Assignment to constant variable/,
      /^invalid assignment to const /,
      /^Cannot assign to read only property /,
      /^".{1,200}" is read-only$/s,
      /^Cannot set property \S{1,200} of .{1,200} which has only a getter$/s,
      /^setting getter-only property /,
      /^Attempted to assign to readonly property/,
    ],
  },
  {
    neutral: "property added to a fixed object",
    types: /^TypeError$/,
    patterns: [
      /^Cannot (?:add|define) property .{1,200}, object is not extensible$/s,
      /^can't define property .{1,200}: .{1,200} is not extensible$/s,
      /^Attempting to define property on object that is not extensible/,
    ],
  },
  {
    neutral: "property of a fixed object deleted",
    types: /^TypeError$/,
    patterns: [
      /^Cannot delete property /,
      / is non-configurable and can't be deleted$/,
      /^Unable to delete property/,
    ],
  },
  {
    neutral: "in of no object",
    types: /^TypeError$/,
    patterns: [
      /^cannot use 'in' operator /i,
      /^right-hand side of 'in' should be an object/,
      / is not an Object\. \(evaluating '.{1,1000}'\)$/s,
    ],
  },
  {
    neutral: "private member of another class",
    types: /^TypeError$/,
    patterns: [
      /^Cannot (?:read|write|set) private member /,
      /^Receiver must be an? (?:instance of )?class /,
      /^can't (?:access|set) private field or method/,
      /^Cannot access (?:invalid )?private /,
      /^Cannot (?:read|write) (?:from|to) private field$/,
    ],
  },
  {
    neutral: "too much recursion",
    type: "RangeError",
    patterns: [/^Maximum call stack size exceeded/, /^too much recursion$/],
  },
  {
    neutral: "invalid array length",
    types: /^RangeError$/,
    patterns: [/^invalid array length$/i, /^Array (?:length must be|size is not) a /],
  },
  {
    neutral: "invalid date",
    types: /^RangeError$/,
    patterns: [/^Invalid time value$/, /^invalid date$/i],
  },
  {
    neutral: "malformed URI",
    types: /^URIError$/,
    patterns: [/^URI malformed$/, /^malformed URI sequence$/, /^URI error$/],
  },
  {
    neutral: "circular JSON",
    types: /^TypeError$/,
    patterns: [
      /^Converting circular structure to JSON/,
      /^cyclic object value$/,
      /^JSON\.stringify cannot serialize cyclic/,
    ],
  },
  {
    neutral: "BigInt in JSON",
    types: /^TypeError$/,
    patterns: [
      /serialize a BigInt$/,
      /^BigInt value can't be serialized/,
      /^JSON\.stringify cannot serialize BigInt/,
    ],
  },
  {
    neutral: "symbol as text or number",
    types: /^TypeError$/,
    patterns: [/^(?:Cannot|can't) convert a? ?symbol (?:value )?to /i],
  },
  {
    neutral: "reduce of nothing",
    types: /^TypeError$/,
    patterns: [/^reduce of empty array with no initial value$/i],
  },
  {
    neutral: "BigInt mixed with numbers",
    types: /^TypeError$/,
    patterns: [
      /^Cannot mix BigInt and other types/,
      /^can't convert BigInt to number$/,
      /^Invalid mix of BigInt and other type/,
    ],
  },
  {
    neutral: "object as text or number",
    types: /^TypeError$/,
    patterns: [
      /^Cannot convert object to primitive value$/,
      /^can't convert .{1,200} to primitive type$/s,
      /^No default value$/,
    ],
  },
  {
    neutral: "number out of range",
    types: /^RangeError$/,
    patterns: [
      /^to\w{1,20}\(\) (?:digits |radix |precision )?argument must be between /,
      /^precision \S{1,30} out of range$/,
      /^radix must be an integer /,
      /^Invalid count value: /,
      /^repeat count must be /,
      /^String\.prototype\.repeat argument must be /,
    ],
  },
  {
    neutral: "text too long",
    type: "RangeError",
    patterns: [/^Invalid string length$/, /^allocation size overflow$/, /^Out of memory/],
  },
  {
    neutral: "revoked proxy",
    types: /^TypeError$/,
    patterns: [
      / on a proxy that has been revoked$/,
      /on a revoked proxy$/,
      /^Proxy has already been revoked/,
    ],
  },
  {
    neutral: "invalid time zone",
    types: /^RangeError$/,
    patterns: [/^invalid time zone(?: specified)?: /i],
  },
  {
    neutral: "invalid locale",
    types: /^RangeError$/,
    patterns: [/^Incorrect locale information provided$/, /^invalid language tag: /],
  },
];
