/** The signatures of passkeys. Source: WebAuthn Level 3 § 6.5.5. */
import { importCoseKey } from "./cose-key.ts";

/** Whether `signature` is that of `data`. Rejects for a malformed key or signature. */
export async function verifySignature(
  cose: Uint8Array,
  signature: Uint8Array<ArrayBuffer>,
  data: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const { key, algorithm } = await importCoseKey(cose);
  const raw = algorithm.name === "ECDSA" ? decodeDerSignature(signature) : signature;
  return crypto.subtle.verify(algorithm, key, raw, data);
}

/** The size of each of the two integers of a P-256 signature. */
const INTEGER_BYTES = 32;

/**
 * The two integers of an ES256 signature in DER, each with 32 bytes, as `crypto.subtle` reads them.
 * Throws on malformed bytes. Source: RFC 3279 § 2.2.3.
 */
function decodeDerSignature(der: Uint8Array): Uint8Array<ArrayBuffer> {
  const raw = new Uint8Array(2 * INTEGER_BYTES);
  // A sequence (0x30) of two integers (0x02), each tag followed by the length of its content.
  let offset = 2;
  if (der[0] !== 0x30 || der[1] !== der.length - offset) throw new Error("Not a DER sequence");
  for (const end of [INTEGER_BYTES, 2 * INTEGER_BYTES]) {
    const length = der[offset + 1] ?? 0;
    const integer = der.subarray(offset + 2, offset + 2 + length);
    if (der[offset] !== 0x02 || length === 0 || integer.length !== length)
      throw new Error("Not a DER integer");
    // A positive integer begins with 0x00 if its first bit is set, and only then.
    const [first = 0, second = 0] = integer;
    if (first >= 0x80 || (first === 0 && length > 1 && second < 0x80))
      throw new Error("Not a positive integer in its shortest form");
    const digits = integer[0] === 0 ? integer.subarray(1) : integer;
    if (digits.length > INTEGER_BYTES) throw new Error("Not an integer of P-256");
    raw.set(digits, end - digits.length);
    offset += 2 + length;
  }
  if (offset !== der.length) throw new Error("Bytes after the DER sequence");
  return raw;
}
