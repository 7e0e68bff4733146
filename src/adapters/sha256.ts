/**
 * SHA-256 in JavaScript. A digest is needed while a framework renders, which does not wait for
 * `crypto.subtle`, and edge runtimes have no `node:crypto`. Source: FIPS 180-4, section 6.2.
 */

/** The hash of the text's UTF-8 bytes, 32 bytes. */
export function sha256(text: string): Uint8Array {
  return hashBytes(new TextEncoder().encode(text));
}

/** HMAC-SHA-256 of a message with a key of at most 64 bytes. Source: RFC 2104, section 2. */
export function hmacSha256(key: Uint8Array, message: Uint8Array): Uint8Array {
  const pad = (byte: number, rest: Uint8Array) => {
    const padded = new Uint8Array(64 + rest.length).fill(byte, 0, 64);
    for (const [at, value] of key.entries()) padded[at] = byte ^ value;
    padded.set(rest, 64);
    return hashBytes(padded);
  };
  return pad(0x5c, pad(0x36, message));
}

function hashBytes(bytesToHash: Uint8Array): Uint8Array {
  const words = toPaddedWords(bytesToHash);
  const hash = Int32Array.from(INITIAL_HASH);
  const schedule = new Int32Array(64);
  for (let at = 0; at < words.length; at += 16) {
    schedule.set(words.subarray(at, at + 16));
    compress(hash, schedule);
  }
  const bytes = new Uint8Array(32);
  const view = new DataView(bytes.buffer);
  for (const [index, word] of hash.entries()) view.setInt32(index * 4, word);
  return bytes;
}

/** The fractional bits of a root of a prime. */
const toFraction = (root: number) => ((root % 1) * 2 ** 32) | 0;

const PRIMES = listPrimes(64);
const INITIAL_HASH = PRIMES.slice(0, 8).map((prime) => toFraction(Math.sqrt(prime)));
const CONSTANTS = Int32Array.from(PRIMES, (prime) => toFraction(Math.cbrt(prime)));

function listPrimes(count: number): number[] {
  const primes: number[] = [];
  for (let candidate = 2; primes.length < count; candidate++)
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate);
  return primes;
}

/** The message, a bit 1, zeros, and the length in bits, as 32-bit words in whole blocks. */
function toPaddedWords(message: Uint8Array): Int32Array {
  const blocks = Math.ceil((message.length + 9) / 64);
  const bytes = new Uint8Array(blocks * 64);
  bytes.set(message);
  bytes[message.length] = 0x80;
  const view = new DataView(bytes.buffer);
  view.setBigUint64(blocks * 64 - 8, BigInt(message.length) * 8n);
  return Int32Array.from({ length: blocks * 16 }, (_, index) => view.getInt32(index * 4));
}

function compress(hash: Int32Array, schedule: Int32Array): void {
  const word = (index: number) => schedule[index] ?? 0;
  for (let i = 16; i < 64; i++) {
    const [old, recent] = [word(i - 15), word(i - 2)];
    const small = rotate(old, 7) ^ rotate(old, 18) ^ (old >>> 3);
    const large = rotate(recent, 17) ^ rotate(recent, 19) ^ (recent >>> 10);
    schedule[i] = word(i - 16) + small + word(i - 7) + large;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = hash;
  for (let i = 0; i < 64; i++) {
    const choice = (e & f) ^ (~e & g);
    const first =
      h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + choice + (CONSTANTS[i] ?? 0) + word(i);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const second = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + majority;
    [a, b, c, d, e, f, g, h] = [(first + second) | 0, a, b, c, (d + first) | 0, e, f, g];
  }
  for (const [index, value] of [a, b, c, d, e, f, g, h].entries())
    hash[index] = (hash[index] ?? 0) + value;
}

function rotate(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}
