/** Appends bytes and numbers of variable length (LEB128) to a buffer that grows. */
export class ByteWriter {
  bytes: Uint8Array;
  length = 0;

  constructor(capacity: number) {
    this.bytes = new Uint8Array(capacity);
  }

  /** Appends an integer from 0 to 2^53 - 1. */
  writeNumber(value: number): void {
    this.reserve(8);
    let rest = value;
    while (rest >= 0x80) {
      this.bytes[this.length++] = (rest & 0x7f) | 0x80;
      rest = rest < 2 ** 31 ? rest >>> 7 : Math.floor(rest / 128);
    }
    this.bytes[this.length++] = rest;
  }

  /** Appends an integer of up to 32 bits and a sign, as a number of the same order (zigzag). */
  writeSigned(value: number): void {
    this.writeNumber(value < 0 ? -value * 2 - 1 : value * 2);
  }

  /** Makes room for `count` bytes after `length`. */
  reserve(count: number): void {
    if (this.length + count <= this.bytes.length) return;
    const grown = new Uint8Array(Math.max(this.bytes.length * 2, this.length + count));
    grown.set(this.bytes.subarray(0, this.length));
    this.bytes = grown;
  }

  /** The appended bytes, valid until the next ones. The writer is empty afterwards. */
  take(): Uint8Array {
    const taken = this.bytes.subarray(0, this.length);
    this.length = 0;
    return taken;
  }
}

/** Reads the output of `ByteWriter`. After the end every number is 0. */
export class ByteReader {
  at = 0;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  isAtEnd(): boolean {
    return this.at >= this.#bytes.length;
  }

  readNumber(): number {
    let byte = this.#bytes[this.at++] ?? 0;
    let value = byte & 0x7f;
    for (let factor = 128; byte >= 0x80; factor *= 128) {
      byte = this.#bytes[this.at++] ?? 0;
      value += (byte & 0x7f) * factor;
    }
    return value;
  }

  readSigned(): number {
    const value = this.readNumber();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }
}
