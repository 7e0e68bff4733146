/**
 * The public keys of passkeys. Source: RFC 9052 § 7, RFC 9053 § 2 and § 7, RFC 8230 § 4; WebAuthn
 * Level 3 § 5.8.5.
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
    if (fields.get(label) !== value)
      throw new Error(`The COSE key does not have ${value} at ${label}`);
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
      if (!(modulus instanceof Uint8Array) || countBytes(modulus) < MIN_MODULUS_BYTES)
        throw new Error("The RSA key is too short");
      const jwk = { kty: "RSA", n: readBytes(MODULUS), e: readBytes(EXPONENT) };
      return importKey(jwk, { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" });
    }
    default:
      throw new Error("The COSE key has an algorithm that Errata did not offer");
  }
}

/** The bytes of a big-endian number without zeros in front. */
function countBytes(number: Uint8Array): number {
  const first = number.findIndex((byte) => byte !== 0);
  return first < 0 ? 0 : number.length - first;
}
