/**
 * Decodes MessagePack, in which the native SDK writes the event beside a minidump. Integers of 64
 * bits become text if a number does not hold them. Never throws.
 * Source: github.com/msgpack/msgpack, spec.md.
 */
import { decodeText } from "../../core/decode/parse-json.ts";
import { limits } from "../../core/limits.ts";

/** The first value of the bytes; undefined if they are broken or nest too deep. */
export function decodeMsgpack(bytes: Uint8Array): unknown {
  try {
    return new MsgpackReader(bytes).readValue(0);
  } catch (error) {
    // A read behind the end, or the reader's own refusal.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

class MsgpackReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;
  #containers = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  readValue(depth: number): unknown {
    const type = this.#readUint(1);
    if (type <= 0x7f) return type;
    if (type <= 0x8f) return this.#readMap(type & 0x0f, depth);
    if (type <= 0x9f) return this.#readArray(type & 0x0f, depth);
    if (type <= 0xbf) return this.#readText(type & 0x1f);
    if (type >= 0xe0) return type - 0x100;
    switch (type) {
      case 0xc2:
      case 0xc3:
        return type === 0xc3;
      case 0xca:
        return this.#view.getFloat32(this.#skip(4));
      case 0xcb:
        return this.#view.getFloat64(this.#skip(8));
      case 0xcf:
        return toExact(this.#view.getBigUint64(this.#skip(8)));
      case 0xd3:
        return toExact(this.#view.getBigInt64(this.#skip(8)));
      case 0xd0:
        return this.#view.getInt8(this.#skip(1));
      case 0xd1:
        return this.#view.getInt16(this.#skip(2));
      case 0xd2:
        return this.#view.getInt32(this.#skip(4));
      case 0xcc:
      case 0xcd:
      case 0xce:
        return this.#readUint(2 ** (type - 0xcc));
      case 0xc4:
      case 0xc5:
      case 0xc6:
        return this.#readText(this.#readUint(2 ** (type - 0xc4)));
      case 0xd9:
      case 0xda:
      case 0xdb:
        return this.#readText(this.#readUint(2 ** (type - 0xd9)));
      case 0xdc:
      case 0xdd:
        return this.#readArray(this.#readUint(2 ** (type - 0xdb)), depth);
      case 0xde:
      case 0xdf:
        return this.#readMap(this.#readUint(2 ** (type - 0xdd)), depth);
      case 0xc7:
      case 0xc8:
      case 0xc9:
        this.#skip(this.#readUint(2 ** (type - 0xc7)) + 1);
        return null;
      default:
        // Nil, an unused type, or an extension of 1 to 16 bytes after its type.
        if (type >= 0xd4) this.#skip(2 ** (type - 0xd4) + 1);
        return null;
    }
  }

  #readArray(length: number, depth: number): readonly unknown[] {
    this.#enter(depth);
    const list: unknown[] = [];
    for (let n = 0; n < length; n++) list.push(this.readValue(depth + 1));
    return list;
  }

  #readMap(length: number, depth: number): Readonly<Record<string, unknown>> {
    this.#enter(depth);
    const entries: [string, unknown][] = [];
    for (let n = 0; n < length; n++) {
      const key = this.readValue(depth + 1);
      const name = typeof key === "object" ? "" : String(key);
      const value = this.readValue(depth + 1);
      if (name !== "__proto__") entries.push([name, value]);
    }
    return Object.fromEntries(entries);
  }

  #enter(depth: number): void {
    this.#containers += 1;
    if (depth >= limits.maxParsedDepth || this.#containers > limits.maxParsedContainers)
      throw new RangeError("too deep or too large");
  }

  #readText(length: number): string {
    const at = this.#skip(length);
    return decodeText(this.#bytes.subarray(at, at + length));
  }

  #readUint(size: number): number {
    const at = this.#skip(size);
    if (size === 1) return this.#view.getUint8(at);
    return size === 2 ? this.#view.getUint16(at) : this.#view.getUint32(at);
  }

  /** The index of the next `length` bytes, and moves behind them. */
  #skip(length: number): number {
    const at = this.#at;
    if (at + length > this.#bytes.length) throw new RangeError("behind the end");
    this.#at += length;
    return at;
  }
}

function toExact(value: bigint): number | string {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value.toString();
}
