/**
 * Names of functions where the functions of the script are unknown. Uses a name from the engine or
 * from the caller only if the source defines it before the place: a wrong name is worse than none.
 */
import type { CompactMap, OriginalPlace } from "./compact-map.ts";

/** Shorter names come from a minifier. */
const MIN_CHARS = 3;
/** Names that callers give to any function that they receive. */
const GENERIC_NAMES = new Set(
  "apply bind call callback component constructor default exports factory func function handler init listener method module next require resolve reject then".split(
    " ",
  ),
);

/**
 * The method or function that the engine names, without the receiver (`o.parse`) and without the
 * words that engines add (`async`, `new`, `get`). Null for names that a minifier chose.
 */
export function readEngineName(name: string | undefined): string | null {
  const alias = / \[as ([^\]]+)\]$/.exec(name ?? "")?.[1];
  const plain = (alias ?? name ?? "").replace(/^(?:(?:async|new|get|set|static) )+/, "");
  const last = plain.slice(plain.lastIndexOf(".") + 1).replace(/^#/, "");
  return isPlausible(last) ? last : null;
}

/**
 * The engine's name of the function at a place, otherwise the name of the caller's token, if the
 * source of the place defines it. Null otherwise.
 */
export function findFallbackName(
  map: CompactMap,
  place: OriginalPlace,
  engineName: string | undefined,
  readCallerToken: () => string | null,
): string | null {
  let text: string | null | undefined;
  for (const readName of [() => readEngineName(engineName), readCallerToken]) {
    const name = readName();
    if (name === null || !isPlausible(name)) continue;
    text ??= map.readTextBefore(place.source, place.line);
    if (text !== null && isDefined(text, name)) return name;
  }
  return null;
}

function isPlausible(name: string): boolean {
  return (
    name.length >= MIN_CHARS &&
    /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name) &&
    !GENERIC_NAMES.has(name.toLowerCase())
  );
}

/** True if the text has `function name(`, `name = `, `name(…) {` and the like. */
function isDefined(text: string, name: string): boolean {
  const escaped = name.replaceAll("$", "\\$");
  const definition = new RegExp(
    `(?:function\\s*\\*?\\s*|(?:const|let|var|get|set|async|static|private|public|protected)\\s+|(?:^|[{,;])\\s*#?)${escaped}\\s*(?:[=:]|\\([^()]{0,500}\\)\\s*[:{]|<)`,
    "mu",
  );
  return definition.test(text);
}
