/** Values and attributes as OTLP/JSON writes them. */

/** A value before it is written. */
export type Value =
  | string
  | number
  | boolean
  | readonly Value[]
  | { readonly [key: string]: Value };

/** The `AnyValue`; whole numbers become text. */
export function toAnyValue(value: Value): object {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  if (typeof value === "number") {
    return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  }
  if (Array.isArray(value)) return { arrayValue: { values: value.map(toAnyValue) } };
  return { kvlistValue: { values: toAttributes(value as Readonly<Record<string, Value>>) } };
}

/** A list of attributes. */
export function toAttributes(values: Readonly<Record<string, Value>>): readonly object[] {
  return Object.entries(values).map(([key, value]) => ({ key, value: toAnyValue(value) }));
}
