// The texts of React's error codes. A production build of React throws codes, its development build
// throws texts, and no package has the table of both. It is read from the two builds that are
// installed: functions keep their names, and throw in the same order. Codes of which that is not
// certain, one in ten, are left out.

import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { type AnyNode, type CallExpression, type NewExpression, parse } from "acorn";

/** The packages that throw in an application. */
const PACKAGES = ["react", "react-dom"];
const PRODUCTION = ".production.js";
const DEVELOPMENT = ".development.js";

/** A thrown code, or a thrown text; `args` is the number of values in the text. */
interface Thrown {
  readonly name: string;
  readonly args: number;
}

/** The errors of one file that each function throws, in order. */
type ThrownByFunction = ReadonlyMap<string, readonly Thrown[]>;

/**
 * The version of React, and the texts by code, in which `%s` stands for an argument:
 * `{"version":"19.3.1","texts":{"418":"Hydration failed … %s …"}}`.
 */
export function readReactTexts(): { version: string; texts: Record<string, string> } {
  const require = createRequire(import.meta.url);
  const folders = PACKAGES.map((name) => dirname(require.resolve(`${name}/package.json`)));
  const pairs = folders.flatMap((folder) => readPairs(join(folder, "cjs")));
  const texts = new Map<string, string>();
  // The texts of one function can make those of another one unambiguous.
  for (let known = -1; known < texts.size; ) {
    known = texts.size;
    for (const [code, text] of matchAll(pairs, texts)) texts.set(code, text);
  }
  const { version } = JSON.parse(readFileSync(require.resolve("react/package.json"), "utf8"));
  const sorted = [...texts].sort(([a], [b]) => Number(a) - Number(b));
  return { version, texts: Object.fromEntries(sorted) };
}

type Pair = readonly [codes: ThrownByFunction, texts: ThrownByFunction];

function readPairs(folder: string): readonly Pair[] {
  const files = readdirSync(folder);
  return files
    .filter((file) => file.endsWith(PRODUCTION))
    .map((file) => [file, file.replace(PRODUCTION, DEVELOPMENT)] as const)
    .filter(([, development]) => files.includes(development))
    .map(([production, development]) => [
      listThrown(join(folder, production), readCode),
      listThrown(join(folder, development), readText),
    ]);
}

/** The codes on whose text all functions agree. */
function matchAll(
  pairs: readonly Pair[],
  known: ReadonlyMap<string, string>,
): readonly (readonly [code: string, text: string])[] {
  const knownTexts = new Set(known.values());
  const found = new Map<string, Set<string>>();
  for (const [ofCodes, ofTexts] of pairs) {
    for (const [name, thrown] of ofCodes) {
      const codes = unique(thrown.filter((one) => !known.has(one.name)));
      const texts = unique((ofTexts.get(name) ?? []).filter((one) => !knownTexts.has(one.name)));
      const fits = codes.every(({ args }, n) => args === texts[n]?.args);
      if (codes.length !== texts.length || !fits) continue;
      codes.forEach((code, n) => {
        const names = found.get(code.name) ?? new Set();
        found.set(code.name, names.add(texts[n]?.name ?? ""));
      });
    }
  }
  return [...found].flatMap(([code, [text = "", ...others]]) =>
    others.length > 0 ? [] : [[code, text] as const],
  );
}

function unique(all: readonly Thrown[]): readonly Thrown[] {
  return [...new Map(all.map((one) => [one.name, one])).values()];
}

function listThrown(file: string, read: (node: AnyNode) => Thrown | null): ThrownByFunction {
  const found = new Map<string, Thrown[]>();
  const visit = (value: unknown, name: string): void => {
    if (Array.isArray(value)) for (const one of value) visit(one, name);
    if (!isNode(value)) return;
    const inside = getFunctionName(value) ?? name;
    const thrown = read(value);
    if (thrown !== null) found.set(inside, [...(found.get(inside) ?? []), thrown]);
    for (const member of Object.values(value)) visit(member, inside);
  };
  visit(parse(readFileSync(file, "utf8"), { ecmaVersion: "latest" }), "");
  return found;
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === "object" && value !== null && "type" in value;
}

/** The name of a function, or of the export that it is assigned to. */
function getFunctionName(node: AnyNode): string | undefined {
  if (node.type === "FunctionDeclaration") return node.id?.name;
  if (node.type !== "AssignmentExpression" || node.right.type !== "FunctionExpression")
    return undefined;
  const { left } = node;
  return left.type === "MemberExpression" && left.property.type === "Identifier"
    ? left.property.name
    : undefined;
}

/** `formatProdErrorMessage(418, "HTML", "")` as the code 418 with two arguments. */
function readCode(node: AnyNode): Thrown | null {
  if (!isCallOf(node, "formatProdErrorMessage")) return null;
  const [code, ...args] = node.arguments;
  return code?.type === "Literal" ? { name: String(code.value), args: args.length } : null;
}

/** `Error("Expected " + name + ".")` as the text `Expected %s.` with one argument. */
function readText(node: AnyNode): Thrown | null {
  const [message] = isCallOf(node, "Error") ? node.arguments : [];
  const name = message === undefined ? null : toTemplate(message);
  return name === null ? null : { name, args: name.split("%s").length - 1 };
}

function isCallOf(node: AnyNode, name: string): node is CallExpression | NewExpression {
  const isCall = node.type === "CallExpression" || node.type === "NewExpression";
  return isCall && node.callee.type === "Identifier" && node.callee.name === name;
}

/** Null for an expression without text. */
function toTemplate(node: AnyNode): string | null {
  if (node.type === "Literal") return typeof node.value === "string" ? node.value : null;
  if (node.type !== "BinaryExpression" || node.operator !== "+") return null;
  return (toTemplate(node.left) ?? "%s") + (toTemplate(node.right) ?? "%s");
}
