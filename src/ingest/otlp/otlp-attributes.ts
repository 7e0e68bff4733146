/**
 * OTLP attributes as JSON: a list of keys with values of any type,
 * `{"key":"http.route","value":{"stringValue":"/cart/:id"}}`. Truncates nothing, and never throws.
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

/** Values by key, undecoded. */
export type OtlpAttributes = ReadonlyMap<string, unknown>;

export const NO_ATTRIBUTES: OtlpAttributes = new Map();

/** Decodes a list of attributes; skips those without a key. */
export function parseAttributes(list: unknown): OtlpAttributes {
  return new Map(
    filterRecords(asList(list)).flatMap(({ key, value }) =>
      typeof key === "string" ? [[key, value]] : [],
    ),
  );
}

/**
 * The first of `keys` with a text value. Numbers and booleans become text; of a list, the first
 * value counts.
 */
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

/** Decodes an `AnyValue`. Undefined for bytes and unknown values. */
export function toPlainValue(value: unknown): unknown {
  const anyValue = asRecord(value) ?? {};
  if (typeof anyValue.stringValue === "string") return anyValue.stringValue;
  if (anyValue.intValue !== undefined) return asInteger(anyValue.intValue);
  if (anyValue.arrayValue !== undefined) return asList(anyValue.arrayValue).map(toPlainValue);
  if (anyValue.kvlistValue !== undefined)
    return toPlainObject(parseAttributes(anyValue.kvlistValue));
  return asBoolean(anyValue.boolValue) ?? asNumber(anyValue.doubleValue);
}

/** Attributes with the template of a log message. */
export const TEMPLATE_ATTRIBUTES: readonly string[] = [
  "{OriginalFormat}",
  "message.template",
  "message_template.text",
  "log.record.template",
];

/**
 * The attributes to store besides the report's fields: omits exception attributes, templates,
 * headers and client addresses.
 */
export function filterAttributes(attributes: OtlpAttributes): OtlpAttributes {
  const isKept = (key: string): boolean =>
    !CLIENT_ADDRESSES.has(key) &&
    !MAPPED_ATTRIBUTES.test(key) &&
    !TEMPLATE_ATTRIBUTES.includes(key);
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

export function toPlainObject(attributes: OtlpAttributes): JsonFields {
  return Object.fromEntries(Array.from(attributes, ([key, value]) => [key, toPlainValue(value)]));
}

/** 64-bit integers come as text. Those beyond the safe range stay text. */
function asInteger(value: unknown): number | string | undefined {
  const number = asNumber(value);
  return Number.isSafeInteger(number) ? number : asText(value);
}
