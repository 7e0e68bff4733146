/**
 * The public keys of passkeys, and the signatures that they verify. Source: RFC 9052 § 7, RFC 9053
 * § 2 and § 7, RFC 8230 § 4; WebAuthn Level 3 § 5.8.5, § 6.5.5.
 */
import { Buffer } from "node:buffer";
import { decodeCbor } from "./decode-cbor.ts";

/** The COSE algorithms of new passkeys, the preferred one first: Ed25519, ES256, RS256. */
export const PASSKEY_ALGORITHMS = [-8, -7, -257] as const;

/** A key that can verify signatures, with the parameters for it. */
interface VerificationKey {
  readonly key: CryptoKey;
  readonly algorithm: { readonly name: string; readonly hash?: string };
}

/** Labels of a COSE key. The negative ones have a separate meaning for each type of key. */
const KEY_TYPE = 1;
const ALGORITHM = 3;
const CURVE = -1;
const X = -2;
const Y = -3;
const MODULUS = -1;
const EXPONENT = -2;

/** 2,048 bits: NIST SP 800-131A § 3. */
const MIN_MODULUS_BYTES = 256;

/**
 * Imports a COSE key of one of `PASSKEY_ALGORITHMS`. Rejects for bytes that are not CBOR, and for
 * any other key.
 */
export async function importCoseKey(cose: Uint8Array): Promise<VerificationKey> {
  const { value: fields } = decodeCbor(cose);
  if (!(fields instanceof Map)) throw new Error("A COSE key is a map");
  const readBytes = (label: number) => {
    const bytes = fields.get(label);
    if (!(bytes instanceof Uint8Array)) throw new Error(`The COSE key has no bytes at ${label}`);
    return Buffer.from(bytes).toString("base64url");
  };
  const expect = (label: number, value: number) => {
    if (fields.get(label) !== value) throw new Error(`The COSE key has not ${value} at ${label}`);
  };
  const importKey = async (jwk: JsonWebKey, algorithm: VerificationKey["algorithm"]) => {
    const parameters = { ...algorithm, ...(jwk.kty === "EC" && { namedCurve: "P-256" }) };
    const key = await crypto.subtle.importKey("jwk", jwk, parameters, false, ["verify"]);
    return { key, algorithm };
  };
  switch (fields.get(ALGORITHM)) {
    case -7: {
      expect(KEY_TYPE, 2);
      expect(CURVE, 1);
      const jwk = { kty: "EC", crv: "P-256", x: readBytes(X), y: readBytes(Y) };
      return importKey(jwk, { name: "ECDSA", hash: "SHA-256" });
    }
    case -8:
      expect(KEY_TYPE, 1);
      expect(CURVE, 6);
      return importKey({ kty: "OKP", crv: "Ed25519", x: readBytes(X) }, { name: "Ed25519" });
    case -257: {
      expect(KEY_TYPE, 3);
      const modulus = fields.get(MODULUS);
      if (!(modulus instanceof Uint8Array) || modulus.length < MIN_MODULUS_BYTES)
        throw new Error("The RSA key is too short");
      const jwk = { kty: "RSA", n: readBytes(MODULUS), e: readBytes(EXPONENT) };
      return importKey(jwk, { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" });
    }
    default:
      throw new Error("The COSE key has an algorithm that Errata did not offer");
  }
}

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
