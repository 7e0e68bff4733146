/** Named values in every shape that senders use, with the values undecoded. */
import { asArray, asRecord, asText } from "../../core/decode/as-type.ts";

/** A name and its undecoded value. */
export type NamedValue = readonly [name: string, value: unknown];

/**
 * The pairs of an object (`{"a": 1}`), a list of pairs (`[["a", 1]]`) or a list of objects with
 * `key` or `name` and `value`. Skips members of any other shape.
 */
export function listPairs(value: unknown): readonly NamedValue[] {
  const list = asArray(value);
  if (list === undefined) return Object.entries(asRecord(value) ?? {});
  const pairs: NamedValue[] = [];
  for (const entry of list) {
    const { key, name: label, value: named } = asRecord(entry) ?? {};
    const [name, member] = asArray(entry) ?? [key ?? label, named];
    const text = asText(name);
    if (text !== undefined) pairs.push([text, member]);
  }
  return pairs;
}

/** Headers as text: a list of values becomes `a, b`, as one field of HTTP. Skips other values. */
export function listHeaders(value: unknown): readonly (readonly [name: string, value: string])[] {
  return listPairs(value).flatMap(([name, member]) => {
    const values = (asArray(member) ?? [member]).map(asText).filter((text) => text !== undefined);
    return values.length === 0 ? [] : [[name, values.join(", ")] as const];
  });
}

/** A query as text without the question mark; undefined if it is empty. */
export function toQuery(value: unknown): string | undefined {
  const text = asText(value)?.replace(/^\?/, "") ?? listPairs(value).map(toQueryField).join("&");
  return text === "" ? undefined : text;
}

function toQueryField([name, value]: NamedValue): string {
  const values = asArray(value) ?? [value];
  return values.map((one) => `${encode(name)}=${encode(asText(one) ?? "")}`).join("&");
}

/** `encodeURIComponent` throws for half of a surrogate pair. */
function encode(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, "\ufffd"));
}
