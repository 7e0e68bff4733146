/**
 * Reading from values that somebody else made: a thrown proxy, an object whose getters throw. Never throws; what cannot
 * be read is absent.
 */

/**
 * The value of `holder[key]`; undefined where there is none, where `holder` has no properties, or where reading
 * throws.
 */
export function readProperty(target: unknown, key: PropertyKey): unknown {
  if (!hasProperties(target)) return undefined;
  try {
    return (target as Readonly<Record<PropertyKey, unknown>>)[key];
  } catch {
    return undefined;
  }
}

/** The string at `holder[key]`; undefined where there is anything else. */
export function readString(target: unknown, key: PropertyKey): string | undefined {
  const value = readProperty(target, key);
  return typeof value === "string" ? value : undefined;
}

/** True for objects and functions: everything that can carry a property of its own. */
export function hasProperties(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}
