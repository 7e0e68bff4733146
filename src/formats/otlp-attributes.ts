/**
 * OTLP's attributes: a list of keys with values of any type, `{"key":"http.route","value":{"stringValue":"/cart/:id"}}`, in
 * the form that they have as JSON. Nothing is cut here, and nothing throws.
 * Source: opentelemetry-proto 1.x, common/v1/common.proto; OTLP § JSON Protobuf Encoding.
 */
import { type Fields, flagOf, listOf, numberOf, recordOf, recordsOf, textOf } from "./decode.ts";

/** Values by key, still as OTLP writes them. */
export type Attributes = ReadonlyMap<string, unknown>;

/** No attributes. */
export const NO_ATTRIBUTES: Attributes = new Map();

/** The attributes of a list; what has no key is left out. */
export function attributesOf(list: unknown): Attributes {
  return new Map(
    recordsOf(listOf(list)).flatMap(({ key, value }) =>
      typeof key === "string" ? [[key, value]] : [],
    ),
  );
}

/** The text of the first of `keys` that has one: a number or a flag as text, of a list its first value. */
export function attribute(attributes: Attributes, ...keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const plain = plainOf(attributes.get(key));
    const text = textOf(Array.isArray(plain) ? plain[0] : plain);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** An `AnyValue` as the value it stands for. Undefined for bytes and for what is no value. */
export function plainOf(value: unknown): unknown {
  const any = recordOf(value) ?? {};
  if (typeof any.stringValue === "string") return any.stringValue;
  if (any.intValue !== undefined) return wholeOf(any.intValue);
  if (any.arrayValue !== undefined) return listOf(any.arrayValue).map(plainOf);
  if (any.kvlistValue !== undefined) return plainAttributes(attributesOf(any.kvlistValue));
  return flagOf(any.boolValue) ?? numberOf(any.doubleValue);
}

/**
 * What may be kept of attributes beside a report's own fields: not the exception, which is told already, no header, and no
 * address of a visitor.
 */
export function keptAttributes(attributes: Attributes): Attributes {
  const isKept = (key: string): boolean => !ADDRESSES.has(key) && !TOLD_ELSEWHERE.test(key);
  return new Map([...attributes].filter(([key]) => isKept(key)));
}

const TOLD_ELSEWHERE = /^(?:exception\.|http\.(?:request|response)\.header\.)/;
const ADDRESSES: ReadonlySet<string> = new Set([
  "client.address",
  "http.client_ip",
  "net.peer.ip",
  "net.sock.peer.addr",
  "network.peer.address",
  "source.address",
]);

/** The same as an object, for people to read. */
export function plainAttributes(attributes: Attributes): Fields {
  return Object.fromEntries(Array.from(attributes, ([key, value]) => [key, plainOf(value)]));
}

/** 64 bits come as text; a number that JavaScript cannot hold stays that. */
function wholeOf(value: unknown): number | string | undefined {
  const number = numberOf(value);
  return Number.isSafeInteger(number) ? number : textOf(value);
}
