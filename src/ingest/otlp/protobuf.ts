/**
 * Protobuf's binary encoding to the objects that the same message has as JSON, by a table of the fields that are read;
 * every other field is skipped unread. Nesting and the number of messages are capped while it is decoded, since a message
 * of two bytes becomes an object of sixty. Never throws.
 * Source: protobuf.dev › Encoding; the primitives are @bufbuild/protobuf's.
 */
import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";
import type { JsonFields } from "../../core/decode/as-type.ts";
import { toHex } from "../../core/hex.ts";
import { limits } from "../../core/limits.ts";
import { fail, ok, type Result } from "../../core/result.ts";

/** How a field that holds no message is written, and as what it is read. */
type Scalar =
  /** Text. */
  | "string"
  /** True or false. */
  | "bool"
  /** A number. */
  | "enum"
  | "double"
  /** Decimal text, as JSON has numbers of 64 bits. */
  | "int64"
  | "fixed64"
  /** Bytes that are an id: lower-case hex, at most 16 bytes of it. */
  | "id";

/**
 * The fields that are read of each message, by number: the name in JSON, and a scalar, a message of this table, or `Name[]`
 * for a repeated one.
 *
 *     { Resource: { 1: ["attributes", "KeyValue[]"] }, … }
 */
export type MessageTable = Readonly<
  Record<string, Readonly<Record<number, readonly [name: string, type: string]>>>
>;

/** Why bytes are no such message. `expected` is a sentence for the sender. */
export type ProtobufFailure =
  | { readonly reason: "framing"; readonly expected: string }
  | { readonly reason: "too-deep"; readonly expected: string }
  | { readonly reason: "too-large"; readonly expected: string };

/**
 * The message in `bytes`: objects with the names of the table; absent fields are absent. A field of another wire type than
 * its own is skipped, and of a field that should come once the last counts. Fails with `framing`, `too-deep` or `too-large`.
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
    // The reader throws at whatever no message can hold: an overlong number, an end in the middle of a field.
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
  /** The cap that was broken, when one was. */
  failure?: ProtobufFailure;
}

/** The message from where the reader stands up to `end`. Undefined when it is broken or over a cap. */
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
  // Where a field ran over the end, the reader stands in another message.
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

/** The wire type that a field of this type must have; none that exists for a field that is not read. */
function getWireType(type: string): WireType | undefined {
  if (type === "") return undefined;
  return isScalar(type) ? SCALARS[type].wireType : WireType.LengthDelimited;
}

const MAX_ID_BYTES = 16;

function toHexId(bytes: Uint8Array): string | undefined {
  return bytes.length > MAX_ID_BYTES ? undefined : toHex(bytes);
}
