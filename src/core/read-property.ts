/**
 * Reads properties of untrusted values, such as a thrown proxy or an object whose getters throw.
 * Never throws.
 */

/**
 * The value of `target[key]`; undefined when it is missing, when `target` has no properties, or
 * when reading throws.
 */
export function readProperty(target: unknown, key: PropertyKey): unknown {
  if (!hasProperties(target)) return undefined;
  try {
    return (target as Readonly<Record<PropertyKey, unknown>>)[key];
  } catch {
    return undefined;
  }
}

/** The string at `target[key]`; undefined for any other type. */
export function readString(target: unknown, key: PropertyKey): string | undefined {
  const value = readProperty(target, key);
  return typeof value === "string" ? value : undefined;
}

/** True for objects and functions. */
export function hasProperties(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}
