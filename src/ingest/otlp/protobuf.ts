/**
 * Decodes binary protobuf to the objects of its JSON form, by a table of fields; other fields are
 * skipped. Nesting and number of messages are limited while decoding, because a message of two
 * bytes becomes an object of sixty. Never throws.
 * Source: protobuf.dev › Encoding; the primitives are @bufbuild/protobuf's.
 */
import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";
import type { JsonFields } from "../../core/decode/as-type.ts";
import { toHex } from "../../core/hex.ts";
import { limits } from "../../core/limits.ts";
import { fail, ok, type Result } from "../../core/result.ts";

/** Field types other than messages. */
type Scalar =
  /** Text. */
  | "string"
  /** True or false. */
  | "bool"
  /** A number. */
  | "enum"
  | "double"
  /** Decimal text, the JSON form of 64-bit numbers. */
  | "int64"
  | "fixed64"
  /** An id in bytes: lower-case hex, at most 16 bytes. */
  | "id";

/**
 * The decoded fields of each message by number: the JSON name and the type (a scalar, a message of
 * this table, or `Name[]` if repeated).
 *
 *     { Resource: { 1: ["attributes", "KeyValue[]"] }, … }
 */
export type MessageTable = Readonly<
  Record<string, Readonly<Record<number, readonly [name: string, type: string]>>>
>;

/** Why bytes were rejected. `expected` is a sentence for the sender. */
export type ProtobufFailure =
  | { readonly reason: "framing"; readonly expected: string }
  | { readonly reason: "too-deep"; readonly expected: string }
  | { readonly reason: "too-large"; readonly expected: string };

/**
 * Decodes one message. Absent fields stay absent. Skips fields with an unexpected wire type; of a
 * repeated singular field the last one counts. Fails with `framing`, `too-deep` or `too-large`.
 */
export function decodeMessage(
  bytes: Uint8Array,
  table: MessageTable,
  message: string,
): Result<JsonFields, ProtobufFailure> {
  const state: DecodeState = { reader: new BinaryReader(bytes), table, messageCount: 0 };
  try {
    const fields = decodeFields(state, message, bytes.length, 1);
    if (fields !== undefined) return ok(fields);
  } catch {
    // The reader throws on invalid input: an overlong number, or an end within a field.
    return fail(createFramingFailure(message));
  }
  return fail(state.failure ?? createFramingFailure(message));
}

const createFramingFailure = (message: string): ProtobufFailure => ({
  reason: "framing",
  expected: `${message} in protobuf's binary encoding`,
});
const TOO_DEEP: ProtobufFailure = {
  reason: "too-deep",
  expected: `messages nested at most ${limits.maxParsedDepth} levels deep`,
};
const TOO_MANY_MESSAGES: ProtobufFailure = {
  reason: "too-large",
  expected: `at most ${limits.maxParsedContainers} messages in one body`,
};

interface DecodeState {
  readonly reader: BinaryReader;
  readonly table: MessageTable;
  messageCount: number;
  /** The limit that was exceeded. */
  failure?: ProtobufFailure;
}

/**
 * Decodes a message from the reader's position up to `end`. Undefined if invalid or over a limit.
 */
function decodeFields(
  state: DecodeState,
  message: string,
  end: number,
  depth: number,
): JsonFields | undefined {
  const { reader } = state;
  state.messageCount += 1;
  if (depth > limits.maxParsedDepth) state.failure = TOO_DEEP;
  if (state.messageCount > limits.maxParsedContainers) state.failure = TOO_MANY_MESSAGES;
  if (state.failure !== undefined) return undefined;
  const fields: Record<string, unknown> = {};
  while (reader.pos < end) {
    const [number, wireType] = reader.tag();
    const [name, type] = state.table[message]?.[number] ?? UNKNOWN_FIELD;
    if (wireType !== getWireType(type)) {
      reader.skip(wireType, number);
    } else if (isScalar(type)) {
      const value = SCALARS[type].read(reader);
      if (value !== undefined) fields[name] = value;
    } else {
      const isRepeated = type.endsWith("[]");
      const innerEnd = reader.uint32() + reader.pos;
      const inner = decodeFields(state, isRepeated ? type.slice(0, -2) : type, innerEnd, depth + 1);
      if (inner === undefined) return undefined;
      if (isRepeated) appendRepeated(fields, name, inner);
      else fields[name] = inner;
    }
  }
  // If a field exceeded the end, the reader is inside another message.
  return reader.pos === end ? fields : undefined;
}

const UNKNOWN_FIELD = ["", ""] as const;

function appendRepeated(fields: Record<string, unknown>, name: string, item: JsonFields): void {
  const list = fields[name];
  if (Array.isArray(list)) list.push(item);
  else fields[name] = [item];
}

const SCALARS: Readonly<
  Record<Scalar, { wireType: WireType; read: (reader: BinaryReader) => unknown }>
> = {
  string: { wireType: WireType.LengthDelimited, read: (reader) => reader.string() },
  bool: { wireType: WireType.Varint, read: (reader) => reader.bool() },
  enum: { wireType: WireType.Varint, read: (reader) => reader.int32() },
  double: { wireType: WireType.Bit64, read: (reader) => reader.double() },
  int64: { wireType: WireType.Varint, read: (reader) => String(reader.int64()) },
  fixed64: { wireType: WireType.Bit64, read: (reader) => String(reader.fixed64()) },
  id: { wireType: WireType.LengthDelimited, read: (reader) => toHexId(reader.bytes()) },
};

function isScalar(type: string): type is Scalar {
  return Object.hasOwn(SCALARS, type);
}

/** The wire type of a field type; undefined for fields that are not decoded. */
function getWireType(type: string): WireType | undefined {
  if (type === "") return undefined;
  return isScalar(type) ? SCALARS[type].wireType : WireType.LengthDelimited;
}

const MAX_ID_BYTES = 16;

function toHexId(bytes: Uint8Array): string | undefined {
  return bytes.length > MAX_ID_BYTES ? undefined : toHex(bytes);
}
