/**
 * OTLP's attributes: a list of keys with values of any type, `{"key":"http.route","value":{"stringValue":"/cart/:id"}}`, in
 * the form that they have as JSON. Nothing is cut here, and nothing throws.
 * Source: opentelemetry-proto 1.x, common/v1/common.proto; OTLP § JSON Protobuf Encoding.
 */
import {
  asBoolean,
  asList,
  asNumber,
  asRecord,
  asText,
  filterRecords,
  type JsonFields,
} from "../../core/decode/as-type.ts";

/** Values by key, still as OTLP writes them. */
export type OtlpAttributes = ReadonlyMap<string, unknown>;

/** No attributes. */
export const NO_ATTRIBUTES: OtlpAttributes = new Map();

/** The attributes of a list; what has no key is left out. */
export function parseAttributes(list: unknown): OtlpAttributes {
  return new Map(
    filterRecords(asList(list)).flatMap(({ key, value }) =>
      typeof key === "string" ? [[key, value]] : [],
    ),
  );
}

/** The text of the first of `keys` that has one: a number or a flag as text, of a list its first value. */
export function findAttribute(
  attributes: OtlpAttributes,
  ...keys: readonly string[]
): string | undefined {
  for (const key of keys) {
    const plain = toPlainValue(attributes.get(key));
    const text = asText(Array.isArray(plain) ? plain[0] : plain);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** An `AnyValue` as the value it stands for. Undefined for bytes and for what is no value. */
export function toPlainValue(value: unknown): unknown {
  const anyValue = asRecord(value) ?? {};
  if (typeof anyValue.stringValue === "string") return anyValue.stringValue;
  if (anyValue.intValue !== undefined) return asInteger(anyValue.intValue);
  if (anyValue.arrayValue !== undefined) return asList(anyValue.arrayValue).map(toPlainValue);
  if (anyValue.kvlistValue !== undefined)
    return toPlainObject(parseAttributes(anyValue.kvlistValue));
  return asBoolean(anyValue.boolValue) ?? asNumber(anyValue.doubleValue);
}

/**
 * What may be kept of attributes beside a report's own fields: not the exception, which is told already, no header, and no
 * address of a visitor.
 */
export function filterAttributes(attributes: OtlpAttributes): OtlpAttributes {
  const isKept = (key: string): boolean =>
    !CLIENT_ADDRESSES.has(key) && !MAPPED_ATTRIBUTES.test(key);
  return new Map([...attributes].filter(([key]) => isKept(key)));
}

const MAPPED_ATTRIBUTES = /^(?:exception\.|http\.(?:request|response)\.header\.)/;
const CLIENT_ADDRESSES: ReadonlySet<string> = new Set([
  "client.address",
  "http.client_ip",
  "net.peer.ip",
  "net.sock.peer.addr",
  "network.peer.address",
  "source.address",
]);

/** The same as an object, for people to read. */
export function toPlainObject(attributes: OtlpAttributes): JsonFields {
  return Object.fromEntries(Array.from(attributes, ([key, value]) => [key, toPlainValue(value)]));
}

/** 64 bits come as text; a number that JavaScript cannot hold stays that. */
function asInteger(value: unknown): number | string | undefined {
  const number = asNumber(value);
  return Number.isSafeInteger(number) ? number : asText(value);
}
