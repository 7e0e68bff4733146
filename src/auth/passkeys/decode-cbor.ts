/** CBOR, the binary format of WebAuthn. Source: RFC 8949. */
import { type CBORType, decodePartialCBOR } from "@levischuck/tiny-cbor";

/** A value, and the offset of the byte after it. */
interface DecodedCbor {
  readonly value: CBORType;
  readonly end: number;
}

/** Decodes the value at `offset`. Throws on bytes that are not CBOR. */
export function decodeCbor(bytes: Uint8Array, offset = 0): DecodedCbor {
  // The library reads the whole buffer of a view, so it gets a view that has its own buffer.
  const [value, length] = decodePartialCBOR(new Uint8Array(bytes), offset);
  const end = offset + length;
  // The library shortens a byte string that is longer than the rest.
  if (end > bytes.length) throw new Error("The CBOR is truncated");
  return { value, end };
}
